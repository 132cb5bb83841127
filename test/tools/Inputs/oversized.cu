// One kernel of a file needs more workgroup memory than a block can have.

__global__ void large(float *b, const float *a) {
  __shared__ float tile[1 << 16];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void twice(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}
