// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Two versions of a loop, for few and for many, each with its sum.

gpu.module @kernels {
  // Both start with the same number: the sum is one variable, cleared in front.
  // CHECK-LABEL: void versions(
  // CHECK-NEXT:    float sum = 0.0f;
  // CHECK-NEXT:    if (n < 16) {
  // CHECK-NOT:       0.0f
  // CHECK:           a[0] = sum;
  // CHECK-NEXT:    } else {
  // CHECK-NOT:       0.0f
  // CHECK:           a[1] = sum;
  gpu.func @versions(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %c16 = arith.constant 16 : index
    %few = arith.cmpi slt, %ni, %c16 : index
    scf.if %few {
      %r = affine.for %i = 0 to %ni iter_args(%p = %zero) -> f32 {
        %x = affine.load %a[%i] : memref<?xf32>
        %p1 = arith.addf %p, %x : f32
        affine.yield %p1 : f32
      }
      affine.store %r, %a[0] : memref<?xf32>
    } else {
      %r = affine.for %i = 0 to %ni step 16 iter_args(%p = %zero) -> f32 {
        %x = affine.load %a[%i] : memref<?xf32>
        %y = affine.load %a[%i + 8] : memref<?xf32>
        %p1 = arith.addf %p, %x : f32
        %p2 = arith.addf %p1, %y : f32
        affine.yield %p2 : f32
      }
      affine.store %r, %a[1] : memref<?xf32>
    }
    gpu.return
  }

  // They do not: each branch has its own.
  // CHECK-LABEL: void others(
  // CHECK-NEXT:    if (n < 16) {
  // CHECK-NEXT:      float sum = 0.0f;
  // CHECK:         } else {
  // CHECK-NEXT:      float sum = 1.0f;
  gpu.func @others(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %c16 = arith.constant 16 : index
    %few = arith.cmpi slt, %ni, %c16 : index
    scf.if %few {
      %r = affine.for %i = 0 to %ni iter_args(%p = %zero) -> f32 {
        %x = affine.load %a[%i] : memref<?xf32>
        %p1 = arith.addf %p, %x : f32
        affine.yield %p1 : f32
      }
      affine.store %r, %a[0] : memref<?xf32>
    } else {
      %r = affine.for %i = 0 to %ni step 16 iter_args(%p = %one) -> f32 {
        %x = affine.load %a[%i] : memref<?xf32>
        %p1 = arith.addf %p, %x : f32
        affine.yield %p1 : f32
      }
      affine.store %r, %a[1] : memref<?xf32>
    }
    gpu.return
  }
}
