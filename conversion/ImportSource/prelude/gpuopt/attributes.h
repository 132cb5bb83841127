// Function and variable attributes, basic types, and the macros that say which
// compiler and which target this is.

#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#if __HIP__
#define __managed__ __attribute__((managed))
#else
#define __managed__ __attribute__((device, section("gpuopt-managed")))
#endif
#define __grid_constant__ __attribute__((grid_constant))
#if __HIP__
#define __GPUOPT_BOUNDS__(THREADS, ...) __attribute__((amdgpu_flat_work_group_size(1, THREADS)))
#define __launch_bounds__(...) __GPUOPT_BOUNDS__(__VA_ARGS__, 0)
#else
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)

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

// What the SDK's own header leaves behind: the limits of the integer types.
#define CHAR_BIT 8
#define SCHAR_MIN (-__SCHAR_MAX__ - 1)
#define SCHAR_MAX __SCHAR_MAX__
#define UCHAR_MAX (__SCHAR_MAX__ * 2 + 1)
#define SHRT_MIN (-__SHRT_MAX__ - 1)
#define SHRT_MAX __SHRT_MAX__
#define USHRT_MAX (__SHRT_MAX__ * 2 + 1)
#define INT_MIN (-__INT_MAX__ - 1)
#define INT_MAX __INT_MAX__
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MIN (-__LONG_MAX__ - 1L)
#define LONG_MAX __LONG_MAX__
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#define LLONG_MAX __LONG_LONG_MAX__
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)

// Headers of a real SDK that the prelude stands for, should one come in through
// another of its headers.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDACC_RTC_BUILTINS__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __CRT_HOST_DEFINES_H__
#define __BUILTIN_TYPES_H__
#define __DEVICE_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_TYPES_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__

// How the prelude itself spells its functions.
#define __GPUOPT_DEVICE__ static __inline__ __attribute__((device, always_inline, unused))
// A function that only an installed SDK has a body for. Clang marks what it
// generates for it with the text, by which the front end knows.
#define __GPUOPT_OF_SDK__ __attribute__((device, error("needs CUDA's SDK")))
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

// CUB, Thrust and libcu++ take these types for classes, as they are in an SDK's
// headers; the prelude's are the compiler's own.
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
// Annotations for a profiler of NVIDIA's.
#define CCCL_DISABLE_NVTX

typedef __SIZE_TYPE__ size_t;

// An unattributed function of the prelude: its body is elsewhere.
#define PURE __attribute__((const, nothrow))
#define CONVERGENT __attribute__((convergent, nothrow))
#define GPUOPT_DEVICE_FUNCTION(NAME, RESULT, PARAMETERS, ATTRIBUTES, MEANING)  \
  extern "C" __device__ ATTRIBUTES RESULT __gpuopt_##NAME PARAMETERS;
#include "gpuopt/DeviceFunctions.def"
#undef PURE
#undef CONVERGENT
