// Kernels that are written for the block that their host code launches.
#define TILE 16

__global__ void tiled_product(const float *a, const float *b, float *c, int n) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * blockDim.y + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int k = 0; k < n / TILE; ++k) {
    as[ty][tx] = a[row * n + k * TILE + tx];
    bs[ty][tx] = b[(k * TILE + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// The column of a tile.
__global__ void transpose(const float *__restrict__ a, float *__restrict__ b, int n) {
  __shared__ float tile[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = a[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];
  __syncthreads();
  b[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = tile[tx][ty];
}

__global__ void sums_of_blocks(const float *a, float *sums, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? a[i] : 0.f;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = s[0];
}

template <int threads>
__global__ void reversed(int *a) {
  __shared__ int s[threads];
  s[threadIdx.x] = a[blockIdx.x * threads + threadIdx.x];
  __syncthreads();
  a[blockIdx.x * blockDim.x + threadIdx.x] = s[threads - 1 - threadIdx.x];
}

__global__ void size_in_code(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

static void run(float *a, float *b, float *c, int *d, int n, int threads) {
  dim3 block(TILE, TILE), grid(n / TILE, n / TILE);
  tiled_product<<<grid, block>>>(a, b, c, n);
  transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, n);
  sums_of_blocks<<<(n + threads - 1) / threads, threads>>>(a, b, n);
  reversed<64><<<n / 64, 64>>>(d);
  size_in_code<<<(n + 127) / 128, 128>>>(a, b, n);
}

void host(float *a, float *b, float *c, int *d) {
  int threads = 256;
  run(a, b, c, d, 1024, threads);
}
