// RUN: gpuopt-opt %s --gpuopt-raise | FileCheck %s

// The naive matrix product from flat form to the form that
// docs/Architecture.md shows.

// CHECK-LABEL: gpu.func @mm
// CHECK-SAME: (%[[A:.*]]: memref<?xf32> {{.*}}, %[[B:.*]]: memref<?xf32> {{.*}}, %[[C:.*]]: memref<?xf32> {{.*}}, %[[M:.*]]: i32 {{.*}}, %[[N:.*]]: i32 {{.*}}, %[[K:.*]]: i32 {{.*}}) kernel
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[MI:.*]] = arith.index_cast %[[M]] : i32 to index
// CHECK-DAG: %[[NI:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK-DAG: %[[KI:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK-DAG: %[[IDX:.*]] = gpu.global_id x
// CHECK-DAG: %[[IDY:.*]] = gpu.global_id y
// CHECK-DAG: %[[A2:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%[[MI]], %[[KI]]], strides: [%[[KI]], 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
// CHECK-DAG: %[[B2:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [%[[KI]], %[[NI]]], strides: [%[[NI]], 1]
// CHECK-DAG: %[[C2:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [%[[MI]], %[[NI]]], strides: [%[[NI]], 1]
// CHECK: %[[GX:.*]] = arith.cmpi slt, %[[IDX]], %[[NI]] : index
// CHECK: %[[GY:.*]] = arith.cmpi slt, %[[IDY]], %[[MI]] : index
// CHECK: %[[GUARD:.*]] = arith.andi %[[GX]], %[[GY]]
// CHECK: scf.if %[[GUARD]] {
// CHECK:   %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to %[[KI]] iter_args(%[[S:.*]] = %[[ZERO]]) -> (f32) {
// CHECK:     %[[X:.*]] = affine.load %[[A2]][symbol(%[[IDY]]), %[[I]]]
// CHECK:     %[[Y:.*]] = affine.load %[[B2]][%[[I]], symbol(%[[IDX]])]
// CHECK:     %[[P:.*]] = arith.mulf %[[X]], %[[Y]] fastmath<contract>
// CHECK:     %[[T:.*]] = arith.addf %[[S]], %[[P]] fastmath<contract>
// CHECK:     affine.yield %[[T]]
// CHECK:   }
// CHECK:   affine.store %[[SUM]], %[[C2]][symbol(%[[IDY]]), symbol(%[[IDX]])]
// CHECK: }
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}, %c: memref<?xf32> {gpuopt.name = "c"},
               %m: i32 {gpuopt.name = "m"}, %n: i32 {gpuopt.name = "n"}, %k: i32 {gpuopt.name = "k"}) kernel {
    %bx = gpu.block_id x
    %bx32 = arith.index_cast %bx : index to i32
    %dx = gpu.block_dim x
    %dx32 = arith.index_cast %dx : index to i32
    %tx = gpu.thread_id x
    %tx32 = arith.index_cast %tx : index to i32
    %0 = arith.muli %bx32, %dx32 : i32
    %idx = arith.addi %0, %tx32 : i32
    %by = gpu.block_id y
    %by32 = arith.index_cast %by : index to i32
    %dy = gpu.block_dim y
    %dy32 = arith.index_cast %dy : index to i32
    %ty = gpu.thread_id y
    %ty32 = arith.index_cast %ty : index to i32
    %1 = arith.muli %dy32, %by32 : i32
    %idy = arith.addi %ty32, %1 : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %true = arith.constant true
    %g0 = arith.cmpi sge, %idx, %n : i32
    %g1 = arith.cmpi sge, %idy, %m : i32
    %g = arith.select %g0, %true, %g1 : i1
    scf.if %g {
    } else {
      %sum = scf.for %i = %c0 to %k step %c1 iter_args(%s = %zero) -> (f32) : i32 {
        %2 = arith.muli %idy, %k overflow<nsw> : i32
        %3 = arith.addi %2, %i overflow<nsw> : i32
        %4 = arith.extsi %3 : i32 to i64
        %5 = arith.index_cast %4 : i64 to index
        %x = memref.load %a[%5] : memref<?xf32>
        %6 = arith.muli %i, %n overflow<nsw> : i32
        %7 = arith.addi %6, %idx overflow<nsw> : i32
        %8 = arith.extsi %7 : i32 to i64
        %9 = arith.index_cast %8 : i64 to index
        %y = memref.load %b[%9] : memref<?xf32>
        %p = arith.mulf %x, %y fastmath<contract> : f32
        %t = arith.addf %s, %p fastmath<contract> : f32
        scf.yield %t : f32
      }
      %10 = arith.muli %idy, %n overflow<nsw> : i32
      %11 = arith.addi %10, %idx overflow<nsw> : i32
      %12 = arith.extsi %11 : i32 to i64
      %13 = arith.index_cast %12 : i64 to index
      memref.store %sum, %c[%13] : memref<?xf32>
    }
    gpu.return
  }
}
