// RUN: gpuopt-opt %s --gpuopt-reorder-accesses="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

#line = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [64, 1, 1]>

gpu.module @kernels {
  // Rows of 32 fill the banks: each thread starts at another element of its row. Sums of integers may wrap around on the way.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK: %[[T:.*]] = gpu.thread_id x
  // CHECK: %[[START:.*]] = arith.remui %{{.*}}, %c32{{.*}} : index
  // CHECK: affine.for %[[J:.*]] = 0 to 32
  // CHECK: %[[MOVED:.*]] = arith.addi %[[J]], %[[START]]
  // CHECK: %[[WRAPPED:.*]] = arith.subi %[[MOVED]], %{{.*}}
  // CHECK: %[[K:.*]] = arith.select %{{.*}}, %[[WRAPPED]], %[[MOVED]]
  // CHECK: %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[K]] : index
  // CHECK: memref.load %{{.*}}[%{{.*}}, %[[COLUMN]]]
  // CHECK: arith.addi %{{.*}}, %{{.*}} : i32
  gpu.func @rows(%out: memref<?xi32>)
      workgroup(%tile: memref<64x32xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    gpu.barrier
    // expected-remark@below {{each 1 thread(s) start the loop an iteration further on: conflict degree 32 becomes 1}}
    %sum = affine.for %k = 0 to 32 iter_args(%s = %zero) -> (i32) {
      %v = affine.load %tile[%t, %k] : memref<64x32xi32, #gpu.address_space<workgroup>>
      %n = arith.addi %s, %v overflow<nsw> : i32
      affine.yield %n : i32
    }
    affine.store %sum, %out[%t] : memref<?xi32>
    gpu.return
  }
}

// -----

#line = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [64, 1, 1]>

gpu.module @kernels {
  // Four rows of eight fill the banks: four threads start together. The order of floating-point sums may change.
  // CHECK-LABEL: gpu.func @short_rows(
  // CHECK: %[[GROUP:.*]] = arith.divui %{{.*}}, %c4{{.*}} : index
  // CHECK: %[[START:.*]] = arith.remui %[[GROUP]], %c8{{.*}} : index
  // CHECK: %[[OFFSET:.*]] = arith.muli %[[START]], %c2{{.*}} : index
  // CHECK: affine.for %{{.*}} = 2 to 18 step 2
  // CHECK: arith.addi %{{.*}}, %[[OFFSET]]
  gpu.func @short_rows(%out: memref<?xf32>)
      workgroup(%tile: memref<64x8xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    gpu.barrier
    // expected-remark@below {{each 4 thread(s) start the loop an iteration further on: conflict degree 8 becomes 1}}
    %product = affine.for %k = 2 to 18 step 2 iter_args(%s = %one) -> (f32) {
      %v = affine.load %tile[%t, %k floordiv 2 - 1] : memref<64x8xf32, #gpu.address_space<workgroup>>
      %n = arith.mulf %s, %v fastmath<reassoc> : f32
      affine.yield %n : f32
    }
    affine.store %product, %out[%t] : memref<?xf32>
    gpu.return
  }
}

// -----

#plane = #gpuopt.geometry<block = [8, 8, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [8, 8, 1]>

gpu.module @kernels {
  // The threads of a subgroup are told apart by y as well.
  // CHECK-LABEL: gpu.func @plane(
  // CHECK-DAG: %[[X:.*]] = gpu.thread_id x
  // CHECK-DAG: %[[Y:.*]] = gpu.thread_id y
  // CHECK: arith.muli %{{.*}}, %c8{{.*}} : index
  // CHECK: arith.remui %{{.*}}, %c32{{.*}} : index
  gpu.func @plane(%out: memref<?xi32>)
      workgroup(%tile: memref<8x8x32xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #plane} {
    %zero = arith.constant 0 : i32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    gpu.barrier
    // expected-remark@below {{conflict degree 32 becomes 1}}
    %sum = affine.for %k = 0 to 32 iter_args(%s = %zero) -> (i32) {
      %v = affine.load %tile[%y, %x, %k] : memref<8x8x32xi32, #gpu.address_space<workgroup>>
      %n = arith.ori %s, %v : i32
      affine.yield %n : i32
    }
    affine.store %sum, %out[%x + 8 * %y] : memref<?xi32>
    gpu.return
  }
}
