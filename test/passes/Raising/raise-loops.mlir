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

  // Work items, and iterations of a loop around, that begin at different numbers
  // and count as far do the same at the same time from zero. Those that count
  // differently far stay.
  // CHECK-LABEL: gpu.func @different_begin
  // CHECK: affine.for %[[P:.*]] = 0 to 64 step 16
  // CHECK: affine.for %[[I:.*]] = 0 to 16 {
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[P]], %[[I]] overflow<nsw> : index
  // CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[AT]]]
  // CHECK: affine.for %{{.*}} = %{{.*}} to 64 {
  gpu.func @different_begin(%a: memref<?xf32>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    scf.for %p = %c0 to %c64 step %c16 {
      %end = arith.addi %p, %c16 overflow<nsw> : index
      scf.for %i = %p to %end step %c1 {
        memref.store %v, %a[%i] : memref<?xf32>
      }
    }
    scf.for %i = %t to %c64 step %c1 {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // A loop that is affine already is asked again: 16 * wA * blockIdx.y leaves no
  // 64 bits where blocks have 16 rows. Its access is flat again, for rows that
  // the new iterator has.
  // CHECK-LABEL: gpu.func @known_block
  // CHECK: affine.for %[[I:.*]] = 0 to %{{.*}} step 16
  // CHECK: memref.store %{{.*}}, %arg0[%{{.*}}] : memref<?xf32>
  gpu.func @known_block(%a: memref<?xf32>, %w: i32, %v: f32) kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c16 = arith.constant 16 : index
    %by = gpu.block_id y
    %ty = gpu.thread_id y
    %n = arith.index_cast %w : i32 to index
    %rows = arith.muli %n, %c16 : index
    %begin = arith.muli %rows, %by : index
    %end = arith.addi %begin, %n : index
    %view = memref.reinterpret_cast %a to offset: [0], sizes: [64, %n], strides: [%n, 1] : memref<?xf32> to memref<64x?xf32, strided<[?, 1]>>
    affine.for %i = %begin to %end step 16 {
      affine.store %v, %view[symbol(%ty), %i] : memref<64x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
