// The runtime's types and functions for a file of the host's alone, which no
// compiler for CUDA sees: a .cpp file that includes <cuda_runtime.h>.

#pragma once

#include <stddef.h>

#define __host__
#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __GPUOPT_BOTH__ static inline __attribute__((unused))
#define CUDART_CB
// What asks whether an SDK's headers have been included knows these.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__
#define CUDART_VERSION 12040

#include "gpuopt/vector_types.h"
#include "gpuopt/runtime_types.h"
#include "gpuopt/runtime_api.h"
#include "gpuopt/channel_descriptor.h"
