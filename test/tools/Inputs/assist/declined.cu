// Kernels whose accesses depend on what they do.
__global__ void by_flag(int *flags, float *__restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flags[i]) {
    a[i] = 0;
    flags[i] = 0;
  }
}

__global__ void no_arrays(int n) {
  __shared__ int sums[32];
  sums[threadIdx.x % 32] = n;
}
