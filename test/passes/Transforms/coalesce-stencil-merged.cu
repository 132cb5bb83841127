// Tiles with a halo grow with the block: 16 x 4 threads of one item, then 32 x 8
// threads of 2 x 3, compute the same, bit by bit, at sizes that fill no block,
// without races or accesses out of bounds.
//
// RUN: gpuopt-translate --cuda-to-mlir --target=sm_90 %s | gpuopt-opt --gpuopt-raise \
// RUN:   | gpuopt-opt --gpuopt-assign-geometry="block=16,4" --gpuopt-coalesce-accesses="target=sm_90" --canonicalize --cse -o %t.mlir
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %t.mlir -o %t.ll
// RUN: gpuopt-opt %t.mlir --gpuopt-merge-blocks="dim=x factor=2 target=sm_90" --gpuopt-merge-blocks="dim=y factor=2 target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=x factor=2 ownership=contiguous target=sm_90" --gpuopt-merge-threads="dim=y factor=3 target=sm_90" \
// RUN:   --gpuopt-version-guards --canonicalize --cse --gpuopt-distribute-tiles="target=sm_90" -o %t.merged.mlir
// RUN: FileCheck %s < %t.merged.mlir
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %t.merged.mlir -o %t.merged.ll
//
// One array each, for 24 x 64 items and their neighbours.
// CHECK-DAG: gpu.func @cross({{.*}} workgroup(%{{[a-z0-9]*}} : memref<26x66xf32, #gpu.address_space<workgroup>>)
// CHECK-DAG: gpu.func @inner({{.*}} workgroup(%{{[a-z0-9]*}} : memref<26x66xf32, #gpu.address_space<workgroup>>)
//
// RUN: gpuopt-run-ll %t.ll --kernel cross__original --grid 3,5 --block 16,4 --arg f32[945]=rand --arg f32[817]=zero --arg i32=19 --arg i32=43 --print 1 > %t.expected
// RUN: gpuopt-run-ll %t.merged.ll --kernel cross --grid 1,1 --block 32,8 --arg f32[945]=rand --arg f32[817]=zero --arg i32=19 --arg i32=43 --print 1 --races > %t.actual
// RUN: cmp %t.expected %t.actual
//
// RUN: gpuopt-run-ll %t.ll --kernel cross__original --grid 5,7 --block 16,4 --arg f32[1809]=rand --arg f32[1625]=zero --arg i32=25 --arg i32=65 --print 1 > %t.expected
// RUN: gpuopt-run-ll %t.merged.ll --kernel cross --grid 2,2 --block 32,8 --arg f32[1809]=rand --arg f32[1625]=zero --arg i32=25 --arg i32=65 --print 1 --races > %t.actual
// RUN: cmp %t.expected %t.actual
//
// RUN: gpuopt-run-ll %t.ll --kernel inner__original --grid 5,7 --block 16,4 --arg f32[1625]=rand --arg f32[1625]=zero --arg i32=25 --arg i32=65 --print 1 > %t.expected
// RUN: gpuopt-run-ll %t.merged.ll --kernel inner --grid 2,2 --block 32,8 --arg f32[1625]=rand --arg f32[1625]=zero --arg i32=25 --arg i32=65 --print 1 --races > %t.actual
// RUN: cmp %t.expected %t.actual

extern "C" __global__ void cross(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int p = w + 2;
  c[y * w + x] = a[(y + 1) * p + x] - a[(y + 1) * p + x + 1] * a[(y + 1) * p + x + 2] + a[y * p + x + 1] * 2 +
                 a[(y + 2) * p + x + 1];
}

// Guards from both sides, and all points of a box but the centre.
extern "C" __global__ void inner(const float *__restrict__ a, float *__restrict__ c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    c[y * w + x] = a[(y - 1) * w + x - 1] + 2 * a[(y - 1) * w + x] + 3 * a[(y - 1) * w + x + 1] + 4 * a[y * w + x - 1] +
                   5 * a[y * w + x + 1] + 6 * a[(y + 1) * w + x - 1] + 7 * a[(y + 1) * w + x] +
                   8 * a[(y + 1) * w + x + 1];
}
