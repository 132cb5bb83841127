// Indices that wrap for some arguments: sums with an offset, unsigned products.

__global__ void rows(const float *a, const float *b, float *c, int m, int n,
                     int k, int first) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y + first;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

__global__ void mm_unsigned(const float *a, const float *b, float *c,
                            unsigned m, unsigned n, unsigned k) {
  unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 0;
    for (unsigned i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

// Writes to i + shift, which for a negative shift lies before what i is.
__global__ void move(const float *__restrict__ x, float *__restrict__ y, int n,
                     int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + shift;
  if (i >= 0 && i < n)
    y[i] = 2 * x[i];
}

// The loop may end just below 2^63, so that a step of a whole tile would wrap.
__global__ void far_rows(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                         int k, long long lo) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (long long i = lo; i < lo + k; i++)
    sum += a[row * k + (i - lo)] * b[(i - lo) * n + col];
  c[row * n + col] = sum;
}

// How many work items the guard lets through, n - offset, may exceed 64 bits.
__global__ void shifted(const float *__restrict__ x, float *__restrict__ y, long long n, long long offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + offset < n)
    y[i] = x[i] + 1;
}
