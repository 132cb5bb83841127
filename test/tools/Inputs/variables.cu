// Kernels that write variables of the module.
__device__ int total;
__device__ float mean[2];
__device__ int untouched = 7;

extern "C" __global__ void count(const int *__restrict__ a, int *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[i] = a[i] + untouched;
  atomicAdd(&total, a[i] & 255);
}

extern "C" __global__ void average(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[i] = 2 * a[i];
  atomicAdd(&mean[i & 1], a[i]);
}

extern "C" __global__ void exact(long long *__restrict__ b, unsigned long long *__restrict__ c, int n, long long v, unsigned long long u) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[i] = v;
  c[i] = u;
}
