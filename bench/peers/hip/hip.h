//===- hip.h - CUDA's language for kernels compiled as HIP ----------------===//
//
// What the kernels need of CUDA's language where they are compiled as HIP by
// Clang without ROCm's headers.

#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __host__ __attribute__((host))

typedef __SIZE_TYPE__ size_t;

#define GPUOPT_BUILTIN(field, call)                                                                \
  __device__ unsigned get_##field() const { return call; }                                         \
  __declspec(property(get = get_##field)) unsigned field;
#define GPUOPT_INDEX(name, X, Y, Z)                                                                \
  struct name##_t {                                                                                \
    GPUOPT_BUILTIN(x, X) GPUOPT_BUILTIN(y, Y) GPUOPT_BUILTIN(z, Z)                                 \
  };                                                                                               \
  extern const __device__ __attribute__((weak)) name##_t name;

GPUOPT_INDEX(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
             __builtin_amdgcn_workitem_id_z())
GPUOPT_INDEX(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
             __builtin_amdgcn_workgroup_id_z())
GPUOPT_INDEX(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
             __builtin_amdgcn_workgroup_size_z())
GPUOPT_INDEX(gridDim, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
             __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
             __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())

__device__ inline void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ inline unsigned atomicAdd(unsigned *place, unsigned value) {
  return __hip_atomic_fetch_add(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

template <typename T> __device__ T min(T a, T b) { return b < a ? b : a; }
template <typename T> __device__ T max(T a, T b) { return a < b ? b : a; }
__device__ inline float expf(float x) { return __builtin_elementwise_exp(x); }
__device__ inline float rsqrtf(float x) { return 1 / __builtin_elementwise_sqrt(x); }
__device__ inline float sqrtf(float x) { return __builtin_elementwise_sqrt(x); }
__device__ inline float fabsf(float x) { return __builtin_fabsf(x); }
__device__ inline float fminf(float a, float b) { return __builtin_fminf(a, b); }
__device__ inline float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__device__ inline float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
