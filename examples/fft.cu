// Fourier transform of n complex numbers in place, n a power of two: the naive
// radix-2 algorithm (decimation in frequency; the result is in bit-reversed
// order). One work item computes one 2-point butterfly of each step, and a
// grid-wide synchronisation separates the steps.

#include <cuda_runtime.h>

#pragma gpuopt domain(n / 2) array(re: n) array(im: n) output(re, im)
__global__ void fft(float *__restrict__ re, float *__restrict__ im, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int h = n / 2; h > 0; h >>= 1) {
    int i = idx / h * (2 * h) + idx % h;
    if (i + h < n) {
      float angle = -3.14159265358979f * (idx % h) / h;
      float c = cosf(angle), s = sinf(angle);
      float x = re[i] - re[i + h], y = im[i] - im[i + h];
      re[i] += re[i + h];
      im[i] += im[i + h];
      re[i + h] = x * c - y * s;
      im[i + h] = x * s + y * c;
    }
    gpuopt_global_sync();
  }
}
