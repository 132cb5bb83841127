// The number in a batch by the block's id alone, in several spellings.

#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)

#pragma gpuopt domain(n, m, batch) array(a: batch, m, k) array(b: batch, k, n) array(c: batch, m, n) output(c)
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                        int k, int batch) {
  int x = GX, y = GY, z = blockIdx.z;
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (int i = 0; i < k; i++)
    sum += a[z * m * k + y * k + i] * b[z * k * n + i * n + x];
  c[z * m * n + y * n + x] = sum;
}

// The same with the work item's id, for comparison.
#pragma gpuopt domain(n, m, batch) array(a: batch, m, k) array(b: batch, k, n) array(c: batch, m, n) output(c)
__global__ void product_of_items(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m,
                                 int n, int k, int batch) {
  int x = GX, y = GY, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= m || z >= batch)
    return;
  float sum = 0;
  for (int i = 0; i < k; i++)
    sum += a[z * m * k + y * k + i] * b[z * k * n + i * n + x];
  c[z * m * n + y * n + x] = sum;
}

// Distances between matrices as parameters.
#pragma gpuopt domain(n, m, batch) array(a: batch, sa) array(b: batch, sb) array(c: batch, sc) output(c)
__global__ void strided(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                        int k, int batch, long sa, long sb, long sc) {
  int x = GX, y = GY;
  a += blockIdx.z * sa;
  b += blockIdx.z * sb;
  c += blockIdx.z * sc;
  if (x >= n || y >= m)
    return;
  float sum = 0;
  for (int i = 0; i < k; i++)
    sum += a[y * k + i] * b[i * n + x];
  c[y * n + x] = sum;
}

// Unsigned products, which may wrap.
#pragma gpuopt domain(n, m, batch) array(a: batch, m, k) array(b: batch, k, n) array(c: batch, m, n) output(c)
__global__ void unsigned_product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m,
                                 int n, int k, int batch) {
  int x = GX, y = GY;
  a += blockIdx.z * m * k;
  b += blockIdx.z * k * n;
  c += blockIdx.z * m * n;
  if (x < n && y < m) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
  }
}

// A guard tells how many there are.
#pragma gpuopt domain(w, h, channels) array(in: channels, h + 2, w + 2) array(f: channels, 3, 3) array(out: channels, h, w) output(out)
__global__ void depthwise(const float *__restrict__ in, const float *__restrict__ f, float *__restrict__ out,
                          int channels, int h, int w) {
  int x = GX, y = GY, c = blockIdx.z;
  if (x >= w || y >= h || c >= channels)
    return;
  float sum = 0;
  for (int r = 0; r < 3; r++)
    for (int q = 0; q < 3; q++)
      sum += in[(c * (h + 2) + y + r) * (w + 2) + x + q] * f[(c * 3 + r) * 3 + q];
  out[(c * h + y) * w + x] = sum;
}

#pragma gpuopt domain(n, m, batch) array(a: batch, m, n) array(b: batch, n, m) output(b)
__global__ void transposed(const float *__restrict__ a, float *__restrict__ b, int m, int n, int batch) {
  int x = GX, y = GY, z = blockIdx.z;
  if (x < n && y < m)
    b[(z * n + x) * m + y] = a[(z * m + y) * n + x];
}

// Along y, and with nothing else along x than a vector.
#pragma gpuopt domain(m, batch) array(a: batch, m, n) array(x: batch, n) array(y: batch, m) output(y)
__global__ void vector_products(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m,
                                int n, int batch) {
  int row = GX, which = blockIdx.y;
  if (row >= m)
    return;
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[(which * m + row) * n + i] * x[which * n + i];
  y[which * m + row] = sum;
}

// One work item for each block.
#pragma gpuopt domain(n) array(a: n) array(b: n) output(b)
__global__ void single(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

// The number of blocks, too.
#pragma gpuopt domain(n, rows) array(a: rows, n) output(a)
__global__ void number_of_blocks(float *a, int n, int rows) {
  int x = GX;
  if (x < n && blockIdx.y < rows)
    a[blockIdx.y * n + x] *= gridDim.y;
}

// Not alone: the thread's id along z as well.
#pragma gpuopt domain(n, m, 2 * batch) array(a: batch, m, n) array(b: 2 * batch, m, n) output(b)
__global__ void with_threads(const float *__restrict__ a, float *__restrict__ b, int m, int n, int batch) {
  int x = GX, y = GY, z = blockIdx.z;
  if (x < n && y < m && z < batch)
    b[((2 * z + threadIdx.z % 2) * m + y) * n + x] = a[(z * m + y) * n + x] + threadIdx.z;
}
