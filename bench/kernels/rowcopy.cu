// A copy, row by row.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(a : n, m) array(b : n, m) output(b)
__global__ void rowcopy(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int j = 0; j < m; j++)
    b[i * m + j] = a[i * m + j] * 2;
}
