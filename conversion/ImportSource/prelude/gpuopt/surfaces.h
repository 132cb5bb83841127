// Reads and writes of surfaces. x is in bytes, and elements are bytes of any
// kind, 1 to 16 of them.

#pragma once

#define __GPUOPT_SURFACE_MODE__(GEOMETRY, MODE, OPERANDS, GIVEN)                                                                  \
  extern "C" __device__ short __gpuopt_nvvm_suld_##GEOMETRY##_i8_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS);         \
  extern "C" __device__ short __gpuopt_nvvm_suld_##GEOMETRY##_i16_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS);        \
  extern "C" __device__ int __gpuopt_nvvm_suld_##GEOMETRY##_i32_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS);          \
  extern "C" __device__ __gpuopt_v2s32 __gpuopt_nvvm_suld_##GEOMETRY##_v2i32_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS); \
  extern "C" __device__ __gpuopt_v4s32 __gpuopt_nvvm_suld_##GEOMETRY##_v4i32_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS); \
  extern "C" __device__ void __gpuopt_nvvm_sust_b_##GEOMETRY##_i8_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS, short); \
  extern "C" __device__ void __gpuopt_nvvm_sust_b_##GEOMETRY##_i16_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS, short); \
  extern "C" __device__ void __gpuopt_nvvm_sust_b_##GEOMETRY##_i32_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS, int);  \
  extern "C" __device__ void __gpuopt_nvvm_sust_b_##GEOMETRY##_v2i32_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS, int, int); \
  extern "C" __device__ void __gpuopt_nvvm_sust_b_##GEOMETRY##_v4i32_##MODE(cudaSurfaceObject_t, __GPUOPT_UNPACK__ OPERANDS, int, int, int, int); \
  template <int Bytes> __GPUOPT_INLINE__ __gpuopt_v4s32 __gpuopt_load_##GEOMETRY##_##MODE(cudaSurfaceObject_t s, __GPUOPT_UNPACK__ OPERANDS) { \
    __gpuopt_v4s32 words = 0;                                                                                                     \
    if (Bytes == 1)                                                                                                               \
      words.x = __gpuopt_nvvm_suld_##GEOMETRY##_i8_##MODE(s, __GPUOPT_UNPACK__ GIVEN);                                            \
    else if (Bytes == 2)                                                                                                          \
      words.x = __gpuopt_nvvm_suld_##GEOMETRY##_i16_##MODE(s, __GPUOPT_UNPACK__ GIVEN);                                           \
    else if (Bytes == 4)                                                                                                          \
      words.x = __gpuopt_nvvm_suld_##GEOMETRY##_i32_##MODE(s, __GPUOPT_UNPACK__ GIVEN);                                           \
    else if (Bytes == 8)                                                                                                          \
      words.xy = __gpuopt_nvvm_suld_##GEOMETRY##_v2i32_##MODE(s, __GPUOPT_UNPACK__ GIVEN);                                        \
    else                                                                                                                          \
      words = __gpuopt_nvvm_suld_##GEOMETRY##_v4i32_##MODE(s, __GPUOPT_UNPACK__ GIVEN);                                           \
    return words;                                                                                                                 \
  }                                                                                                                               \
  template <int Bytes> __GPUOPT_INLINE__ void __gpuopt_store_##GEOMETRY##_##MODE(__gpuopt_v4s32 words, cudaSurfaceObject_t s, __GPUOPT_UNPACK__ OPERANDS) { \
    if (Bytes == 1)                                                                                                               \
      __gpuopt_nvvm_sust_b_##GEOMETRY##_i8_##MODE(s, __GPUOPT_UNPACK__ GIVEN, (short)words.x);                                    \
    else if (Bytes == 2)                                                                                                          \
      __gpuopt_nvvm_sust_b_##GEOMETRY##_i16_##MODE(s, __GPUOPT_UNPACK__ GIVEN, (short)words.x);                                   \
    else if (Bytes == 4)                                                                                                          \
      __gpuopt_nvvm_sust_b_##GEOMETRY##_i32_##MODE(s, __GPUOPT_UNPACK__ GIVEN, words.x);                                          \
    else if (Bytes == 8)                                                                                                          \
      __gpuopt_nvvm_sust_b_##GEOMETRY##_v2i32_##MODE(s, __GPUOPT_UNPACK__ GIVEN, words.x, words.y);                               \
    else                                                                                                                          \
      __gpuopt_nvvm_sust_b_##GEOMETRY##_v4i32_##MODE(s, __GPUOPT_UNPACK__ GIVEN, words.x, words.y, words.z, words.w);             \
  }
