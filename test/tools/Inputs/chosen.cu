// Kernels as people write them, without a pragma.

__global__ void product(const float *a, const float *b, float *c, int m, int n,
                        int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

// Only square blocks of 16x16, which divide n, are right.
#define TILE 16
__global__ void tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n / TILE; ++tile) {
    left[threadIdx.y][threadIdx.x] = a[row * n + tile * TILE + threadIdx.x];
    right[threadIdx.y][threadIdx.x] =
        b[(tile * TILE + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Row pointers rise, and columns are those of x.
__global__ void sparse(int rows, const int *start, const int *column,
                       const float *value, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = start[row]; i < start[row + 1]; ++i)
    sum += value[i] * x[column[i]];
  y[row] = sum;
}

// Nothing says how many blocks there are.
__global__ void copy(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

// Does nothing where k is not less than n.
__global__ void eliminate(float *a, int k, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < n)
    a[k * n + j] /= a[k * n + k];
}

__global__ void block_sums(float *sums, const float *a, int n) {
  extern __shared__ float values[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      values[threadIdx.x] += values[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = values[0];
}

struct View {
  int rows, columns;
};

__global__ void negate(View view, float *a) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < view.rows && column < view.columns)
    a[row * view.columns + column] = -a[row * view.columns + column];
}

// Reads what lies before the array, whatever the sizes are.
__global__ void shifted(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i - 1];
}

// Which thread is last?
__global__ void last(float *b, const float *a, int m, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && column < n)
    b[column] = a[column * m + row];
}

// A flag is 0 or 1, whatever else is tried for what is no size.
__global__ void select(float *b, const float *a, const bool *chosen, bool flag,
                       int way, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && way == 3)
    b[i] = flag && chosen[i] ? a[i] : 0;
}

// Made up, some numbers of `b` are 0.
__global__ void quotients(int *a, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = n / b[i];
}
