// Function and variable attributes, basic types, and the macros that say which
// compiler and which target this is.

#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)

#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __location__(a) __annotate__(a)
#define __import__
#define __export__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB
#define CUDART_DEVICE __device__

// How the prelude itself spells its functions.
#define __GPUOPT_DEVICE__ static __inline__ __attribute__((device, always_inline, unused))
#define __GPUOPT_BOTH__ static __inline__ __attribute__((host, device, always_inline, unused))

#define __CUDACC__ 1
#define CUDART_VERSION 12040
#define __CUDART_API_VERSION 12040
#define CUDA_VERSION 12040
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#if __HIP__
#define __HIPCC__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#endif

typedef __SIZE_TYPE__ size_t;

// An unattributed function of the prelude: its body is elsewhere.
#define PURE __attribute__((const, nothrow))
#define CONVERGENT __attribute__((convergent, nothrow))
#define GPUOPT_DEVICE_FUNCTION(NAME, RESULT, PARAMETERS, ATTRIBUTES, MEANING)  \
  extern "C" __device__ ATTRIBUTES RESULT __gpuopt_##NAME PARAMETERS;
#include "gpuopt/DeviceFunctions.def"
#undef PURE
#undef CONVERGENT
