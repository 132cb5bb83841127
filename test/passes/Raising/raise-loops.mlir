// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-loops,cse)))' | FileCheck %s

gpu.module @kernels {
  // Bounds over parameters, an outer loop, a minimum; steps.
  // CHECK-DAG: #[[$LEAST:.*]] = affine_map<(d0)[s0] -> (d0 + 16, s0)>
  // CHECK-LABEL: gpu.func @bounds
  // CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK: affine.for %[[I:.*]] = 0 to %[[N]] step 16 {
  // CHECK: affine.for %{{.*}} = #{{.*}}(%[[I]]) to min #[[$LEAST]](%[[I]])[%[[N]]] {
  gpu.func @bounds(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %end = arith.index_cast %n : i32 to index
    scf.for %i = %c0 to %end step %c16 {
      %next = arith.addi %i, %c16 : index
      %least = arith.minsi %next, %end : index
      scf.for %j = %i to %least step %c1 {
        memref.store %v, %a[%j] : memref<?xf32>
      }
    }
    gpu.return
  }

  // A loop over i32.
  // CHECK-LABEL: gpu.func @narrow
  // CHECK: affine.for %[[I:.*]] = 0 to %{{.*}} {
  // CHECK: arith.index_cast %[[I]] : index to i32
  gpu.func @narrow(%a: memref<?xi32>, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %at = arith.index_cast %i : i32 to index
      memref.store %i, %a[%at] : memref<?xi32>
    }
    gpu.return
  }

  // A pointer that moves along a row of k elements: y * k is not affine, k is.
  // CHECK-LABEL: gpu.func @row
  // CHECK: %[[ROW:.*]] = arith.muli
  // CHECK: affine.for %[[I:.*]] = 0 to %{{.*}} {
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[ROW]], %[[I]] overflow<nsw> : index
  // CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[AT]]]
  gpu.func @row(%a: memref<?xf32>, %k: i32, %v: f32) kernel {
    %c1 = arith.constant 1 : index
    %y = gpu.global_id y
    %length = arith.index_cast %k : i32 to index
    %row = arith.muli %y, %length : index
    %end = arith.addi %row, %length : index
    scf.for %p = %row to %end step %c1 {
      memref.store %v, %a[%p] : memref<?xf32>
    }
    gpu.return
  }

  // A loop that may run to the end of 64 bits counts from zero: steps of several
  // iterations would wrap behind its end. Sums of narrower numbers stay.
  // CHECK-LABEL: gpu.func @near_the_end
  // CHECK-DAG: %[[LO:.*]] = arith.index_cast %{{.*}} : i64 to index
  // CHECK-DAG: %[[K:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK: affine.for %[[I:.*]] = 0 to %[[K]] {
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[LO]], %[[I]] overflow<nsw> : index
  // CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[AT]]]
  // CHECK: affine.for %{{.*}} = %{{.*}} to
  gpu.func @near_the_end(%a: memref<?xf32>, %long: i64, %int: i32, %v: f32) kernel {
    %c1 = arith.constant 1 : index
    %lo = arith.index_cast %long : i64 to index
    %k = arith.index_cast %int : i32 to index
    %end = arith.addi %lo, %k overflow<nsw> : index
    scf.for %i = %lo to %end step %c1 {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    %twice = arith.addi %k, %k : index
    scf.for %i = %k to %twice step %c1 {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}
