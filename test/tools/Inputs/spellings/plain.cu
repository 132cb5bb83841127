// Kernels as a first course writes them: no __restrict__, unsigned ids and
// sizes, the store at the end.

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

#pragma gpuopt domain(n, m) array(a : m, k) array(b : k, n) array(c : m, n) output(c)
__global__ void unsigned_product(float *a, float *b, float *c, unsigned m, unsigned n, unsigned k) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (unsigned i = 0; i < k; i++)
    sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n, m, batch) array(a : batch, m, k) array(b : batch, k, n)                 \
    array(c : batch, m, n) output(c)
__global__ void batched(const float *a, const float *b, float *c, int batch, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < n && y < m && z < batch) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[(z * m + y) * k + i] * b[(z * k + i) * n + x];
    c[(z * m + y) * n + x] = sum;
  }
}

#pragma gpuopt domain(w, h) array(a : h, w) array(c : w, h) output(c)
__global__ void transposed(const float *a, float *c, unsigned h, unsigned w) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    c[x * h + y] = a[y * w + x];
}

#pragma gpuopt domain(n) array(a : n) array(b : n) array(c : n) output(c)
__global__ void sum(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
