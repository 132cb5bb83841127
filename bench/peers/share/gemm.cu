// Tiles of 32 x 32, eight rows of threads, four sums a thread.
__global__ void gemm(int n, const float *__restrict__ A,
                     const float *__restrict__ B, float *__restrict__ C) {
  __shared__ float a[32][32], b[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  float sum[4] = {0, 0, 0, 0};
  for (int k = 0; k < n; k += 32) {
    for (int r = 0; r < 32; r += 8) {
      int row = threadIdx.y + r;
      a[row][threadIdx.x] = y + r < n && k + threadIdx.x < n
                                ? A[(y + r) * n + k + threadIdx.x]
                                : 0;
      b[row][threadIdx.x] = k + row < n && x < n ? B[(k + row) * n + x] : 0;
    }
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      for (int r = 0; r < 4; ++r)
        sum[r] += a[threadIdx.y + 8 * r][i] * b[i][threadIdx.x];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    if (y + 8 * r < n && x < n)
      C[(y + 8 * r) * n + x] = sum[r];
}

void launch(int n, const float *A, const float *B, float *C) {
  gemm<<<dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)>>>(n, A, B, C);
}
