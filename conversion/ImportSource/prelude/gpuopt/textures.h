// Textures and surfaces, references and objects, in kernels and as host code
// has them. A fetch is an intrinsic of NVVM's (VendorIntrinsics.cpp), by an
// object; what references are bound to only programs know (programs.h).

#pragma once

#include "gpuopt/channel_descriptor.h"

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
};
template <class T, int Dimensions = 1, enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct texture {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  // What a program has bound it to: linear memory, or an object.
  const void *__data = nullptr;
  size_t __elements = 0;
  cudaTextureObject_t __object = 0;
  constexpr texture(int isNormalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                    enum cudaTextureAddressMode address = cudaAddressModeClamp,
                    cudaChannelFormatDesc desc = {0, 0, 0, 0, cudaChannelFormatKindNone})
      : normalized(isNormalized), filterMode(filter), addressMode{address, address, address},
        channelDesc(desc) {}
};
template <class T, int Dimensions = 1> struct surface : public surfaceReference {
  cudaSurfaceObject_t __object = 0;
  constexpr surface() : surfaceReference{{0, 0, 0, 0, cudaChannelFormatKindNone}} {}
};

// A texel of what the instructions give: floats, or integers.
typedef float __gpuopt_v4f32 __attribute__((ext_vector_type(4)));
typedef int __gpuopt_v2s32 __attribute__((ext_vector_type(2)));
typedef int __gpuopt_v4s32 __attribute__((ext_vector_type(4)));
#define __GPUOPT_INLINE__ inline __attribute__((device, always_inline))
#define __GPUOPT_UNPACK__(...) __VA_ARGS__
template <class T> struct __gpuopt_texel {
  typedef typename __gpuopt_channel<T>::type Channel;
  static constexpr bool isFloat = Channel(0.5f) != 0, isSigned = Channel(-1) < Channel(0);
  template <class Words> static __GPUOPT_INLINE__ T of(Words words) {
    Channel channels[4] = {Channel(words.x), Channel(words.y), Channel(words.z), Channel(words.w)};
    T result;
    __builtin_memcpy(&result, channels, sizeof(T));
    return result;
  }
};

