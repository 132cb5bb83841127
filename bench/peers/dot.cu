// r[0] = sum of a[i] b[i], written as the sums of examples/unified.cu are: the
// peer of cuBLAS's and CUB's dot products.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(a : n) array(b : n) array(r : n) output(r : 1)
__global__ void dot(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ r, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n)
    r[idx] = a[idx] * b[idx];
  gpuopt_global_sync();
  for (int s = n / 2; s > 0; s >>= 1) {
    if (idx < s)
      r[idx] += r[idx + s];
    gpuopt_global_sync();
  }
}
