// A product that is tiled by hand, in blocks that nothing names.
#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void own_tiles(const float *__restrict__ a, const float *__restrict__ b,
                          float *__restrict__ c, int m, int n, int k) {
  __shared__ float s[32][32], t[32][32];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = 0;
  for (int p = 0; p < k; p += 32) {
    s[threadIdx.y][threadIdx.x] = (y < m && p + threadIdx.x < k) ? a[y * k + p + threadIdx.x] : 0.f;
    t[threadIdx.y][threadIdx.x] = (x < n && p + threadIdx.y < k) ? b[(p + threadIdx.y) * n + x] : 0.f;
    __syncthreads();
    int e = min(32, k - p);
    for (int i = 0; i < e; i++)
      v += s[threadIdx.y][i] * t[i][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < m)
    c[y * n + x] = v;
}
