// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Unrolled copies are a loop; what they compute and use later is an array.
// CHECK-LABEL: void rows(
// CHECK:         float [[SUM:sum]][4] = {};
// CHECK-NEXT:    for (int i = 0; i < n; ++i) {
// CHECK-NEXT:  #pragma unroll
// CHECK-NEXT:    for (int j = 0; j < 4; ++j)
// CHECK-NEXT:      [[SUM]][j] += a[i + (long long)j * 16 + tx];
// CHECK:       #pragma unroll
// CHECK-NEXT:  for (int i = 0; i < 4; ++i)
// CHECK-NEXT:    b[i * 16 + tx] = [[SUM]][i];
gpu.module @kernels {
  gpu.func @rows(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly}, %b: memref<?xf32> {gpuopt.name = "b"},
                 %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %sum:4 = affine.for %i = 0 to %ni iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      %x0 = affine.load %a[%i + symbol(%tx)] : memref<?xf32>
      %x1 = affine.load %a[%i + symbol(%tx) + 16] : memref<?xf32>
      %x2 = affine.load %a[%i + symbol(%tx) + 32] : memref<?xf32>
      %x3 = affine.load %a[%i + symbol(%tx) + 48] : memref<?xf32>
      %t0 = arith.addf %s0, %x0 : f32
      %t1 = arith.addf %s1, %x1 : f32
      %t2 = arith.addf %s2, %x2 : f32
      %t3 = arith.addf %s3, %x3 : f32
      affine.yield %t0, %t1, %t2, %t3 : f32, f32, f32, f32
    }
    affine.store %sum#0, %b[symbol(%tx)] : memref<?xf32>
    affine.store %sum#1, %b[symbol(%tx) + 16] : memref<?xf32>
    affine.store %sum#2, %b[symbol(%tx) + 32] : memref<?xf32>
    affine.store %sum#3, %b[symbol(%tx) + 48] : memref<?xf32>
    gpu.return
  }

  // Values that change places need a variable for one of them.
  // CHECK-LABEL: void swap(
  // CHECK:         for (int i = 0; i < n; ++i) {
  // CHECK-NEXT:      float [[SAVED:.*]] = [[X:.*]];
  // CHECK-NEXT:      [[X]] = [[Y:.*]];
  // CHECK-NEXT:      [[Y]] = [[SAVED]];
  gpu.func @swap(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %ni = arith.index_cast %n : i32 to index
    %x = affine.load %a[0] : memref<?xf32>
    %y = affine.load %a[1] : memref<?xf32>
    %r:2 = affine.for %i = 0 to %ni iter_args(%p = %x, %q = %y) -> (f32, f32) {
      affine.yield %q, %p : f32, f32
    }
    affine.store %r#0, %a[0] : memref<?xf32>
    affine.store %r#1, %a[1] : memref<?xf32>
    gpu.return
  }

  // Signed sums that may wrap are computed without a sign, shifts of negative
  // numbers round down, a maximum that ignores NaN is fmax.
  // CHECK-LABEL: void numbers(
  // CHECK:         c[0] = (int)((unsigned)c[1] + (unsigned)c[2]);
  // CHECK-NEXT:    c[3] = c[4] + c[5];
  // CHECK-NEXT:    a[n >> 2] = fmaxf(a[1], a[2]);
  gpu.func @numbers(%a: memref<?xf32> {gpuopt.name = "a"}, %c: memref<?xi32> {gpuopt.name = "c"},
                    %n: i32 {gpuopt.name = "n"}) kernel {
    %ni = arith.index_cast %n : i32 to index
    %c1 = affine.load %c[1] : memref<?xi32>
    %c2 = affine.load %c[2] : memref<?xi32>
    %s = arith.addi %c1, %c2 : i32
    affine.store %s, %c[0] : memref<?xi32>
    %c4 = affine.load %c[4] : memref<?xi32>
    %c5 = affine.load %c[5] : memref<?xi32>
    %t = arith.addi %c4, %c5 overflow<nsw> : i32
    affine.store %t, %c[3] : memref<?xi32>
    %x = affine.load %a[1] : memref<?xf32>
    %y = affine.load %a[2] : memref<?xf32>
    %m = arith.maxnumf %x, %y : f32
    affine.store %m, %a[symbol(%ni) floordiv 4] : memref<?xf32>
    gpu.return
  }
}
