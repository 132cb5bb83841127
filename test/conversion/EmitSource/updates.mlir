// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Every value of MLIR is a new one. A person has variables that change.

gpu.module @kernels {
  // The choice between a value and its old one, which nothing reads any more, is a
  // change of it.
  // CHECK-LABEL: void most(
  // CHECK-NEXT:    float best = a[0];
  // CHECK:         if ([[Y:[_a-z0-9]+]] > best)
  // CHECK-NEXT:      best = [[Y]];
  gpu.func @most(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel {
    %x = affine.load %a[0] : memref<?xf32>
    %y = affine.load %a[1] : memref<?xf32>
    %z = affine.load %a[2] : memref<?xf32>
    %p = arith.cmpf ogt, %y, %x : f32
    %m = arith.select %p, %y, %x : f32
    %q = arith.cmpf ogt, %z, %m : f32
    %n = arith.select %q, %z, %m : f32
    affine.store %n, %b[0] : memref<?xf32>
    gpu.return
  }

  // The first value is read behind: the second one changes.
  // CHECK-LABEL: void read_later(
  // CHECK-NEXT:    float [[X:[_a-z0-9]+]] = a[0];
  // CHECK-NEXT:    float [[Y:[_a-z0-9]+]] = a[1];
  // CHECK-NEXT:    if (!([[Y]] > [[X]]))
  // CHECK-NEXT:      [[Y]] = [[X]];
  // CHECK-NEXT:    b[0] = [[Y]];
  // CHECK-NEXT:    b[1] = [[Y]];
  // CHECK-NEXT:    b[2] = [[X]];
  gpu.func @read_later(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel {
    %x = affine.load %a[0] : memref<?xf32>
    %y = affine.load %a[1] : memref<?xf32>
    %p = arith.cmpf ogt, %y, %x : f32
    %m = arith.select %p, %y, %x : f32
    affine.store %m, %b[0] : memref<?xf32>
    affine.store %m, %b[1] : memref<?xf32>
    affine.store %x, %b[2] : memref<?xf32>
    gpu.return
  }

  // What is added to a sum behind its loop goes into the sum.
  // CHECK-LABEL: void added(
  // CHECK:           sum += a[i];
  // CHECK-NEXT:    sum += x;
  // CHECK-NEXT:    b[0] = sum;
  gpu.func @added(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly}, %b: memref<?xf32> {gpuopt.name = "b"}, %n: i32 {gpuopt.name = "n"}, %x: f32 {gpuopt.name = "x"}) kernel {
    %zero = arith.constant 0.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %r = affine.for %i = 0 to %ni iter_args(%s = %zero) -> f32 {
      %v = affine.load %a[%i] : memref<?xf32>
      %t = arith.addf %s, %v : f32
      affine.yield %t : f32
    }
    %more = arith.addf %r, %x : f32
    affine.store %more, %b[0] : memref<?xf32>
    affine.store %more, %b[1] : memref<?xf32>
    gpu.return
  }

  // C++'s operators for changes, where the operation is one: 1 is stepped by,
  // products do not mind the order, differences do.
  // CHECK-LABEL: void shapes(
  // CHECK:           count += 3;
  // CHECK:           ++count_2;
  // CHECK:           product *= a[i];
  // CHECK:           count_3 = a[i] - count_3;
  gpu.func @shapes(%a: memref<?xi32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %ni = arith.index_cast %n : i32 to index
    %r = affine.for %i = 0 to %ni iter_args(%p = %one) -> i32 {
      %p1 = arith.addi %p, %three overflow<nsw> : i32
      affine.yield %p1 : i32
    }
    affine.store %r, %a[0] : memref<?xi32>
    %s = affine.for %i = 0 to %ni iter_args(%p = %three) -> i32 {
      %p1 = arith.addi %p, %one overflow<nsw> : i32
      affine.yield %p1 : i32
    }
    affine.store %s, %a[1] : memref<?xi32>
    %t = affine.for %i = 0 to %ni iter_args(%p = %n) -> i32 {
      %x = affine.load %a[%i] : memref<?xi32>
      %p1 = arith.muli %x, %p overflow<nsw> : i32
      affine.yield %p1 : i32
    }
    affine.store %t, %a[5] : memref<?xi32>
    %u = affine.for %i = 0 to %ni iter_args(%p = %n) -> i32 {
      %x = affine.load %a[%i] : memref<?xi32>
      %p1 = arith.subi %x, %p overflow<nsw> : i32
      affine.yield %p1 : i32
    }
    affine.store %u, %a[9] : memref<?xi32>
    gpu.return
  }
}
