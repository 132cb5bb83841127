// Kernels without __restrict__ that accumulate in memory.

__global__ void gemm(float *a, float *b, float *c, int ni, int nj, int nk,
                     float alpha, float beta) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    c[i * nj + j] *= beta;
    for (int k = 0; k < nk; k++)
      c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}

// With y and x one array, each iteration doubles an element.
__global__ void grow(const float *x, float *y, int n, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < times; k++)
    y[i] += x[i];
}
