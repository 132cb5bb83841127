// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// MLIR selects the new value of a variable; a person only sets it where it changes.

gpu.module @kernels {
  // What is set under one condition is set in one branch.
  // CHECK-LABEL: void largest(
  // CHECK:           float [[X:[_a-z0-9]+]] = a[i];
  // CHECK-NEXT:      if ([[X]] > best) {
  // CHECK-NEXT:        best = [[X]];
  // CHECK-NEXT:        [[AT:[_a-z0-9]+]] = i;
  // CHECK-NEXT:      }
  // CHECK-NEXT:    }
  // CHECK-NEXT:    a[0] = best;
  // CHECK-NEXT:    b[0] = [[AT]];
  gpu.func @largest(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xi32> {gpuopt.name = "b"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant -1 : i32
    %ni = arith.index_cast %n : i32 to index
    %r:2 = affine.for %i = 0 to %ni iter_args(%best = %zero, %place = %none) -> (f32, i32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %isMore = arith.cmpf ogt, %x, %best : f32
      %number = arith.index_cast %i : index to i32
      %most = arith.select %isMore, %x, %best : f32
      %at = arith.select %isMore, %number, %place : i32
      affine.yield %most, %at : f32, i32
    }
    affine.store %r#0, %a[0] : memref<?xf32>
    affine.store %r#1, %b[0] : memref<?xi32>
    gpu.return
  }

  // The variable may be kept where the condition holds. The opposite holds for NaN
  // too, which is no `<=`.
  // CHECK-LABEL: void smallest(
  // CHECK:           if (!([[X:[_a-z0-9]+]] > [[BEST:[_a-z0-9]+]]))
  // CHECK-NEXT:        [[BEST]] = [[X]];
  gpu.func @smallest(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %r = affine.for %i = 0 to %ni iter_args(%best = %zero) -> (f32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %isMore = arith.cmpf ogt, %x, %best : f32
      %least = arith.select %isMore, %best, %x : f32
      affine.yield %least : f32
    }
    affine.store %r, %a[0] : memref<?xf32>
    gpu.return
  }

  // A choice between two other values stays one.
  // CHECK-LABEL: void either(
  // CHECK:         a[tx] = tx < n ? x : 0.0f;
  gpu.func @either(%a: memref<?xf32> {gpuopt.name = "a"}, %x: f32 {gpuopt.name = "x"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    %v = arith.select %is, %x, %zero : f32
    memref.store %v, %a[%tx] : memref<?xf32>
    gpu.return
  }
}
