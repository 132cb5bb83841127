// RUN: gpuopt-opt %s --gpuopt-optimize="target=sm_90" --remarks-filter=gpuopt --remark-format=emitRemark \
// RUN:   --verify-diagnostics | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-optimize="target=sm_90" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: not gpuopt-opt %s --gpuopt-optimize="target=sm_91" 2>&1 | FileCheck %s --check-prefix=TARGET

// PASSES: gpuopt-assign-geometry
// PASSES: gpuopt-coalesce-accesses
// PASSES: gpuopt-merge-for-target{
// PASSES: gpuopt-pad-tiles
// PASSES: gpuopt-version-guards
// PASSES: gpuopt-version-alignment
// PASSES: gpuopt-distribute-tiles
// PASSES: gpuopt-unroll-tiles
// PASSES: gpuopt-vectorize-accesses
// PASSES: gpuopt-eliminate-bank-conflicts

// TARGET: error: unknown target 'sm_91'

// The naive matrix product: both operands through workgroup memory, a thread
// computes 8 x 8 elements. Tiles are filled two iterations ahead and read in 16 bytes,
// 8 + 8 loads for 4 steps of 64 products, by all blocks in one loop: the last tile ends in
// zeros. Blocks inside, in launches with aligned rows and arrays, fill full tiles by
// asynchronous copies of 16 bytes, and store 16 bytes at a time; others element by element,
// under guards, by asynchronous copies as well.

// CHECK-LABEL: gpu.func @mm(
// CHECK-SAME: memref<3x128x16xf32{{.*}}memref<3x16x128xf32
// CHECK-SAME: gpuopt.fallback = @mm__original
// CHECK-SAME: block = [16, 16, 1], items_per_thread = [8, 8, 1], items_per_block = [128, 128, 1]
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[NEGATIVE:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: affine.for {{.*}} step 16 iter_args
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-4: nvgpu.device_async_copy {{.*}}, 4
// CHECK: } else {
// CHECK: affine.for %{{.*}} = 0 to 8 {
// CHECK: scf.if
// CHECK: nvgpu.device_async_copy {{.*}}, 1 : {{.*}} to memref<3x128x16xf32
// CHECK: } else {
// CHECK-NEXT: affine.store %[[NEGATIVE]], {{.*}} : memref<3x128x16xf32
// CHECK: } {gpuopt.rolled}
// CHECK: affine.for %{{.*}} = 0 to 8 {
// CHECK: scf.if
// CHECK: nvgpu.device_async_copy {{.*}}, 1 : {{.*}} to memref<3x16x128xf32
// CHECK: } else {
// CHECK-NEXT: affine.store %[[ZERO]], {{.*}} : memref<3x16x128xf32
// CHECK: } {gpuopt.rolled}
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: affine.for %{{.*}} = 0 to 16 step 4 iter_args
// CHECK-NOT: scf.if
// CHECK-NOT: affine.for
// CHECK-NOT: affine.load
// CHECK-COUNT-8: vector.load %{{.*}} : memref<3x128x16xf32
// CHECK-COUNT-8: vector.load %{{.*}} : memref<3x16x128xf32
// CHECK-NOT: vector.load
// CHECK-NOT: gpu.barrier
// CHECK: affine.yield
// CHECK-COUNT-16: vector.store %{{.*}} : memref<?x?xf32
// CHECK: } else {
// CHECK-COUNT-64: affine.store %{{.*}} : memref<?x?xf32
// CHECK: gpu.func @mm__original
gpu.module @kernels {
  // expected-remark@below {{launched in blocks of 16x16x1}}
  // expected-remark@below {{merge 1 x 1 x 1 blocks, 8 x 8 x 1 threads}}
  // expected-remark@below {{a thread does the work of 4 along x, next to each other}}
  // expected-remark@below {{a thread does the work of 2 along x}}
  // expected-remark@below {{a thread does the work of 8 along y}}
  // expected-remark@below {{blocks that lie wholly inside run without guards}}
  // expected-remark@below {{2 of 2 workgroup array(s) have no bank conflict}}
  // expected-remark@below {{blocks work in groups of 16 rows, column by column}}
  gpu.func @mm(%a: memref<?xf32> {gpuopt.name = "a", llvm.noalias, llvm.readonly},
               %b: memref<?xf32> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
               %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias},
               %m: i32 {gpuopt.name = "m"}, %n: i32 {gpuopt.name = "n"}, %k: i32 {gpuopt.name = "k"})
      kernel attributes {gpuopt.source_name = "mm"} {
    %c0 = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %mi = arith.index_cast %m : i32 to index
    %ni = arith.index_cast %n : i32 to index
    %ki = arith.index_cast %k : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%mi, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%ki, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%mi, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %ni : index
    %gy = arith.cmpi slt, %idy, %mi : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      // expected-remark@below {{no barrier between the loads of workgroup array 0}}
      // expected-remark@below {{no barrier between the loads of workgroup array 1}}
      // expected-remark@below {{the tiles of the next iterations are loaded ahead, by asynchronous copies}}
      // expected-remark@below {{tiles end in zeros that add nothing to the sums, so that all of them are full}}
      %sum = affine.for %i = 0 to %ki iter_args(%s = %c0) -> (f32) {
        // expected-remark@below {{broadcast load goes through a tile [16][16]}}
        // expected-remark@below {{launches with aligned rows and arrays have a version of their own}}
        // expected-remark@below {{a thread takes 4 of the elements [128][16] at a time}}
        // expected-remark@below {{loads of a tile of 4 neighbouring elements are one}}
        // expected-remark@below {{a thread takes 1 of the elements [128][16] at a time}}
        // expected-remark@below {{vectors are not wider: the loop does more than copy}}
        %x = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
        // expected-remark@below {{coalesced load goes through a tile [16][16]}}
        // expected-remark@below {{a thread takes 4 of the elements [16][128] at a time}}
        // expected-remark@below {{a thread takes 1 of the elements [16][128] at a time}}
        // expected-remark@below {{vectors are not wider: the loop does more than copy}}
        %y = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
        %p = arith.mulf %x, %y fastmath<contract> : f32
        %t = arith.addf %s, %p fastmath<contract> : f32
        affine.yield %t : f32
      }
      // expected-remark@below {{stores to c of 4 neighbouring elements are one}}
      affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
