// RUN: gpuopt-opt %s --gpuopt-assume-block-shape --canonicalize | FileCheck %s

// Loops by which the threads of a block take turns with elements: as often in
// all threads, once in some of them, or once more in some of them, which stays.

// CHECK-LABEL: gpu.func @loops(
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: affine.for %[[K:.*]] = 0 to 16 {
// CHECK-NEXT: affine.store %{{.*}}, %{{.*}}[%[[K]] * 64 + symbol(%[[T]])]
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[T]], %c40
// CHECK-NEXT: scf.if %[[RUNS]] {
// CHECK-NEXT:   affine.store %{{.*}}, %{{.*}}[symbol(%[[T]]) + 1]
// CHECK: %[[START:.*]] = affine.apply #{{.*}}()[%[[T]]]
// CHECK-NEXT: %[[RUNS2:.*]] = arith.cmpi slt, %[[START]], %c100
// CHECK-NEXT: %[[SUM:.*]] = scf.if %[[RUNS2]] -> (f32) {
// CHECK-NEXT:   affine.load %{{.*}}[symbol(%[[T]]) * 2]
// CHECK:   } else {
// CHECK-NEXT: scf.yield %cst
// CHECK: affine.for %[[I:.*]] = %[[T]] to 100 step 64 {
// CHECK-NEXT: affine.store %[[SUM]], %{{.*}}[%[[I]]]
gpu.module @kernels {
  gpu.func @loops(%a: memref<?xf32>) workgroup(%s: memref<1024xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.launch_block = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    affine.for %i = %t to 1024 step 64 {
      affine.store %zero, %s[%i] : memref<1024xf32, #gpu.address_space<workgroup>>
    }
    affine.for %i = %t to 40 step 64 {
      affine.store %zero, %s[%i + 1] : memref<1024xf32, #gpu.address_space<workgroup>>
    }
    %sum = affine.for %i = affine_map<(d0) -> (d0 * 2)>(%t) to 100 step 128 iter_args(%acc = %zero) -> (f32) {
      %x = affine.load %s[%i] : memref<1024xf32, #gpu.address_space<workgroup>>
      %y = arith.addf %acc, %x : f32
      affine.yield %y : f32
    }
    affine.for %i = %t to 100 step 64 {
      affine.store %sum, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}
