// Kernels that say by their guards how much work they have, and some that do
// not.
__global__ void differences(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    y[i] = x[i + 1] - x[i];
}

__global__ void pairs(const float *__restrict__ x, float *__restrict__ y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < n)
    y[i] = x[2 * i];
}

__global__ void odd(const float *__restrict__ x, float *__restrict__ y, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (2 * i <= n - 3 && j < m - 1)
    y[j * n + i] = x[j * n + 2 * i + 1];
}

__global__ void volume(const float *__restrict__ x, float *__restrict__ y, int w, int h, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < w && j < h && k < d)
    y[(k * h + j) * w + i] = 2 * x[(k * h + j) * w + i];
}

// A row for each block.
__global__ void rows(float *__restrict__ y, long long m) {
  if (blockIdx.x < m)
    y[blockIdx.x] = blockIdx.x;
}

__global__ void columns(float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 64)
    y[i] = n;
}

// Every work item that there is has something to do.
__global__ void unguarded(float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = i;
}

// What is stored depends on the launch.
__global__ void counts(int *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = gridDim.x;
}

__global__ void half(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) y[i] = 1;
}

__global__ void few(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 20 - (n >> 2)) y[i] = 1;
}

__global__ void sum(float *y, unsigned char n, unsigned short u) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + u) y[i] = 1;
}

__global__ void whole_plane(const float *x, float *y, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  y[j * w + i] = x[j * w + i] * 2;
}

// Integers whose types differ in their sign only.
__global__ void unsigned_rows(const unsigned *a, const int *b, int *c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    int s = 0;
    for (int i = 0; i < k; i++) s += (int)(a[y * k + i] & 15) * b[i * n + x];
    c[y * n + x] = s;
  }
}

// A pointer without use may be one to anything; of the elements of `at` the
// last one is 99 or n - 1.
__global__ void ranged(float *c, const short *at, const double *unused, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    c[x] = at[min(max((int)at[x], 0), 99)];
}
