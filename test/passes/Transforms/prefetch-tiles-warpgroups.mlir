// RUN: gpuopt-opt %s --gpuopt-prefetch-tiles=target=sm_90a --canonicalize --cse --split-input-file | FileCheck %s

// Of four stages two are filled ahead: the products of the iteration before may
// still read a third one, and are waited for behind the barrier in front of
// which all have begun the next. Behind the loop all are done.

// CHECK-LABEL: gpu.func @product
// CHECK-SAME:    workgroup(%[[TILE:.*]] : memref<4x64x32xf32
// CHECK-COUNT-2: nvvm.cp.async.commit.group
// CHECK-NOT:     nvvm.cp.async.commit.group
// CHECK:         %[[SUMS:.*]]:4 = affine.for %[[I:.*]] = 0 to %arg2 step 32
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK-NEXT:      gpu.barrier
// CHECK:           scf.if
// CHECK:             nvgpu.device_async_copy
// CHECK:           nvvm.cp.async.commit.group
// CHECK:           gpuopt.matrix_descriptor %[[TILE]][%{{.*}}, %c0, %c0] : memref<4x64x32xf32
// CHECK:           gpuopt.warpgroup_product {{.*}}pending = 1
// CHECK-NOT:       gpu.barrier
// CHECK:         }
// CHECK:         %[[DONE:.*]]:4 = gpuopt.warpgroup_wait %[[SUMS]]#0, %[[SUMS]]#1, %[[SUMS]]#2, %[[SUMS]]#3 : f32
// CHECK-NEXT:    gpu.barrier
// CHECK:         affine.store %[[DONE]]#0
gpu.module @kernels {
  gpu.func @product(%a: memref<64x?xf32> {llvm.noalias, llvm.readonly}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<64x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 4, 1], items_per_thread = [1, 1, 1], items_per_block = [32, 4, 1]>} {
    %zero = arith.constant 0.0 : f32
    %first = arith.constant 0 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %sums:4 = affine.for %i = 0 to %n step 32 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (f32, f32, f32, f32) {
      %x = affine.load %a[symbol(%ty), %i + symbol(%tx)] : memref<64x?xf32>
      affine.store %x, %tile[symbol(%ty), symbol(%tx)] : memref<64x32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %d = gpuopt.matrix_descriptor %tile[%first, %first] : memref<64x32xf32, #gpu.address_space<workgroup>>
      %new:4 = gpuopt.warpgroup_product %d, %d, %s0, %s1, %s2, %s3
          {shape = array<i64: 64, 8, 8>, operands = f32, steps = 4 : i64, row_step = 32 : i64, column_step = 32 : i64} : f32
      gpu.barrier
      affine.yield %new#0, %new#1, %new#2, %new#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%tx)] : memref<?xf32>
    gpu.return
  }
}

// -----

// What is done with sums in the loop has to wait for them.

// CHECK-LABEL: gpu.func @scaled
// CHECK-COUNT-3: nvvm.cp.async.commit.group
// CHECK:         affine.for
// CHECK:           nvvm.cp.async.wait.group 2
// CHECK:           gpuopt.warpgroup_product
// CHECK-NOT:       pending
// CHECK:           arith.addf
// CHECK-NOT:     gpuopt.warpgroup_wait
// CHECK:         gpu.return
gpu.module @kernels {
  gpu.func @scaled(%a: memref<64x?xf32> {llvm.noalias, llvm.readonly}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<64x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 4, 1], items_per_thread = [1, 1, 1], items_per_block = [32, 4, 1]>} {
    %zero = arith.constant 0.0 : f32
    %first = arith.constant 0 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %sums:4 = affine.for %i = 0 to %n step 32 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero) -> (f32, f32, f32, f32) {
      %x = affine.load %a[symbol(%ty), %i + symbol(%tx)] : memref<64x?xf32>
      affine.store %x, %tile[symbol(%ty), symbol(%tx)] : memref<64x32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %d = gpuopt.matrix_descriptor %tile[%first, %first] : memref<64x32xf32, #gpu.address_space<workgroup>>
      %new:4 = gpuopt.warpgroup_product %d, %d, %s0, %s1, %s2, %s3
          {shape = array<i64: 64, 8, 8>, operands = f32, steps = 4 : i64, row_step = 32 : i64, column_step = 32 : i64} : f32
      %twice = arith.addf %new#0, %new#0 : f32
      gpu.barrier
      affine.yield %twice, %new#1, %new#2, %new#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%tx)] : memref<?xf32>
    gpu.return
  }
}
