// Workgroup memory that is in use for a part of a block's life.
__global__ void life(const float *a, float *b, float *c) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  b[i] = tile[63 - threadIdx.x];
  __syncthreads();
  c[i] = b[i];
}

// The stretch between two exchanges uses none.
__global__ void twice(const float *a, float *b, float *c, float *d) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  float x = tile[63 - threadIdx.x];
  b[i] = x;
  __syncthreads();
  float y = b[i] * x;
  c[i] = y;
  __syncthreads();
  tile[threadIdx.x] = y;
  __syncthreads();
  d[i] = tile[63 - threadIdx.x];
}

// Here it lies there for later.
__global__ void kept(const float *a, float *b, float *c) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float x = a[i];
  b[i] = x;
  __syncthreads();
  tile[threadIdx.x] = x;
  __syncthreads();
  b[i] = b[i] + x;
  __syncthreads();
  c[i] = tile[63 - threadIdx.x];
}
