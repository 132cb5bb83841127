// RUN: gpuopt-opt %s -split-input-file \
// RUN:   --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-promote-memory)))' | FileCheck %s

gpu.module @kernels {
  // The element was stored right before: no load, and the store may happen even
  // if the loop does not run.
  // CHECK-LABEL: gpu.func @initialised(
  // CHECK-SAME:    %[[A:.*]]: memref<?xf32> {llvm.noalias}, %[[C:.*]]: memref<?xf32> {llvm.noalias}, %[[N:.*]]: index)
  // CHECK:       %[[INIT:.*]] = arith.constant 0.0
  // CHECK-NOT:   memref.store
  // CHECK:       %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[INIT]]) -> (f32) {
  // CHECK:         %[[X:.*]] = memref.load %[[A]]
  // CHECK-NOT:     memref.{{load|store}}
  // CHECK:         %[[T:.*]] = arith.addf %[[S]], %[[X]]
  // CHECK:         scf.yield %[[T]]
  // CHECK:       memref.store %[[SUM]], %[[C]]
  gpu.func @initialised(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    memref.store %zero, %c[%id] : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %a[%i] : memref<?xf32>
      %s = memref.load %c[%id] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      memref.store %t, %c[%id] : memref<?xf32>
    }
    gpu.return
  }

  // Nothing is known before the loop: no store where it does not run. The guard
  // of the inner loop leaves the outer one, which then keeps the element too.
  // CHECK-LABEL: gpu.func @guarded(
  // CHECK-SAME:    %{{.*}}: memref<?xf32> {llvm.noalias}, %[[C:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index)
  // CHECK:       %[[INNER:.*]] = arith.cmpi slt, %{{.*}}, %[[M]]
  // CHECK:       scf.if %[[INNER]] {
  // CHECK:         %[[OUTER:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
  // CHECK:         scf.if %[[OUTER]] {
  // CHECK:           memref.load %[[C]]
  // CHECK:           scf.for
  // CHECK-NOT:         memref.store
  // CHECK:             scf.for
  // CHECK-NOT:           memref.load %[[C]]
  // CHECK:           memref.store %{{.*}}, %[[C]]
  // CHECK-NOT:   memref.store
  gpu.func @guarded(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32>, %n: index, %m: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c1 {
        %x = memref.load %a[%j] : memref<?xf32>
        %s = memref.load %c[%id] : memref<?xf32>
        %t = arith.addf %s, %x : f32
        memref.store %t, %c[%id] : memref<?xf32>
      }
    }
    gpu.return
  }
}

// The same in raised form, where the element has an affine subscript; the loop may not run at all.
// CHECK-LABEL: gpu.func @affine(
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[RUNS]] {
// CHECK:   %[[INIT:.*]] = affine.load %{{.*}}[symbol(%{{.*}}) + 1]
// CHECK:   %[[SUM:.*]] = affine.for {{.*}} iter_args(%[[S:.*]] = %[[INIT]]) -> (f32) {
// CHECK:     %[[T:.*]] = arith.addf %[[S]]
// CHECK:     affine.yield %[[T]]
// CHECK:   affine.store %[[SUM]], %{{.*}}[symbol(%{{.*}}) + 1]
gpu.module @raised {
  gpu.func @affine(%a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %id = gpu.global_id x
    affine.for %i = 0 to %n {
      %x = affine.load %a[%i] : memref<?xf32>
      %s = affine.load %c[symbol(%id) + 1] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %c[symbol(%id) + 1] : memref<?xf32>
    }
    gpu.return
  }
}
