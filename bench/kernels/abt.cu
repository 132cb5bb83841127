// Product with a transposed matrix, C = A B^T, with moving pointers.

#include <cuda_runtime.h>

#pragma gpuopt domain(n, m) array(A : m, k) array(B : n, k) array(C : m, n) output(C)
__global__ void abt(const float *A, const float *B, float *C, unsigned m, unsigned n, unsigned k) {
  unsigned j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n)
    return;
  const float *p = A + (size_t)i * k, *q = B + (size_t)j * k, *e = p + k;
  float s = 0;
  while (p != e)
    s += *p++ * *q++;
  C[(size_t)i * n + j] = s;
}
