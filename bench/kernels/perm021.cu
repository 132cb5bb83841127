// Permutation of the last two dimensions of a tensor.

#include <cuda_runtime.h>

#pragma gpuopt domain(a2, a1, a0) array(in : a0, a1, a2) array(out : a0, a2, a1) output(out)
__global__ void perm021(const float *__restrict__ in, float *__restrict__ out, int a0, int a1,
                        int a2) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      i = blockIdx.z * blockDim.z + threadIdx.z;
  if (k < a2 && j < a1 && i < a0)
    out[(i * a2 + k) * a1 + j] = in[(i * a1 + j) * a2 + k];
}
