// Parameters that have the names of what a launch is made of.
__global__ void blocks(const float *__restrict__ block, float *__restrict__ stream, int grid, int items_x) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= grid)
    return;
  float sum = 0;
  for (int i = 0; i < items_x; i++)
    sum += block[row * items_x + i];
  stream[row] = sum;
}

// Names of functions and types that the emitted source uses.
__global__ void hidden(const float *a, float *fmaf, int float4, int cudaSuccess) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < cudaSuccess)
    fmaf[x] = __fmaf_rn(a[x], 2.0f, 1.0f) + float4;
}
