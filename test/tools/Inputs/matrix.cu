#pragma gpuopt domain(n, m) array(a: m, n) array(c: m, n) output(c)
__global__ void twice(const float *__restrict__ a, float *__restrict__ c, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m)
    c[y * n + x] = 2 * a[y * n + x];
}
