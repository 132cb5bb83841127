// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Branches in branches.

gpu.module @kernels {
  // One with nothing else in it asks for both at once. The second question is a load
  // that only threads within the array may make: `&&` keeps that.
  // CHECK-LABEL: void both(
  // CHECK:         if (tx < n && b[tx] != 0)
  // CHECK-NEXT:      a[tx] = 0.0f;
  gpu.func @both(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xi32> {gpuopt.name = "b"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    scf.if %is {
      %v = memref.load %b[%tx] : memref<?xi32>
      %or = arith.cmpi ne, %v, %c0 : i32
      scf.if %or {
        memref.store %zero, %a[%tx] : memref<?xf32>
      }
    }
    gpu.return
  }

  // CHECK-LABEL: void more_in_it(
  // CHECK:         if (tx < n) {
  // CHECK-NEXT:      if (b[tx] != 0)
  // CHECK-NEXT:        a[tx] = 0.0f;
  // CHECK-NEXT:      b[tx] = 0;
  gpu.func @more_in_it(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xi32> {gpuopt.name = "b"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    scf.if %is {
      %v = memref.load %b[%tx] : memref<?xi32>
      %or = arith.cmpi ne, %v, %c0 : i32
      scf.if %or {
        memref.store %zero, %a[%tx] : memref<?xf32>
      }
      memref.store %c0, %b[%tx] : memref<?xi32>
    }
    gpu.return
  }

  // Where the inner condition implies the outer one, what is inside and what is
  // left of it are asked one after the other.
  // CHECK-LABEL: void chained(
  // CHECK:         if (tx + 8 < n)
  // CHECK-NEXT:      a[tx] = 1.0f;
  // CHECK-NEXT:    else if (tx < n)
  // CHECK-NEXT:      a[tx] = 0.0f;
  // CHECK-NEXT:  }
  gpu.func @chained(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %c8 = arith.constant 8 : index
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %later = arith.addi %tx, %c8 overflow<nsw> : index
    %is = arith.cmpi slt, %tx, %ni : index
    %all = arith.cmpi slt, %later, %ni : index
    scf.if %is {
      scf.if %all {
        memref.store %one, %a[%tx] : memref<?xf32>
      } else {
        memref.store %zero, %a[%tx] : memref<?xf32>
      }
    }
    gpu.return
  }

  // A thread below m need not be below n: the order of the questions stays.
  // CHECK-LABEL: void unchained(
  // CHECK:         if (tx < n) {
  // CHECK-NEXT:      if (tx < m)
  // CHECK-NEXT:        a[tx] = 1.0f;
  // CHECK-NEXT:      else
  // CHECK-NEXT:        a[tx] = 0.0f;
  // CHECK-NEXT:    }
  gpu.func @unchained(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %m: i32 {gpuopt.name = "m"}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %mi = arith.index_cast %m : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    %all = arith.cmpi slt, %tx, %mi : index
    scf.if %is {
      scf.if %all {
        memref.store %one, %a[%tx] : memref<?xf32>
      } else {
        memref.store %zero, %a[%tx] : memref<?xf32>
      }
    }
    gpu.return
  }
}
