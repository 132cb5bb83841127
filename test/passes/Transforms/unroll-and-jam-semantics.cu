// Kernels whose rows are taken together compute what their source does, bit by
// bit, with fewer rows than are taken together, as many, and one more.
//
// RUN: gpuopt-translate --cuda-to-mlir --target=sm_90 %s | gpuopt-opt --gpuopt-raise \
// RUN:   | gpuopt-opt --gpuopt-unroll-and-jam="target=sm_90" --mlir-disable-threading --remarks-filter=gpuopt \
// RUN:   --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-COUNT-4: iterations share 1 of the inner loop's loads
//
// RUN: gpuopt check %s --target sm_90 --size m=17,n=129
// RUN: gpuopt check %s --target sm_90 --size m=7,n=33
// RUN: gpuopt check %s --target sm_90 --kernel solve --size m=1,n=33
// RUN: gpuopt check %s --target sm_90 --kernel solve --size m=8,n=1
// RUN: gpuopt check %s --target gfx942 --kernel solveBackwards --size m=9,n=65
// RUN: gpuopt check %s --target nvidia-gtx285 --kernel solve --size m=23,n=17

#pragma gpuopt domain(n) array(l: m, m) array(b: m, n) output(b)
__global__ void solve(const float *__restrict__ l, float *__restrict__ b, int m, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  for (int i = 0; i < m; i++) {
    float x = b[i * n + idx];
    for (int j = 0; j < i; j++) x -= l[i * m + j] * b[j * n + idx];
    b[i * n + idx] = x / l[i * m + i];
  }
}

// From the last row up, sums from the last column on.
#pragma gpuopt domain(n) array(u: m, m) array(b: m, n) output(b)
__global__ void solveBackwards(const double *__restrict__ u, double *__restrict__ b, int m, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n)
    for (int i = m - 1; i >= 0; i--) {
      double x = b[i * n + idx];
      for (int j = m - 1; j > i; j--) x -= u[i * m + j] * b[j * n + idx];
      b[i * n + idx] = x / u[i * m + i];
    }
}

// An upper triangle times a vector per thread.
#pragma gpuopt domain(n) array(u: m, m) array(x: m, n) array(y: m, n) output(y)
__global__ void multiplyUpper(const float *__restrict__ u, const float *__restrict__ x, float *__restrict__ y,
                              int m, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  for (int i = 0; i < m; i++) {
    float sum = 0;
    for (int j = i; j < m; j++) sum += u[i * m + j] * x[j * n + idx];
    y[i * n + idx] = sum;
  }
}

// All rows of a product in one thread, and the largest element.
#pragma gpuopt domain(n) array(a: m, m) array(x: m, n) array(y: m, n) array(most: n) output(y, most)
__global__ void rows(const int *__restrict__ a, const int *__restrict__ x, int *__restrict__ y,
                     int *__restrict__ most, int m, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  int largest = 0;
  for (int i = 0; i < m; i++) {
    int sum = 0;
    for (int j = 0; j < m; j++) sum += a[i * m + j] * x[j * n + idx];
    largest = largest > sum ? largest : sum;
    y[i * n + idx] = sum;
  }
  most[idx] = largest;
}
