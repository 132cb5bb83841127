// Divisions stay under what keeps their divisors from being zero: a loop that
// does not run, a condition, or the launch that has no further work items.
//
// RUN: gpuopt check %s --kernel notRun --target sm_90 --grid 1 --block 128 --size n=100,m=0,a=200,c=200 --allow-fallback
// RUN: gpuopt check %s --kernel notRun --target sm_90 --grid 1 --block 128 --size n=100,m=3,a=200,c=200
// RUN: gpuopt check %s --kernel ofIds --target sm_90 --grid 1 --block 100 --size n=100,a=200,c=200
// RUN: gpuopt check %s --kernel product --target sm_90 --grid 2,2 --block 16,16 --size n=32,w=0,a=1024,b=1024,c=1024 --allow-fallback
// RUN: gpuopt check %s --kernel product --target sm_90 --grid 2,2 --block 16,16 --size n=32,w=5,a=1024,b=1024,c=1024
// RUN: gpuopt check %s --kernel inLoop --target sm_90 --grid 3,3 --block 16,16 --size n=33,w=33,a=1089,b=1089,c=1089

__global__ void notRun(const int *__restrict__ a, int *__restrict__ c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int j = 0; j < m; ++j) sum += a[i] + n % m + j;
  c[i] = sum;
}

// Work items that a rounded launch has in addition would divide by zero.
__global__ void ofIds(const int *__restrict__ a, int *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int rest = 1000 % (100 - i);
  if (i < n) c[i] = a[i] + rest;
}

// The remainder stands in front of the loop whose tiles all threads fill.
__global__ void product(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n && w + x > x) {
    int sum = (x + y) % w;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
  }
}

// The divisor is positive for the work items inside only.
__global__ void inLoop(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x] + k % (n - x);
    c[y * n + x] = sum;
  }
}
