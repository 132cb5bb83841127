// Elements that are no scalars, and grids whose third dimension has blocks but no threads.
struct Mixed {
  float x;
  int k;
  double w;
};

#pragma gpuopt domain(n, n) array(a: n, n) array(c: n, n) output(c)
__global__ void mixed(const Mixed *__restrict__ a, double *__restrict__ c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    c[y * n + x] = a[x * n + y].x + a[x * n + y].k * a[x * n + y].w;
}

#pragma gpuopt domain(n, n, batch) array(a: batch, n, n) array(c: batch, n, n) output(c)
__global__ void batch_of_blocks(const float *__restrict__ a, float *__restrict__ c, int n, int batch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *m = a + blockIdx.z * n * n;
  if (x < n && y < n)
    c[(blockIdx.z * n + y) * n + x] = 2 * m[y * n + x];
}
