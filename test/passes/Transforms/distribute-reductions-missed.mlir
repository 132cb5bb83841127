// Rows that one thread walks along alone, and why.
//
// RUN: gpuopt-opt %s --gpuopt-distribute-reductions="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s
// RUN: not gpuopt-opt %s --gpuopt-distribute-reductions="target=sm_90 rows=0" 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: expected 'rows' to be 1 or more, got 0

// CHECK-NOT: gpu.shuffle

gpu.module @kernels {
  gpu.func @sum(%a: memref<?x1024xf32>, %out: memref<?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %r = gpu.global_id x
    %s = affine.for %i = 0 to 1024 iter_args(%t = %zero) -> (f32) {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xf32>
      // expected-remark@below {{a thread walks along each row alone: the order of a floating-point sum matters, and 'arith.addf' is not marked 'reassoc' (--reassociate)}}
      %u = arith.addf %t, %x : f32
      affine.yield %u : f32
    }
    affine.store %s, %out[symbol(%r)] : memref<?xf32>
    gpu.return
  }

  // Each element waits for the one before.
  gpu.func @prefix(%a: memref<?x1024xi32>) kernel {
    %r = gpu.global_id x
    affine.for %i = 1 to 1024 {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xi32>
      %y = affine.load %a[symbol(%r), %i - 1] : memref<?x1024xi32>
      %z = arith.addi %x, %y : i32
      // expected-remark@below {{an iteration may access what another one writes}}
      affine.store %z, %a[symbol(%r), %i] : memref<?x1024xi32>
    }
    gpu.return
  }

  // Two arrays that may be one.
  gpu.func @maybe(%a: memref<?x1024xi32>, %b: memref<?x1024xi32>) kernel {
    %r = gpu.global_id x
    affine.for %i = 0 to 1024 {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xi32>
      // expected-remark@below {{an iteration may access what another one writes}}
      affine.store %x, %b[symbol(%r), %i] : memref<?x1024xi32>
    }
    gpu.return
  }

  // How many have led depends on the order.
  gpu.func @count(%a: memref<?x1024xi32>, %out: memref<?xi32>) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = gpu.global_id x
    %s:2 = affine.for %i = 0 to 1024 iter_args(%best = %zero, %n = %zero) -> (i32, i32) {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xi32>
      %c = arith.cmpi sgt, %x, %best : i32
      %b = arith.select %c, %x, %best : i32
      %m = arith.addi %n, %one : i32
      // expected-remark@below {{iterations depend on which of those before was the largest or least}}
      %k = arith.select %c, %m, %n : i32
      affine.yield %b, %k : i32, i32
    }
    affine.store %s#1, %out[symbol(%r)] : memref<?xi32>
    gpu.return
  }

  // NaN takes the place of every leader, and every number that of NaN.
  gpu.func @nan(%a: memref<?x1024xf32>, %out: memref<?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %r = gpu.global_id x
    %s = affine.for %i = 0 to 1024 iter_args(%best = %zero) -> (f32) {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xf32>
      // expected-remark@below {{iterations depend on the one before by more than a sum}}
      %c = arith.cmpf ugt, %x, %best : f32
      %b = arith.select %c, %x, %best : f32
      affine.yield %b : f32
    }
    affine.store %s, %out[symbol(%r)] : memref<?xf32>
    gpu.return
  }

  // Nothing to say: columns, whose threads are neighbours.
  gpu.func @columns(%a: memref<1024x?xi32>, %out: memref<?xi32>) kernel {
    %zero = arith.constant 0 : i32
    %r = gpu.global_id x
    %s = affine.for %i = 0 to 1024 iter_args(%t = %zero) -> (i32) {
      %x = affine.load %a[%i, symbol(%r)] : memref<1024x?xi32>
      %u = arith.addi %t, %x : i32
      affine.yield %u : i32
    }
    affine.store %s, %out[symbol(%r)] : memref<?xi32>
    gpu.return
  }

  // Nor here: rows that a work item shares with others.
  gpu.func @product(%a: memref<?x1024xi32>, %b: memref<?x1024xi32>, %c: memref<?x1024xi32>) kernel {
    %zero = arith.constant 0 : i32
    %x = gpu.global_id x
    %y = gpu.global_id y
    %s = affine.for %i = 0 to 1024 iter_args(%t = %zero) -> (i32) {
      %p = affine.load %a[symbol(%y), %i] : memref<?x1024xi32>
      %q = affine.load %b[symbol(%x), %i] : memref<?x1024xi32>
      %m = arith.muli %p, %q : i32
      %u = arith.addi %t, %m : i32
      affine.yield %u : i32
    }
    affine.store %s, %c[symbol(%y), symbol(%x)] : memref<?x1024xi32>
    gpu.return
  }
}

// -----

gpu.module @others {
  // A loop that lanes cannot share, which they would all go around.
  gpu.func @serial(%a: memref<?x1024xi32> {llvm.noalias}, %out: memref<?xi32> {llvm.noalias}) kernel {
    %zero = arith.constant 0 : i32
    %three = arith.constant 3 : i32
    %r = gpu.global_id x
    %s = affine.for %i = 0 to 1024 iter_args(%t = %zero) -> (i32) {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xi32>
      %u = arith.addi %t, %x : i32
      affine.yield %u : i32
    }
    %h = affine.for %i = 0 to 100 iter_args(%t = %s) -> (i32) {
      %m = arith.muli %t, %three : i32
      // expected-remark@below {{iterations depend on the one before by more than a sum}}
      %u = arith.addi %m, %three : i32
      affine.yield %u : i32
    }
    affine.store %h, %out[symbol(%r)] : memref<?xi32>
    gpu.return
  }
}
