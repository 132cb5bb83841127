// threadIdx and its like: structs whose members are properties, so that reading
// one is a call to a `__gpuopt_*` function and writing one is an error.

#pragma once

#define __GPUOPT_PROPERTY__(FIELD, FUNCTION)                                   \
  __declspec(property(get = __get_##FIELD)) unsigned int FIELD;                \
  static inline __attribute__((device, always_inline)) unsigned int            \
      __get_##FIELD() {                                                        \
    return __gpuopt_##FUNCTION();                                              \
  }
#define __GPUOPT_BUILTIN_VARIABLE__(TYPE, FUNCTION)                            \
  struct TYPE {                                                                \
    __GPUOPT_PROPERTY__(x, FUNCTION##_x)                                       \
    __GPUOPT_PROPERTY__(y, FUNCTION##_y)                                       \
    __GPUOPT_PROPERTY__(z, FUNCTION##_z)                                       \
    inline __attribute__((device, always_inline)) operator dim3() const {      \
      return dim3(x, y, z);                                                    \
    }                                                                          \
    inline __attribute__((device, always_inline)) operator uint3() const {     \
      return {x, y, z};                                                        \
    }                                                                          \
                                                                               \
  private:                                                                     \
    TYPE() = delete;                                                           \
    TYPE(const TYPE &) = delete;                                               \
    void operator=(const TYPE &) const = delete;                               \
    TYPE *operator&() const = delete;                                          \
  }

__GPUOPT_BUILTIN_VARIABLE__(__gpuopt_thread_id_t, thread_id);
__GPUOPT_BUILTIN_VARIABLE__(__gpuopt_block_id_t, block_id);
__GPUOPT_BUILTIN_VARIABLE__(__gpuopt_block_dim_t, block_dim);
__GPUOPT_BUILTIN_VARIABLE__(__gpuopt_grid_dim_t, grid_dim);

extern const __device__ __attribute__((weak)) __gpuopt_thread_id_t threadIdx;
extern const __device__ __attribute__((weak)) __gpuopt_block_id_t blockIdx;
extern const __device__ __attribute__((weak)) __gpuopt_block_dim_t blockDim;
extern const __device__ __attribute__((weak)) __gpuopt_grid_dim_t gridDim;

// warpSize is 32 in the one world and 64 in the other, never a constant.
struct __gpuopt_warp_size_t {
  inline __attribute__((device, always_inline)) operator int() const {
    return __gpuopt_subgroup_size();
  }

private:
  __gpuopt_warp_size_t() = delete;
  __gpuopt_warp_size_t(const __gpuopt_warp_size_t &) = delete;
};
extern const __device__ __attribute__((weak)) __gpuopt_warp_size_t warpSize;

#undef __GPUOPT_PROPERTY__
#undef __GPUOPT_BUILTIN_VARIABLE__

// HIP's older names.
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
