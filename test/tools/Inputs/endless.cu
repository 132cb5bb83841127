// Kernels that do not end.

// The stride steps over the end unless it is a multiple of it.
__global__ void strides(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i != n; i += blockDim.x * gridDim.x)
    a[i & 1023] += 1;
}

// Nobody sets the flag.
__global__ void spins(volatile int *flag, int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (flag[0] != 77) {
  }
  if (i < n)
    a[i] = 1;
}

// Waits at barriers for ever.
__global__ void meets(int *flag, int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (a[0] != 77)
    __syncthreads();
  if (i < n)
    a[i] = 1;
}

__global__ void ends(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 1;
}
