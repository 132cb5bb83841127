// hipCUB is CUB on HIP's platform for NVIDIA's GPUs: that of an installed SDK or
// of the include path, with functions of its own for what CUB has no more.

#pragma once

#include "hip/hip_runtime.h"
#include <cub/cub.cuh>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace hipcub {
using namespace ::cub;

#define __GPUOPT_FUNCTION_OBJECT__(NAME, RESULT)                               \
  struct NAME {                                                                \
    template <class T>                                                         \
    __GPUOPT_BOTH_SIDES__ constexpr auto operator()(const T &a, const T &b) const { \
      return RESULT;                                                           \
    }                                                                          \
  };
#define __GPUOPT_BOTH_SIDES__ __host__ __device__ __forceinline__
__GPUOPT_FUNCTION_OBJECT__(Sum, a + b)
__GPUOPT_FUNCTION_OBJECT__(Max, a < b ? b : a)
__GPUOPT_FUNCTION_OBJECT__(Min, b < a ? b : a)
__GPUOPT_FUNCTION_OBJECT__(Equality, a == b)
__GPUOPT_FUNCTION_OBJECT__(Inequality, a != b)
#undef __GPUOPT_FUNCTION_OBJECT__
#undef __GPUOPT_BOTH_SIDES__

template <class T, class Difference = long> using ConstantInputIterator = ::thrust::constant_iterator<T, Difference>;
template <class T, class Difference = long> using CountingInputIterator = ::thrust::counting_iterator<T, ::thrust::use_default, ::thrust::use_default, Difference>;
template <class T, class Function, class Iterator> using TransformInputIterator = ::thrust::transform_iterator<Function, Iterator, T>;
} // namespace hipcub
