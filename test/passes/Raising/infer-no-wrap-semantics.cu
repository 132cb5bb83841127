// Subscripts that only a guard keeps from wrapping: rotated and reversed arrays,
// and the rest of a row.
//
// RUN: gpuopt check %s --target sm_90 --kernel rotate --size h=37,w=70 --grid 70,37 | FileCheck %s
// RUN: gpuopt check %s --target sm_90 --kernel rotateUnsigned --size h=37,w=70 --grid 70,37 | FileCheck %s
// RUN: gpuopt check %s --target gfx942 --kernel reverse --size n=1001 --grid 1001 | FileCheck %s
// RUN: gpuopt check %s --target sm_90 --kernel rest --size n=67 --grid 67 | FileCheck %s
// RUN: gpuopt compile %s --target sm_90 --kernel rotateUnsigned --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=RAISED
// CHECK: equal

// RAISED: DelinearizeAccesses at [[#@LINE+7]]:{{.*}} raised to b[w - idx - 1][idy]
#pragma gpuopt domain(w, h) array(a : h, w) array(b : w, h) output(b)
__global__ void rotateUnsigned(const int *__restrict__ a, int *__restrict__ b, unsigned h,
                               unsigned w) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    b[(w - x - 1) * h + y] = a[y * w + x];
}

#pragma gpuopt domain(w, h) array(a : h, w) array(b : w, h) output(b)
__global__ void rotate(const int *__restrict__ a, int *__restrict__ b, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    b[(w - 1 - x) * h + y] = a[y * w + x];
}

#pragma gpuopt domain(n) array(a : n) array(b : n) output(b)
__global__ void reverse(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[n - 1 - i] = a[i];
}

#pragma gpuopt domain(n) array(a : n, n) array(x : n) array(y : n) output(y)
__global__ void rest(const float *__restrict__ a, const float *__restrict__ x,
                     float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = i + 1; j < n; j++)
    sum += a[i * n + j] * x[n - 1 - j];
  y[i] = sum;
}
