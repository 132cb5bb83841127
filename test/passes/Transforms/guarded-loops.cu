// A loop whose tiles all threads of a block fill runs for threads that its guard
// keeps out, too, for as long as its bounds say there: for w = 200000000 the
// source does nothing. Where the guard may keep the loop short, it stays there.
//
// RUN: gpuopt check %s --kernel few --target sm_90 --grid 2,2 --block 16,16 --size n=32,w=200000000,a=3200,b=3200,c=1024 --allow-fallback
// RUN: gpuopt check %s --kernel few --target sm_90 --grid 2,2 --block 16,16 --size n=32,w=30,a=3200,b=3200,c=1024
// RUN: gpuopt compile %s --kernel few --target sm_90 --explain -o %t.few.ptx 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: gpuopt compile %s --kernel square --target sm_90 --explain -o %t.square.ptx 2>&1 | FileCheck %s --check-prefix=SQUARE

// FEW: a condition around it may be what keeps a loop short
__global__ void few(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n && w < 100) {
    int sum = 0;
    for (int k = 0; k < w; ++k) sum += a[y * w + k] * b[k * n + x];
    c[y * n + x] = sum;
  }
}

// The guard says that n is large.
// SQUARE-NOT: may be what keeps
__global__ void square(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
  }
}
