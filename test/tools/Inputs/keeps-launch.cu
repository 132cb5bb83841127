// Which thread of its block a work item is matters to the result.
__global__ void ids(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = threadIdx.x;
}
