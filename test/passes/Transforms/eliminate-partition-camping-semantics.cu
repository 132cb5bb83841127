// Loops that start at another place for each block, and blocks in diagonal order,
// compute what the source computes, to the last bit where the order is free.
//
// RUN: gpuopt check %s --target nvidia-gtx285 --size h=300,w=512 | FileCheck %s
// RUN: gpuopt check %s --target nvidia-gtx285 --size h=70,w=515
// RUN: gpuopt check %s --target amd-hd5870 --size h=129,w=1024
// RUN: gpuopt check %s --target nvidia-gtx480 --size h=1,w=384
// RUN: gpuopt check %s --target nvidia-gtx285 --size h=200,w=0
// RUN: gpuopt check %s --target nvidia-gtx285 --size h=300,w=16
// RUN: gpuopt compile %s --target nvidia-gtx285 --emit mlir -o %t.out --explain 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// CHECK-COUNT-3: elements, equal, bit for bit
// EXPLAIN: dot ({{.*}}
// EXPLAIN: + EliminatePartitionCamping
// EXPLAIN: largest ({{.*}}
// EXPLAIN: + EliminatePartitionCamping
// EXPLAIN: symmetric ({{.*}}
// EXPLAIN: + EliminatePartitionCamping at {{.*}}: blocks work in diagonal order

// Integers: any order.
#pragma gpuopt domain(h) array(a: h, w) array(b: w) array(c: h) output(c)
extern "C" __global__ void dot(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int h,
                               int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= h) return;
  int sum = 7;
  for (int i = 0; i < w; i++) sum += a[row * w + i] * b[i];
  c[row] = sum;
}

// A maximum of unsigned numbers.
#pragma gpuopt domain(h) array(a: h, w) array(c: h) output(c)
extern "C" __global__ void largest(const unsigned *__restrict__ a, unsigned *__restrict__ c, int h, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < h) {
    unsigned most = 0;
    for (int i = 0; i < w; i++) most = max(most, a[row * w + i]);
    c[row] = most;
  }
}

// Reads rows, writes columns of another array, with 2-D arrays of the source.
#pragma gpuopt domain(w, h) array(a: h, w) array(c: w, h) output(c)
extern "C" __global__ void symmetric(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) c[x * h + y] = 2 * a[y * w + x];
}
