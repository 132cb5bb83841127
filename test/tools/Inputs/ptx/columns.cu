// Neighbouring threads are in rows of their own.
__global__ void columns(const float *a, float *c, const int *by, int m, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < m && y < n)
    c[x * n + y] = a[x * n + y] * by[y];
}
