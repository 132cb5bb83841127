#define PRODUCT(NAME)                                                          \
  __global__ void NAME(const float *a, const float *b, float *c, int n) {     \
    int x = blockIdx.x * blockDim.x + threadIdx.x;                             \
    int y = blockIdx.y * blockDim.y + threadIdx.y;                             \
    float s = 0;                                                               \
    for (int k = 0; k < n; ++k)                                                \
      s += a[y * n + k] * b[k * n + x];                                        \
    if (x < n && y < n)                                                        \
      c[y * n + x] = s;                                                        \
  }

__device__ float scaled(float x) { return x * 0.5f; }
__constant__ float weights[64];

// Alike, but for names and lines.
__global__ void first(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
  }
}

__global__ void second(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
  }
}

// Another number.
__global__ void tripled(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += 3 * a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
  }
}

// The same on other lines.
__global__ void spread(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;

  if (x < n && y < n) {

    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
  }
}

// All of each stands on one line.
PRODUCT(third)
PRODUCT(fourth)

// What the library brings along, a variable of the module, an inlined function.
__global__ void sines(const float *a, float *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += sinf(a[i * m + k]) * scaled(weights[k % 64]);
  b[i] = s;
}

__global__ void again(const float *a, float *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += sinf(a[i * m + k]) * scaled(weights[k % 64]);
  b[i] = s;
}

// Instances of a template that come out alike, and with extern "C".
template <typename T>
__global__ void rows(const float *a, T *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T s = 0;
  for (int k = 0; k < m; ++k)
    s += a[i * m + k] > 0;
  b[i] = s;
}
template __global__ void rows<long>(const float *, long *, int, int);
template __global__ void rows<long long>(const float *, long long *, int, int);

extern "C" __global__ void plain(const float *a, float *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; ++k)
      b[i * m + k] = a[k * n + i];
}

extern "C" __global__ void plain_b(const float *a, float *b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; ++k)
      b[i * m + k] = a[k * n + i];
}
