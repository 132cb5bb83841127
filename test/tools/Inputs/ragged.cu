__global__ void copy(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}

__global__ void copy_thousand(const float *__restrict__ a, float *__restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1000)
    b[i] = a[i];
}
