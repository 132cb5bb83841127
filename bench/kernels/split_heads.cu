// Heads of attention to the front, by a flat id of four parts.

#include <cuda_runtime.h>

#pragma gpuopt domain(B *T *H *D) array(in : B, T, H, D) array(out : B, H, T, D) output(out)
__global__ void split_heads(float *out, const float *in, int B, int T, int H, int D) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < B * H * T * D) {
    int b = t / (H * T * D), rest = t % (H * T * D);
    int h = rest / (T * D);
    rest = rest % (T * D);
    out[t] = in[((b * T + rest / D) * H + h) * D + rest % D];
  }
}
