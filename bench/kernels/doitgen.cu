// Multiresolution analysis kernel: a product for each plane.

#include <cuda_runtime.h>

#pragma gpuopt domain(np, nq, nr) array(A : nr, nq, np) array(C4 : np, np) array(sum : nr, nq, np) \
    output(sum)
__global__ void doitgen(const float *A, const float *C4, float *sum, int nr, int nq, int np) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y,
      r = blockIdx.z * blockDim.z + threadIdx.z;
  if (p < np && q < nq && r < nr) {
    sum[(r * nq + q) * np + p] = 0;
    for (int s = 0; s < np; s++)
      sum[(r * nq + q) * np + p] += A[(r * nq + q) * np + s] * C4[s * np + p];
  }
}
