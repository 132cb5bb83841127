// Coalesced kernels compute what their source does, bit by bit, at sizes that
// are no multiples of anything, without races or accesses out of bounds.
//
// RUN: gpuopt-translate --cuda-to-mlir --target=sm_90 %s | gpuopt-opt --gpuopt-raise -o %t.raised.mlir
// RUN: gpuopt-opt %t.raised.mlir --gpuopt-assign-geometry="target=sm_90" --gpuopt-coalesce-accesses="target=sm_90" --gpuopt-distribute-tiles="target=sm_90" -o %t.mlir
// RUN: grep -c "gpu.barrier" %t.mlir
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %t.mlir -o %t.ll
//
// RUN: gpuopt-run-ll %t.ll --kernel mm__original --grid 7,3 --block 5,7 --arg f32[560]=rand --arg f32[1155]=rand --arg f32[528]=zero --arg i32=16 --arg i32=33 --arg i32=35 --print 2 > %t.expected
// RUN: gpuopt-run-ll %t.ll --kernel mm --grid 3,2 --block 16,16 --arg f32[560]=rand --arg f32[1155]=rand --arg f32[528]=zero --arg i32=16 --arg i32=33 --arg i32=35 --print 2 --races > %t.actual
// RUN: cmp %t.expected %t.actual
//
// RUN: gpuopt-run-ll %t.ll --kernel transposed__original --grid 2,5 --block 16,4 --arg f64[1083]=rand --arg f64[1083]=rand --arg i64=3 --arg i64=19 --arg i64=19 --print 1 > %t.expected
// RUN: gpuopt-run-ll %t.ll --kernel transposed --grid 2,2 --block 16,16 --arg f64[1083]=rand --arg f64[1083]=rand --arg i64=3 --arg i64=19 --arg i64=19 --print 1 --races > %t.actual
// RUN: cmp %t.expected %t.actual
//
// RUN: gpuopt-run-ll %t.ll --kernel rows__original --grid 5 --block 13 --arg i32[2405]=rand --arg i32[65]=zero --arg i32=65 --arg i32=37 --print 1 > %t.expected
// RUN: gpuopt-run-ll %t.ll --kernel rows --grid 3 --block 32 --arg i32[2405]=rand --arg i32[65]=zero --arg i32=65 --arg i32=37 --print 1 --races > %t.actual
// RUN: cmp %t.expected %t.actual

extern "C" __global__ void mm(const float *__restrict__ a, const float *__restrict__ b,
                              float *__restrict__ c, int m, int n, int k) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int idy = blockIdx.y * blockDim.y + threadIdx.y;
  if (idx >= n || idy >= m) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[idy * k + i] * b[i * n + idx];
  c[idy * n + idx] = sum;
}

extern "C" __global__ void transposed(const double *__restrict__ a, double *__restrict__ c,
                                      size_t d, size_t h, size_t w) {
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w)
    if (y < h)
      for (size_t z = 0; z < d; z++) c[(z * w + x) * h + y] = a[(z * h + y) * w + x];
}

// Without __restrict__: the store comes after the loop.
extern "C" __global__ void rows(const int *a, int *c, int h, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < h) {
    int sum = 0;
    for (int i = 0; i < w; i++)
      if (i != row) sum += a[row * w + i];
    c[row] = sum;
  }
}
