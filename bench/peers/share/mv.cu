// A thread per row, of which a block loads 32 columns at a time.
__global__ void mv(int n, int m, const float *__restrict__ A,
                   const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float a[64][33], v[32];
  int first = blockIdx.x * 64, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = 0;
  for (int k = 0; k < m; k += 32) {
    for (int r = warp; r < 64; r += 2)
      a[r][lane] =
          first + r < n && k + lane < m ? A[(first + r) * m + k + lane] : 0;
    if (warp == 0)
      v[lane] = k + lane < m ? x[k + lane] : 0;
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum += a[threadIdx.x][i] * v[i];
    __syncthreads();
  }
  if (first + threadIdx.x < n)
    y[first + threadIdx.x] = sum;
}

void launch(int n, int m, const float *A, const float *x, float *y) {
  mv<<<(n + 63) / 64, 64>>>(n, m, A, x, y);
}
