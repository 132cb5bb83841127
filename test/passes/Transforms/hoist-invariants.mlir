// RUN: gpuopt-opt %s --gpuopt-hoist-invariants | FileCheck %s

// Arithmetic leaves both loops; a remainder whose divisor may be zero stays
// where it was: the loop may not run for that very reason.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @may_not_run
  // CHECK: arith.muli
  // CHECK: affine.for
  // CHECK: affine.for
  // CHECK: arith.remsi
  // CHECK: arith.floordivsi
  gpu.func @may_not_run(%a: memref<?xi32>, %x: i32, %m: i32) kernel {
    %n = arith.index_cast %m : i32 to index
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %s = arith.muli %x, %x : i32
        %r = arith.remsi %s, %m : i32
        %q = arith.floordivsi %r, %m : i32
        memref.store %q, %a[%j] : memref<?xi32>
      }
    }
    gpu.return
  }

  // Not as a whole conditional either.
  // CHECK-LABEL: gpu.func @under_a_condition
  // CHECK: affine.for
  // CHECK: scf.if
  // CHECK: arith.remsi
  gpu.func @under_a_condition(%a: memref<?xi32>, %x: i32, %m: i32, %c: i1)
      kernel {
    %n = arith.index_cast %m : i32 to index
    affine.for %i = 0 to %n {
      %r = scf.if %c -> (i32) {
        %q = arith.remsi %x, %m : i32
        scf.yield %q : i32
      } else {
        scf.yield %x : i32
      }
      memref.store %r, %a[%i] : memref<?xi32>
    }
    gpu.return
  }

  // Divisors that are never zero: sizes of blocks, constants, what is positive.
  // CHECK-LABEL: gpu.func @total
  // CHECK: arith.remui
  // CHECK: arith.remsi
  // CHECK: arith.remsi
  // CHECK: affine.for
  // CHECK: arith.remsi {{.*}}, %c-1
  gpu.func @total(%a: memref<?xi32>, %x: i32, %m: i32) kernel {
    %n = arith.index_cast %m : i32 to index
    %c1 = arith.constant 1 : i32
    %c7 = arith.constant 7 : i32
    %minus = arith.constant -1 : i32
    %least = arith.maxsi %m, %c1 : i32
    %size = gpu.block_dim x
    affine.for %i = 0 to %n {
      %r0 = arith.remui %n, %size : index
      %r1 = arith.remsi %x, %c7 : i32
      %r2 = arith.remsi %r1, %least : i32
      %r3 = arith.remsi %x, %minus : i32
      memref.store %r2, %a[%r0] : memref<?xi32>
      memref.store %r3, %a[%i] : memref<?xi32>
    }
    gpu.return
  }

  // `m + 1` is not zero for the sake of `nuw` only, which may not hold where
  // the loop does not run.
  // CHECK-LABEL: gpu.func @promised
  // CHECK: affine.for
  // CHECK: arith.remui
  gpu.func @promised(%a: memref<?xi32>, %x: i32, %m: i32) kernel {
    %n = arith.index_cast %m : i32 to index
    %c1 = arith.constant 1 : i32
    %more = arith.addi %m, %c1 overflow<nuw> : i32
    affine.for %i = 0 to %n {
      %r = arith.remui %x, %more : i32
      memref.store %r, %a[%i] : memref<?xi32>
    }
    gpu.return
  }

  // The first iteration runs and divides: nothing is divided that was not.
  // CHECK-LABEL: gpu.func @runs
  // CHECK: arith.remsi
  // CHECK: affine.for
  gpu.func @runs(%a: memref<?xi32>, %x: i32, %m: i32) kernel {
    affine.for %i = 0 to 4 {
      memref.store %x, %a[%i] : memref<?xi32>
      %r = arith.remsi %x, %m : i32
      memref.store %r, %a[%i] : memref<?xi32>
    }
    gpu.return
  }

  func.func private @may_end()

  // Unless the call before it has ended the thread.
  // CHECK-LABEL: gpu.func @may_end_before
  // CHECK: affine.for
  // CHECK: arith.remsi
  gpu.func @may_end_before(%a: memref<?xi32>, %x: i32, %m: i32) kernel {
    affine.for %i = 0 to 4 {
      func.call @may_end() : () -> ()
      %r = arith.remsi %x, %m : i32
      memref.store %r, %a[%i] : memref<?xi32>
    }
    gpu.return
  }
}
