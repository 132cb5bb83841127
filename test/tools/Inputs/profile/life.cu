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
