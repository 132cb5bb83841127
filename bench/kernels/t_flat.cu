// Transpose by a flat index.

#include <cuda_runtime.h>

#pragma gpuopt domain(h *w) array(in : h, w) array(out : w, h) output(out)
__global__ void t_flat(const float *__restrict__ in, float *__restrict__ out, int h, int w) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < h * w)
    out[(t % w) * h + t / w] = in[t];
}
