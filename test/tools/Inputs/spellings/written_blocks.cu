// Kernels that have their block as constants, without host code that launches them.
constexpr int kTile = 16;

__global__ void product(const float *a, const float *b, float *c, int n) {
  int col = (blockIdx.x << 5) + threadIdx.x, row = (blockIdx.y << 5) + threadIdx.y;
  if (row >= n || col >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__global__ void tiled_product(const float *a, const float *b, float *c, int n) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int m = 0; m < n / kTile; ++m) {
    as[ty][tx] = a[row * n + m * kTile + tx];
    bs[ty][tx] = b[(m * kTile + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

template <int Size> __global__ void scaled(const float *a, float *b, float by, unsigned n) {
  unsigned i = blockIdx.x * Size + threadIdx.x;
  if (i < n)
    b[i] = a[i] * by;
}
template __global__ void scaled<192>(const float *, float *, float, unsigned);

// 256 threads, not 512.
__global__ void sums(const float *a, float *out, int n) {
  __shared__ float part[256];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  part[t] = (i < n ? a[i] : 0) + (i + 256 < n ? a[i + 256] : 0);
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}
