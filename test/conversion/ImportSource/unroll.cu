// #pragma unroll stays with its loop.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK-DAG: #[[FOUR:.*]] = #llvm.loop_unroll<count = 4 : i32>
// CHECK-DAG: #[[FULL:.*]] = #llvm.loop_unroll<{{.*}}>
// CHECK: llvm.br {{.*}} {loop_annotation = #
// CHECK: llvm.br {{.*}} {loop_annotation = #
__global__ void f(float *a, int n) {
#pragma unroll 4
  for (int i = 0; i < n; ++i)
    a[i] += 1.0f;
#pragma unroll
  for (int i = 0; i < 7; ++i)
    a[i] *= 2.0f;
}