#define __GPUOPT_SURFACE__(NAME, GEOMETRY, PARAMETERS, ARGUMENTS, OPERANDS, GIVEN)                                                \
  __GPUOPT_SURFACE_MODE__(GEOMETRY, zero, OPERANDS, GIVEN)                                                                        \
  __GPUOPT_SURFACE_MODE__(GEOMETRY, clamp, OPERANDS, GIVEN)                                                                       \
  __GPUOPT_SURFACE_MODE__(GEOMETRY, trap, OPERANDS, GIVEN)                                                                        \
  template <class T> __GPUOPT_INLINE__ T NAME##read(cudaSurfaceObject_t s, __GPUOPT_UNPACK__ PARAMETERS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    __gpuopt_v4s32 words = mode == cudaBoundaryModeZero    ? __gpuopt_load_##GEOMETRY##_zero<sizeof(T)>(s, __GPUOPT_UNPACK__ GIVEN) \
                           : mode == cudaBoundaryModeClamp ? __gpuopt_load_##GEOMETRY##_clamp<sizeof(T)>(s, __GPUOPT_UNPACK__ GIVEN) \
                                                           : __gpuopt_load_##GEOMETRY##_trap<sizeof(T)>(s, __GPUOPT_UNPACK__ GIVEN); \
    T result;                                                                                                                     \
    __builtin_memcpy(&result, &words, sizeof(T));                                                                                 \
    return result;                                                                                                                \
  }                                                                                                                               \
  template <class T> __GPUOPT_INLINE__ void NAME##read(T *to, cudaSurfaceObject_t s, __GPUOPT_UNPACK__ PARAMETERS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    *to = NAME##read<T>(s, __GPUOPT_UNPACK__ ARGUMENTS, mode);                                                                    \
  }                                                                                                                               \
  template <class T> __GPUOPT_INLINE__ void NAME##write(T value, cudaSurfaceObject_t s, __GPUOPT_UNPACK__ PARAMETERS, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    __gpuopt_v4s32 words = 0;                                                                                                     \
    __builtin_memcpy(&words, &value, sizeof(T));                                                                                  \
    if (mode == cudaBoundaryModeZero)                                                                                             \
      __gpuopt_store_##GEOMETRY##_zero<sizeof(T)>(words, s, __GPUOPT_UNPACK__ GIVEN);                                             \
    else if (mode == cudaBoundaryModeClamp)                                                                                       \
      __gpuopt_store_##GEOMETRY##_clamp<sizeof(T)>(words, s, __GPUOPT_UNPACK__ GIVEN);                                            \
    else                                                                                                                          \
      __gpuopt_store_##GEOMETRY##_trap<sizeof(T)>(words, s, __GPUOPT_UNPACK__ GIVEN);                                             \
  }
__GPUOPT_SURFACE__(surf1D, 1d, (int x), (x), (int x), (x))
__GPUOPT_SURFACE__(surf2D, 2d, (int x, int y), (x, y), (int x, int y), (x, y))
__GPUOPT_SURFACE__(surf3D, 3d, (int x, int y, int z), (x, y, z), (int x, int y, int z), (x, y, z))
__GPUOPT_SURFACE__(surf1DLayered, 1d_array, (int x, int layer), (x, layer), (int layer, int x), (layer, x))
__GPUOPT_SURFACE__(surf2DLayered, 2d_array, (int x, int y, int layer), (x, y, layer), (int layer, int x, int y), (layer, x, y))
#undef __GPUOPT_SURFACE_MODE__
#undef __GPUOPT_SURFACE__
