// CUB's reductions as plain functions, for the runner to open at run time. The
// bundle holds it compiled, with CUDA's runtime inside: it needs the driver
// only. `memory` null asks for the number of bytes that are needed.

#include <cub/device/device_reduce.cuh>
#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstdint>

namespace {

struct Plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Magnitude {
  __device__ float operator()(float2 z) const { return fabsf(z.x) + fabsf(z.y); }
};
struct ProductAt {
  const float *a, *b;
  __device__ float operator()(int64_t i) const { return a[i] * b[i]; }
};

} // namespace

extern "C" {

/// Why it cannot be used on this machine; null where it can.
const char *gpuopt_cub_absence() {
  int devices = 0;
  cudaError_t error = cudaGetDeviceCount(&devices);
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

int gpuopt_cub_sum(const float *a, const float *, float *result, uint64_t n, void *memory,
                   size_t *bytes) {
  return cub::DeviceReduce::Sum(memory, *bytes, a, result, int64_t(n));
}

int gpuopt_cub_abs_sum(const float *a, const float *, float *result, uint64_t n, void *memory,
                       size_t *bytes) {
  return cub::DeviceReduce::TransformReduce(memory, *bytes, reinterpret_cast<const float2 *>(a),
                                            result, int64_t(n), Plus{}, Magnitude{}, 0.0f);
}

int gpuopt_cub_dot(const float *a, const float *b, float *result, uint64_t n, void *memory,
                   size_t *bytes) {
  return cub::DeviceReduce::TransformReduce(memory, *bytes, thrust::counting_iterator<int64_t>(0),
                                            result, int64_t(n), Plus{}, ProductAt{a, b}, 0.0f);
}

} // extern "C"
