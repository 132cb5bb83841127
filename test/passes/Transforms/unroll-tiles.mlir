// RUN: gpuopt-opt %s --gpuopt-unroll-tiles="max-trip-count=16 max-operations=64" | FileCheck %s

gpu.module @kernels {
  // A loop over a tile goes; one that is too long, holds a barrier or reads no
  // workgroup memory stays. One that is too large goes in part.
  // CHECK-LABEL: gpu.func @loops
  // CHECK-COUNT-4: affine.load
  // CHECK: affine.for %{{.*}} = 0 to 17 {
  // CHECK: affine.for %{{.*}} = 0 to 16 step 8 {
  // CHECK-COUNT-8: affine.load
  // CHECK: affine.for %{{.*}} = 0 to 2 {
  // CHECK: affine.for %{{.*}} = 0 to 3 {
  // CHECK-NOT: affine.for
  gpu.func @loops(%a: memref<?xf32>)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    affine.for %i = 0 to 4 {
      %v = affine.load %tile[%i] : memref<32xf32, #gpu.address_space<workgroup>>
      affine.store %v, %a[%i] : memref<?xf32>
    }
    affine.for %i = 0 to 17 {
      %v = affine.load %tile[%i] : memref<32xf32, #gpu.address_space<workgroup>>
      affine.store %v, %a[%i] : memref<?xf32>
    }
    affine.for %i = 0 to 16 {
      %v = affine.load %tile[%i] : memref<32xf32, #gpu.address_space<workgroup>>
      %w = arith.addf %v, %v : f32
      %x = arith.addf %w, %w : f32
      affine.store %x, %a[%i] : memref<?xf32>
    }
    affine.for %i = 0 to 2 {
      %v = affine.load %tile[%i] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
    }
    affine.for %i = 0 to 3 {
      %v = affine.load %a[%i] : memref<?xf32>
      affine.store %v, %a[%i + 1] : memref<?xf32>
    }
    gpu.return
  }
}
