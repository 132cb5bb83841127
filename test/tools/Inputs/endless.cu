// Kernels that do not end.

// The stride steps over the end unless it is a multiple of it.
__global__ void strides(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i != n; i += blockDim.x * gridDim.x)
    a[i & 1023] += 1;
}

// Nobody sets the flag, and how often it was looked at counts.
__global__ void spins(volatile int *flag, int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (flag[0] != 77)
    ++n;
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

// An unsigned number is never less than zero.
__global__ void countsDown(float *a, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = n - 1; i >= 0; i--)
    a[i] = t;
}

// Steps over its end.
__global__ void stepsOver(float *a, int n) {
  int i = 0;
  do {
    a[threadIdx.x] += 1;
    i += 2;
  } while (i != n);
}

// A stride of zero, in the second block only.
__global__ void strideOfZero(float *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockIdx.x == 1 ? 0 : blockDim.x)
    a[i + blockIdx.x * n] += 1;
}

__global__ void sums(float *a, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; i++)
    a[t] += i;
}

__global__ void ends(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 1;
}
