#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(a: n) array(b: n) array(c: n) output(c)
__global__ void vv(const float *__restrict__ a, const float *__restrict__ b,
                   float *__restrict__ c, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n)
    c[idx] = a[idx] * b[idx];
}
