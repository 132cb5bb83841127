// RUN: gpuopt-opt %s --gpuopt-reorder-accesses="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s
// CHECK-NOT: arith.remui

#line = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [64, 1, 1]>

gpu.module @kernels {
  // Nobody has allowed another order of these sums.
  gpu.func @strict(%out: memref<?xf32>)
      workgroup(%tile: memref<64x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    gpu.barrier
    %sum = affine.for %k = 0 to 32 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %tile[%t, %k] : memref<64x32xf32, #gpu.address_space<workgroup>>
      // expected-remark@below {{reassoc}}
      %n = arith.addf %s, %v : f32
      affine.yield %n : f32
    }
    affine.store %sum, %out[%t] : memref<?xf32>
    gpu.return
  }

  // All threads load the same element of %w at a time, which is one sector.
  gpu.func @broadcast(%w: memref<?xi32>, %out: memref<?xi32>)
      workgroup(%tile: memref<64x32xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    gpu.barrier
    // expected-remark@below {{would not save enough wavefronts}}
    %sum = affine.for %k = 0 to 32 iter_args(%s = %zero) -> (i32) {
      %v = affine.load %tile[%t, %k] : memref<64x32xi32, #gpu.address_space<workgroup>>
      %x = affine.load %w[%k] : memref<?xi32>
      %p = arith.muli %v, %x : i32
      %n = arith.addi %s, %p : i32
      affine.yield %n : i32
    }
    affine.store %sum, %out[%t] : memref<?xi32>
    gpu.return
  }

  // Two threads in a bank cost less than the new index: nothing is said.
  gpu.func @pairs(%out: memref<?xi32>)
      workgroup(%tile: memref<64x34xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    gpu.barrier
    %sum = affine.for %k = 0 to 34 iter_args(%s = %zero) -> (i32) {
      %v = affine.load %tile[%t, %k] : memref<64x34xi32, #gpu.address_space<workgroup>>
      %n = arith.addi %s, %v : i32
      affine.yield %n : i32
    }
    affine.store %sum, %out[%t] : memref<?xi32>
    gpu.return
  }

  // What lanes exchange has to be of the same iteration.
  gpu.func @shuffle(%out: memref<?xi32>)
      workgroup(%tile: memref<64x32xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    gpu.barrier
    %sum = affine.for %k = 0 to 32 iter_args(%s = %zero) -> (i32) {
      %v = affine.load %tile[%t, %k] : memref<64x32xi32, #gpu.address_space<workgroup>>
      // expected-remark@below {{may concern threads that are in other iterations then}}
      %o, %valid = gpu.shuffle xor %v, %one, %width : i32
      %n = arith.addi %s, %o : i32
      affine.yield %n : i32
    }
    affine.store %sum, %out[%t] : memref<?xi32>
    gpu.return
  }

  // The array of the thread's own is in registers as long as all its subscripts are known.
  gpu.func @registers(%out: memref<?xi32>)
      workgroup(%tile: memref<64x32xi32, #gpu.address_space<workgroup>>)
      private(%own: memref<32xi32, #gpu.address_space<private>>)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    gpu.barrier
    %sum = affine.for %k = 0 to 32 iter_args(%s = %zero) -> (i32) {
      %v = affine.load %tile[%t, %k] : memref<64x32xi32, #gpu.address_space<workgroup>>
      // expected-remark@below {{this array of the thread's own would have to be in memory}}
      %x = affine.load %own[%k] : memref<32xi32, #gpu.address_space<private>>
      %p = arith.muli %v, %x : i32
      %n = arith.addi %s, %p : i32
      affine.yield %n : i32
    }
    affine.store %sum, %out[%t] : memref<?xi32>
    gpu.return
  }

  // An iteration writes.
  gpu.func @writes(%out: memref<?xi32>)
      workgroup(%tile: memref<64x32xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    gpu.barrier
    %sum = affine.for %k = 0 to 32 iter_args(%s = %zero) -> (i32) {
      %v = affine.load %tile[%t, %k] : memref<64x32xi32, #gpu.address_space<workgroup>>
      %n = arith.addi %s, %v : i32
      // expected-remark@below {{an iteration writes memory here}}
      affine.store %v, %tile[%t, %k] : memref<64x32xi32, #gpu.address_space<workgroup>>
      affine.yield %n : i32
    }
    affine.store %sum, %out[%t] : memref<?xi32>
    gpu.return
  }
}
