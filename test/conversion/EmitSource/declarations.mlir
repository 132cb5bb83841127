// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Variables are declared where they are first needed, in the innermost braces
// around all their uses, with their value if that is the first thing they get.

gpu.module @kernels {
  // CHECK-LABEL: void inside(
  // What is read behind the branch, before the stores in it, stands outside.
  // CHECK:         float [[X:[_a-z0-9]+]] = a[tx];
  // CHECK-NEXT:    if (tx < n) {
  // CHECK-NEXT:      for (int i = 0; i < n; ++i) {
  // CHECK-NEXT:        float [[Y:[_a-z0-9]+]] = a[i];
  // CHECK-NEXT:        float [[Z:[_a-z0-9]+]] = [[Y]] * [[Y]];
  gpu.func @inside(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    %x = memref.load %a[%tx] : memref<?xf32>
    scf.if %is {
      affine.for %i = 0 to %ni {
        %y = affine.load %a[%i] : memref<?xf32>
        %z = arith.mulf %y, %y fastmath<contract> : f32
        affine.store %z, %a[%i] : memref<?xf32>
        affine.store %z, %a[%i + 1] : memref<?xf32>
      }
      memref.store %x, %a[%tx] : memref<?xf32>
    }
    gpu.return
  }

  // An array that starts with zeros is cleared where it is declared.
  // CHECK-LABEL: void cleared(
  // CHECK-NEXT:    float sum[4] = {};
  // CHECK-NEXT:    for (int i = 0; i < n; ++i) {
  gpu.func @cleared(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %sum:4 = affine.for %i = 0 to %ni iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (f32, f32, f32, f32) {
      %x0 = affine.load %a[%i] : memref<?xf32>
      %x1 = affine.load %a[%i + 16] : memref<?xf32>
      %x2 = affine.load %a[%i + 32] : memref<?xf32>
      %x3 = affine.load %a[%i + 48] : memref<?xf32>
      %t0 = arith.addf %s0, %x0 : f32
      %t1 = arith.addf %s1, %x1 : f32
      %t2 = arith.addf %s2, %x2 : f32
      %t3 = arith.addf %s3, %x3 : f32
      affine.yield %t0, %t1, %t2, %t3 : f32, f32, f32, f32
    }
    affine.store %sum#0, %a[0] : memref<?xf32>
    affine.store %sum#1, %a[1] : memref<?xf32>
    affine.store %sum#2, %a[2] : memref<?xf32>
    affine.store %sum#3, %a[3] : memref<?xf32>
    gpu.return
  }

  // There is no such form for other numbers.
  // CHECK-LABEL: void ones(
  // CHECK-NEXT:    float sum[4];
  // CHECK-NEXT:  #pragma unroll
  // CHECK-NEXT:    for (int i = 0; i < 4; ++i)
  // CHECK-NEXT:      sum[i] = 1.0f;
  gpu.func @ones(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %one = arith.constant 1.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %sum:4 = affine.for %i = 0 to %ni iter_args(%s0 = %one, %s1 = %one, %s2 = %one, %s3 = %one) -> (f32, f32, f32, f32) {
      %x0 = affine.load %a[%i] : memref<?xf32>
      %x1 = affine.load %a[%i + 16] : memref<?xf32>
      %x2 = affine.load %a[%i + 32] : memref<?xf32>
      %x3 = affine.load %a[%i + 48] : memref<?xf32>
      %t0 = arith.addf %s0, %x0 : f32
      %t1 = arith.addf %s1, %x1 : f32
      %t2 = arith.addf %s2, %x2 : f32
      %t3 = arith.addf %s3, %x3 : f32
      affine.yield %t0, %t1, %t2, %t3 : f32, f32, f32, f32
    }
    affine.store %sum#0, %a[0] : memref<?xf32>
    affine.store %sum#1, %a[1] : memref<?xf32>
    affine.store %sum#2, %a[2] : memref<?xf32>
    affine.store %sum#3, %a[3] : memref<?xf32>
    gpu.return
  }

  // What both branches set is declared before them. What nothing reads is not
  // there: the second value.
  // CHECK-LABEL: void either(
  // CHECK:         float [[V:[_a-z0-9]+]];
  // CHECK-NEXT:    if (tx < n)
  // CHECK-NEXT:      [[V]] = x;
  // CHECK-NEXT:    else
  // CHECK-NEXT:      [[V]] = a[0];
  // CHECK-NEXT:    a[tx] = [[V]];
  gpu.func @either(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %x: f32 {gpuopt.name = "x"}) kernel {
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    %v, %w = scf.if %is -> (f32, f32) {
      %y = memref.load %a[%tx] : memref<?xf32>
      scf.yield %x, %y : f32, f32
    } else {
      %y = affine.load %a[0] : memref<?xf32>
      scf.yield %y, %x : f32, f32
    }
    memref.store %v, %a[%tx] : memref<?xf32>
    gpu.return
  }

  // Numbers that a loop carries and that are nothing before it become an array:
  // its elements exist as soon as it does.
  // CHECK-LABEL: void carried(
  // CHECK-NEXT:    float [[X:[_a-z0-9]+]][6];
  // CHECK-NEXT:    for (int i = 0; i < n; ++i) {
  gpu.func @carried(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.index_cast %n : i32 to index
    %none = ub.poison : f32
    %last:6 = scf.for %i = %c0 to %end step %c1 iter_args(%x0 = %none, %x1 = %none, %x2 = %none, %x3 = %none, %x4 = %none, %x5 = %none) -> (f32, f32, f32, f32, f32, f32) {
      affine.store %x0, %a[0 + 20] : memref<?xf32>
      affine.store %x1, %a[1 + 20] : memref<?xf32>
      affine.store %x2, %a[2 + 20] : memref<?xf32>
      affine.store %x3, %a[3 + 20] : memref<?xf32>
      affine.store %x4, %a[4 + 20] : memref<?xf32>
      affine.store %x5, %a[5 + 20] : memref<?xf32>
      %y0 = affine.load %a[0 + 40] : memref<?xf32>
      %y1 = affine.load %a[1 + 40] : memref<?xf32>
      %y2 = affine.load %a[2 + 40] : memref<?xf32>
      %y3 = affine.load %a[3 + 40] : memref<?xf32>
      %y4 = affine.load %a[4 + 40] : memref<?xf32>
      %y5 = affine.load %a[5 + 40] : memref<?xf32>
      scf.yield %y0, %y1, %y2, %y3, %y4, %y5 : f32, f32, f32, f32, f32, f32
    }
    gpu.return
  }
}
