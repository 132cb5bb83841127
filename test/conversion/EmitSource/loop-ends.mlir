// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// A loop with two ends has a flag in MLIR, which the branches set and which is
// asked at the end. Where a branch says no, a person leaves the loop.

gpu.module @kernels {
  // The question at the top becomes that of the loop, the other one a `break`, and
  // the flag is gone.
  // CHECK-LABEL: void search(
  // CHECK-NOT:     bool
  // CHECK:         int [[I:.*]] = 0;
  // CHECK-NEXT:    while ([[I]] < n) {
  // CHECK-NEXT:      if (a[[[I]]] == x)
  // CHECK-NEXT:        break;
  // CHECK-NEXT:      ++[[I]];
  // CHECK-NEXT:    }
  // CHECK-NEXT:    at[0] = [[I]];
  gpu.func @search(%a: memref<?xi32> {gpuopt.name = "a", llvm.readonly}, %at: memref<?xi32> {gpuopt.name = "at"}, %n: i32 {gpuopt.name = "n"}, %x: i32 {gpuopt.name = "x"}) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %false = arith.constant false
    %found = scf.while (%i = %zero) : (i32) -> i32 {
      %inside = arith.cmpi slt, %i, %n : i32
      %more = scf.if %inside -> i1 {
        %p = arith.index_cast %i : i32 to index
        %v = memref.load %a[%p] : memref<?xi32>
        %other = arith.cmpi ne, %v, %x : i32
        scf.yield %other : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.addi %i, %one overflow<nsw> : i32
      scf.yield %next : i32
    }
    memref.store %found, %at[%c0] : memref<?xi32>
    gpu.return
  }

  // Both branches are followed by a store, which has to be made before the loop is
  // left: the flag stays.
  // CHECK-LABEL: void flag(
  // CHECK:         bool [[MORE:.*]];
  // CHECK:         do {
  // CHECK-NOT:       break
  // CHECK:           a[0] = n;
  // CHECK-NEXT:    } while ([[MORE]]);
  gpu.func @flag(%a: memref<?xi32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %false = arith.constant false
    %c1 = arith.constant 1 : index
    scf.while : () -> () {
      %v = memref.load %a[%c0] : memref<?xi32>
      %positive = arith.cmpi sgt, %v, %zero : i32
      %more = scf.if %positive -> i1 {
        memref.store %zero, %a[%c1] : memref<?xi32>
        scf.yield %true : i1
      } else {
        memref.store %n, %a[%c1] : memref<?xi32>
        scf.yield %false : i1
      }
      memref.store %n, %a[%c0] : memref<?xi32>
      scf.condition(%more)
    } do {
      scf.yield
    }
    gpu.return
  }
}
