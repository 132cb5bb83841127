// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Branches as a person would write them.

gpu.module @kernels {
  // A switch is a chain of branches, none of which needs braces here.
  // CHECK-LABEL: void cases(
  // CHECK-NEXT:    float [[V:[_a-z0-9]+]];
  // CHECK-NEXT:    if (n == 0)
  // CHECK-NEXT:      [[V]] = a[5];
  // CHECK-NEXT:    else if (n == 7)
  // CHECK-NEXT:      [[V]] = 1.0f;
  // CHECK-NEXT:    else
  // CHECK-NEXT:      [[V]] = 0.0f;
  // CHECK-NEXT:    a[0] = [[V]];
  gpu.func @cases(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %v = scf.index_switch %ni -> f32
    case 0 {
      %x = affine.load %a[5] : memref<?xf32>
      scf.yield %x : f32
    }
    case 7 {
      scf.yield %one : f32
    }
    default {
      scf.yield %zero : f32
    }
    affine.store %v, %a[0] : memref<?xf32>
    gpu.return
  }

  // What is known is not asked: no thread has a negative number. A branch that does
  // nothing then is none.
  // CHECK-LABEL: void known(float *a, int n) { a[0] = 0.0f; }
  gpu.func @known(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %is = arith.cmpi sge, %tx, %c0 : index
    scf.if %is {
      affine.store %zero, %a[0] : memref<?xf32>
    } else {
      affine.store %zero, %a[1] : memref<?xf32>
    }
    scf.if %is {
    } else {
      affine.store %zero, %a[2] : memref<?xf32>
    }
    gpu.return
  }

  // A branch with nothing but `else` asks for the opposite. Of floating-point
  // numbers that is not the other sign: NaN is neither below nor above.
  // CHECK-LABEL: void otherwise(
  // CHECK:         if (tx >= n)
  // CHECK-NEXT:      a[1] = 0.0f;
  // CHECK-NEXT:    if (!(x < 0.0f))
  // CHECK-NEXT:      a[2] = 0.0f;
  gpu.func @otherwise(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %x: f32 {gpuopt.name = "x"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    scf.if %is {
    } else {
      affine.store %zero, %a[1] : memref<?xf32>
    }
    %isLess = arith.cmpf olt, %x, %zero : f32
    scf.if %isLess {
    } else {
      affine.store %zero, %a[2] : memref<?xf32>
    }
    gpu.return
  }

  // The same statements under one condition or else another are under either.
  // CHECK-LABEL: void same(
  // CHECK:         if (tx < n || tx < m)
  // CHECK-NEXT:      a[1] = 0.0f;
  // CHECK-NEXT:  }
  gpu.func @same(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %m: i32 {gpuopt.name = "m"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %mi = arith.index_cast %m : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    %or = arith.cmpi slt, %tx, %mi : index
    scf.if %is {
      affine.store %zero, %a[1] : memref<?xf32>
    } else {
      scf.if %or {
        affine.store %zero, %a[1] : memref<?xf32>
      }
    }
    gpu.return
  }
}