// A fetch: its parameters, those of the instruction, and the arguments of both.
#define __GPUOPT_FETCH__(NAME, GEOMETRY, COORDINATE, PARAMETERS, ARGUMENTS, OPERANDS, GIVEN)                                      \
  extern "C" __device__ __gpuopt_v4f32 __gpuopt_nvvm_tex_unified_##GEOMETRY##_v4f32_##COORDINATE(cudaTextureObject_t, __GPUOPT_UNPACK__ OPERANDS); \
  extern "C" __device__ __gpuopt_v4s32 __gpuopt_nvvm_tex_unified_##GEOMETRY##_v4s32_##COORDINATE(cudaTextureObject_t, __GPUOPT_UNPACK__ OPERANDS); \
  extern "C" __device__ __gpuopt_v4s32 __gpuopt_nvvm_tex_unified_##GEOMETRY##_v4u32_##COORDINATE(cudaTextureObject_t, __GPUOPT_UNPACK__ OPERANDS); \
  template <class T> __GPUOPT_INLINE__ T NAME(cudaTextureObject_t t, __GPUOPT_UNPACK__ PARAMETERS) {                              \
    if (__gpuopt_texel<T>::isFloat)                                                                                               \
      return __gpuopt_texel<T>::of(__gpuopt_nvvm_tex_unified_##GEOMETRY##_v4f32_##COORDINATE(t, __GPUOPT_UNPACK__ GIVEN));        \
    if (__gpuopt_texel<T>::isSigned)                                                                                              \
      return __gpuopt_texel<T>::of(__gpuopt_nvvm_tex_unified_##GEOMETRY##_v4s32_##COORDINATE(t, __GPUOPT_UNPACK__ GIVEN));        \
    return __gpuopt_texel<T>::of(__gpuopt_nvvm_tex_unified_##GEOMETRY##_v4u32_##COORDINATE(t, __GPUOPT_UNPACK__ GIVEN));          \
  }                                                                                                                               \
  template <class T> __GPUOPT_INLINE__ void NAME(T *to, cudaTextureObject_t t, __GPUOPT_UNPACK__ PARAMETERS) {                    \
    *to = NAME<T>(t, __GPUOPT_UNPACK__ ARGUMENTS);                                                                                \
  }
__GPUOPT_FETCH__(tex1Dfetch, 1d, s32, (int i), (i), (int), (i))
__GPUOPT_FETCH__(tex1D, 1d, f32, (float x), (x), (float), (x))
__GPUOPT_FETCH__(tex2D, 2d, f32, (float x, float y), (x, y), (float, float), (x, y))
__GPUOPT_FETCH__(tex3D, 3d, f32, (float x, float y, float z), (x, y, z), (float, float, float), (x, y, z))
__GPUOPT_FETCH__(tex1DLod, 1d_level, f32, (float x, float level), (x, level), (float, float), (x, level))
__GPUOPT_FETCH__(tex2DLod, 2d_level, f32, (float x, float y, float level), (x, y, level), (float, float, float), (x, y, level))
__GPUOPT_FETCH__(tex3DLod, 3d_level, f32, (float x, float y, float z, float level), (x, y, z, level), (float, float, float, float), (x, y, z, level))
__GPUOPT_FETCH__(tex1DLayered, 1d_array, f32, (float x, int layer), (x, layer), (int, float), (layer, x))
__GPUOPT_FETCH__(tex2DLayered, 2d_array, f32, (float x, float y, int layer), (x, y, layer), (int, float, float), (layer, x, y))
__GPUOPT_FETCH__(tex1DLayeredLod, 1d_array_level, f32, (float x, int layer, float level), (x, layer, level), (int, float, float), (layer, x, level))
__GPUOPT_FETCH__(tex2DLayeredLod, 2d_array_level, f32, (float x, float y, int layer, float level), (x, y, layer, level), (int, float, float, float), (layer, x, y, level))
__GPUOPT_FETCH__(texCubemap, cube, f32, (float x, float y, float z), (x, y, z), (float, float, float), (x, y, z))
__GPUOPT_FETCH__(texCubemapLod, cube_level, f32, (float x, float y, float z, float level), (x, y, z, level), (float, float, float, float), (x, y, z, level))
__GPUOPT_FETCH__(texCubemapLayered, cube_array, f32, (float x, float y, float z, int layer), (x, y, z, layer), (int, float, float, float), (layer, x, y, z))
__GPUOPT_FETCH__(texCubemapLayeredLod, cube_array_level, f32, (float x, float y, float z, int layer, float level), (x, y, z, layer, level), (int, float, float, float, float), (layer, x, y, z, level))
#undef __GPUOPT_FETCH__

// One channel of the four elements that a linear fetch takes.
#define __GPUOPT_GATHER__(CHANNEL)                                                                                                \
  extern "C" __device__ __gpuopt_v4f32 __gpuopt_nvvm_tld4_unified_##CHANNEL##_2d_v4f32_f32(cudaTextureObject_t, float, float);    \
  extern "C" __device__ __gpuopt_v4s32 __gpuopt_nvvm_tld4_unified_##CHANNEL##_2d_v4s32_f32(cudaTextureObject_t, float, float);    \
  extern "C" __device__ __gpuopt_v4s32 __gpuopt_nvvm_tld4_unified_##CHANNEL##_2d_v4u32_f32(cudaTextureObject_t, float, float);    \
  template <class T> __GPUOPT_INLINE__ T __gpuopt_gather_##CHANNEL(cudaTextureObject_t t, float x, float y) {                     \
    if (__gpuopt_texel<T>::isFloat)                                                                                               \
      return __gpuopt_texel<T>::of(__gpuopt_nvvm_tld4_unified_##CHANNEL##_2d_v4f32_f32(t, x, y));                                 \
    if (__gpuopt_texel<T>::isSigned)                                                                                              \
      return __gpuopt_texel<T>::of(__gpuopt_nvvm_tld4_unified_##CHANNEL##_2d_v4s32_f32(t, x, y));                                 \
    return __gpuopt_texel<T>::of(__gpuopt_nvvm_tld4_unified_##CHANNEL##_2d_v4u32_f32(t, x, y));                                   \
  }
__GPUOPT_GATHER__(r)
__GPUOPT_GATHER__(g)
__GPUOPT_GATHER__(b)
__GPUOPT_GATHER__(a)
#undef __GPUOPT_GATHER__
template <class T> __GPUOPT_INLINE__ T tex2Dgather(cudaTextureObject_t t, float x, float y, int channel = 0) {
  return channel == 1   ? __gpuopt_gather_g<T>(t, x, y)
         : channel == 2 ? __gpuopt_gather_b<T>(t, x, y)
         : channel == 3 ? __gpuopt_gather_a<T>(t, x, y)
                        : __gpuopt_gather_r<T>(t, x, y);
}
template <class T> __GPUOPT_INLINE__ void tex2Dgather(T *to, cudaTextureObject_t t, float x, float y, int channel = 0) {
  *to = tex2Dgather<T>(t, x, y, channel);
}

#include "gpuopt/surfaces.h"

// References. What they are bound to is in the device's variable.
template <class T, int Dimensions, enum cudaTextureReadMode Mode>
static inline cudaError_t __gpuopt_bind(const texture<T, Dimensions, Mode> &t, const cudaResourceDesc *resource) {
  texture<T, Dimensions, Mode> bound = t;
  cudaTextureDesc description = {{t.addressMode[0], t.addressMode[1], t.addressMode[2]}, t.filterMode, Mode};
  description.normalizedCoords = t.normalized;
  bool isLinear = resource && resource->resType == cudaResourceTypeLinear;
  bound.__data = isLinear ? resource->res.linear.devPtr : nullptr;
  bound.__elements = isLinear ? resource->res.linear.sizeInBytes / sizeof(T) : 0;
  cudaError_t error = ::__cudaBindTexture(&t, &bound.__object, resource, &description);
  return error == cudaSuccess ? ::cudaMemcpyToSymbol((const void *)&t, &bound, sizeof bound) : error;
}
#define __GPUOPT_BINDER__ template <class T, int Dimensions, enum cudaTextureReadMode Mode> static inline cudaError_t
__GPUOPT_BINDER__ cudaBindTexture(size_t *offset, const texture<T, Dimensions, Mode> &t, const void *data, const cudaChannelFormatDesc &format, size_t bytes = 4294967295u) {
  cudaResourceDesc resource = {cudaResourceTypeLinear};
  resource.res.linear = {const_cast<void *>(data), format, bytes};
  if (offset)
    *offset = 0;
  return __gpuopt_bind(t, &resource);
}
__GPUOPT_BINDER__ cudaBindTexture(size_t *offset, const texture<T, Dimensions, Mode> &t, const void *data, size_t bytes = 4294967295u) {
  return cudaBindTexture(offset, t, data, cudaCreateChannelDesc<T>(), bytes);
}
__GPUOPT_BINDER__ cudaBindTexture(size_t *offset, const texture<T, Dimensions, Mode> *t, const void *data, const cudaChannelFormatDesc *format, size_t bytes = 4294967295u) {
  return cudaBindTexture(offset, *t, data, *format, bytes);
}
__GPUOPT_BINDER__ cudaBindTexture2D(size_t *offset, const texture<T, Dimensions, Mode> &t, const void *data, const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch) {
  cudaResourceDesc resource = {cudaResourceTypePitch2D};
  resource.res.pitch2D = {const_cast<void *>(data), format, width, height, pitch};
  if (offset)
    *offset = 0;
  return __gpuopt_bind(t, &resource);
}
__GPUOPT_BINDER__ cudaBindTexture2D(size_t *offset, const texture<T, Dimensions, Mode> &t, const void *data, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, t, data, cudaCreateChannelDesc<T>(), width, height, pitch);
}
__GPUOPT_BINDER__ cudaBindTexture2D(size_t *offset, const texture<T, Dimensions, Mode> *t, const void *data, const cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, *t, data, *format, width, height, pitch);
}
__GPUOPT_BINDER__ cudaBindTextureToArray(const texture<T, Dimensions, Mode> &t, cudaArray_const_t array) {
  cudaResourceDesc resource = {cudaResourceTypeArray};
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return __gpuopt_bind(t, &resource);
}
__GPUOPT_BINDER__ cudaBindTextureToArray(const texture<T, Dimensions, Mode> &t, cudaArray_const_t array, const cudaChannelFormatDesc &) { return cudaBindTextureToArray(t, array); }
__GPUOPT_BINDER__ cudaBindTextureToArray(const texture<T, Dimensions, Mode> *t, cudaArray_const_t array, const cudaChannelFormatDesc *) { return cudaBindTextureToArray(*t, array); }
__GPUOPT_BINDER__ cudaUnbindTexture(const texture<T, Dimensions, Mode> &t) { return __gpuopt_bind(t, nullptr); }
__GPUOPT_BINDER__ cudaUnbindTexture(const texture<T, Dimensions, Mode> *t) { return __gpuopt_bind(*t, nullptr); }
#undef __GPUOPT_BINDER__
template <class T, int Dimensions> static inline cudaError_t cudaBindSurfaceToArray(const surface<T, Dimensions> &s, cudaArray_const_t array) {
  surface<T, Dimensions> bound = s;
  cudaResourceDesc resource = {cudaResourceTypeArray};
  resource.res.array.array = const_cast<cudaArray_t>(array);
  cudaError_t error = ::__cudaBindTexture(&s, &bound.__object, &resource, nullptr);
  return error == cudaSuccess ? ::cudaMemcpyToSymbol((const void *)&s, &bound, sizeof bound) : error;
}
template <class T, int Dimensions> static inline cudaError_t cudaBindSurfaceToArray(const surface<T, Dimensions> &s, cudaArray_const_t array, const cudaChannelFormatDesc &) { return cudaBindSurfaceToArray(s, array); }

// What is fetched from a reference: an element, or floats instead of its
// integers. What it is bound to only programs know.
template <int Channels> struct __gpuopt_floats;
template <> struct __gpuopt_floats<1> { typedef float type; };
template <> struct __gpuopt_floats<2> { typedef float2 type; };
template <> struct __gpuopt_floats<4> { typedef float4 type; };
template <class T, enum cudaTextureReadMode Mode> struct __gpuopt_fetched { typedef T type; };
template <class T> struct __gpuopt_fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename __gpuopt_floats<sizeof(T) / sizeof(typename __gpuopt_channel<T>::type)>::type type;
};
template <class T, enum cudaTextureReadMode Mode> using __gpuopt_fetched_t = typename __gpuopt_fetched<T, Mode>::type;
template <class T> __GPUOPT_OF_SDK__ T tex1Dfetch(const texture<T, 1, cudaReadModeElementType> &t, int i);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ __gpuopt_fetched_t<T, Mode> tex1Dfetch(const texture<T, 1, Mode> &t, int i);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ __gpuopt_fetched_t<T, Mode> tex1D(const texture<T, 1, Mode> &t, float x);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ __gpuopt_fetched_t<T, Mode> tex2D(const texture<T, 2, Mode> &t, float x, float y);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ __gpuopt_fetched_t<T, Mode> tex3D(const texture<T, 3, Mode> &t, float x, float y, float z);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ __gpuopt_fetched_t<T, Mode> tex1DLayered(const texture<T, cudaTextureType1DLayered, Mode> &t, float x, int layer);
template <class T, enum cudaTextureReadMode Mode> __GPUOPT_OF_SDK__ __gpuopt_fetched_t<T, Mode> tex2DLayered(const texture<T, cudaTextureType2DLayered, Mode> &t, float x, float y, int layer);
template <class T, class S> __GPUOPT_OF_SDK__ void surf2Dwrite(T value, const surface<S, 2> &s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T, class S> __GPUOPT_OF_SDK__ T surf2Dread(const surface<S, 2> &s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
template <class T, class S> __GPUOPT_OF_SDK__ void surf2Dread(T *to, const surface<S, 2> &s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
