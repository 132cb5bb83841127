#include <cuda_fp16.h>

// Three offsets of one array, which are not known to be near each other.
__global__ void weighted(__half *a, const __half *b, int n, long long k) {
  size_t x = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
  if (x < n) {
    __half sum = (__half)0.0f;
    for (unsigned long long j = 0; j < min(n, 2u); ++j)
      sum -= b[j + 8 + max((signed char)k, -3)] + (__half)2.0f * b[j + (k < 10 ? 4 : 3)] + (__half)4.0f * b[j + k];
    a[x] = sum;
  }
}
