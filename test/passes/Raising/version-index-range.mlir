// RUN: gpuopt-opt %s --gpuopt-raise | FileCheck %s

// `unsigned` arithmetic may wrap: an exact version stands beside the original.
// CHECK-LABEL: gpu.func @transpose
// CHECK: arith.cmpi ule
// CHECK: scf.if
// CHECK: affine.load %{{.*}}[symbol(%{{.*}}), symbol(%{{.*}})] : memref<?x?xf32
// CHECK: } else {
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xf32>
gpu.module @kernels {
  gpu.func @transpose(%a: memref<?xf32>, %c: memref<?xf32>, %h: i32, %w: i32) kernel {
    %ix = gpu.global_id x
    %iy = gpu.global_id y
    %x = arith.index_cast %ix : index to i32
    %y = arith.index_cast %iy : index to i32
    %gx = arith.cmpi ult, %x, %w : i32
    %gy = arith.cmpi ult, %y, %h : i32
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %0 = arith.muli %y, %w : i32
      %1 = arith.addi %0, %x : i32
      %2 = arith.index_castui %1 : i32 to index
      %v = memref.load %a[%2] : memref<?xf32>
      memref.store %v, %c[%ix] : memref<?xf32>
    }
    gpu.return
  }
}

// A comparison of what may wrap is one of indices in the version.
// CHECK-LABEL: gpu.func @offset
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %arg1 : i32
// CHECK: %[[EXACT:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: scf.if
// CHECK: scf.if %[[EXACT]] {
// CHECK: affine.store
// CHECK: } else {
// CHECK: scf.if %[[INSIDE]] {
gpu.module @comparisons {
  gpu.func @offset(%a: memref<?xf32>, %n: i32, %first: i32, %v: f32) kernel {
    %ix = gpu.global_id x
    %x = arith.index_cast %ix : index to i32
    %0 = arith.addi %x, %first : i32
    %g = arith.cmpi slt, %0, %n : i32
    scf.if %g {
      %1 = arith.index_cast %0 : i32 to index
      memref.store %v, %a[%1] : memref<?xf32>
    }
    gpu.return
  }
}
