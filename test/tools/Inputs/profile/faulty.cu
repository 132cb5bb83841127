// One planted fault each; see ../../sanitize.test.

__global__ void clean(const float *a, float *b) {
  __shared__ float tile[64];
  int i = threadIdx.x;
  tile[i] = a[blockIdx.x * 64 + i];
  __syncthreads();
  b[blockIdx.x * 64 + i] = tile[63 - i];
}

__global__ void no_barrier(const float *a, float *b) {
  __shared__ float tile[64];
  int i = threadIdx.x;
  tile[i] = a[i];
  b[i] = tile[63 - i];
}

__global__ void between_blocks(float *b) { b[threadIdx.x] = blockIdx.x; }

__global__ void wrong_guard(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    b[i] = a[i];
}

__global__ void short_tile(const float *a, float *b) {
  __shared__ float tile[63];
  int i = threadIdx.x;
  tile[i] = a[i];
  __syncthreads();
  b[i] = tile[i];
}

__global__ void diverging(float *b) {
  if (threadIdx.x < 32)
    __syncthreads();
  b[threadIdx.x] = 1;
}

__global__ void unwritten(const float *a, float *b) {
  __shared__ float tile[65];
  int i = threadIdx.x;
  tile[i] = a[i];
  __syncthreads();
  b[i] = tile[i + 1];
}
