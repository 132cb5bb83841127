// One id for a matrix: row and column by dividing.

__global__ void product(const float *__restrict__ a,
                        const float *__restrict__ b, float *__restrict__ c,
                        int m, int n, int k) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int row = t / n, col = t % n;
  if (row < m) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[t] = sum;
  }
}

__global__ void transposed(const float *__restrict__ a, float *__restrict__ c,
                           int h, int w) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= h * w)
    return;
  int row = t / w, col = t - row * w;
  c[col * h + row] = a[t];
}

__global__ void unsigned_product(const float *a, const float *b, float *c,
                                 unsigned m, unsigned n, unsigned k) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < m * n) {
    unsigned row = t / n, col = t % n;
    float sum = 0;
    for (unsigned i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

// For m < 5 the unsigned bound wraps: all rows are copied.
__global__ void transposed_rows(const float *__restrict__ a, float *__restrict__ c, unsigned m, unsigned n) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t / n < m - 5u)
    c[(t % n) * 64 + t / n] = a[t];
}

// The same, of rows that are set.
__global__ void set_rows(float *c, unsigned m, unsigned n, float v) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t / n < m - 5u)
    c[t] = v;
}
