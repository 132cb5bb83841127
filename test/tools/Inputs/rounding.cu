// Square roots that are rounded correctly unless they are asked not to be.
__global__ void roots(const float *a, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = sqrtf(a[i]) + __fsqrt_rn(a[n + i]) + hypotf(a[i], a[n + i]);
}

__global__ void reciprocal(const float *a, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = __frsqrt_rn(a[i]);
}
