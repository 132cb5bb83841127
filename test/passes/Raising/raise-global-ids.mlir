// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-global-ids)))' | FileCheck %s

gpu.module @kernels {
  // int i = blockIdx.x * blockDim.x + threadIdx.x, in any order of operands.
  // CHECK-LABEL: gpu.func @flat
  // CHECK: %[[ID:.*]] = gpu.global_id x
  // CHECK: %[[I:.*]] = arith.index_cast %[[ID]] : index to i32
  // CHECK-NOT: gpu.block_id
  // CHECK: memref.store %[[I]]
  gpu.func @flat(%a: memref<?xi32>, %at: index) kernel {
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %t = gpu.thread_id x
    %bi = arith.index_cast %b : index to i32
    %di = arith.index_cast %d : index to i32
    %ti = arith.index_cast %t : index to i32
    %p = arith.muli %di, %bi : i32
    %i = arith.addi %ti, %p : i32
    memref.store %i, %a[%at] : memref<?xi32>
    gpu.return
  }

  // Constants in between, 64 bits, y: (blockIdx.y * blockDim.y + 3) + threadIdx.y
  // CHECK-LABEL: gpu.func @offset
  // CHECK: %[[ID:.*]] = gpu.global_id y
  // CHECK: affine.apply #{{.*}}()[%[[ID]]]
  // CHECK-NOT: gpu.thread_id
  // CHECK: gpu.return
  gpu.func @offset(%a: memref<?xi64>, %at: index) kernel {
    %c3 = arith.constant 3 : i64
    %b = gpu.block_id y
    %d = gpu.block_dim y
    %t = gpu.thread_id y
    %bi = arith.index_cast %b : index to i64
    %di = arith.index_cast %d : index to i64
    %ti = arith.index_cast %t : index to i64
    %p = arith.muli %bi, %di : i64
    %q = arith.addi %p, %c3 : i64
    %i = arith.addi %q, %ti : i64
    memref.store %i, %a[%at] : memref<?xi64>
    gpu.return
  }

  // Blocks of one thread: the block's id is the work item's.
  // CHECK-LABEL: gpu.func @single
  // CHECK-NOT: known_block_size
  // CHECK: %[[ID:.*]] = gpu.global_id x
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[ID]]]
  gpu.func @single(%a: memref<?xf32>, %v: f32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %b = gpu.block_id x
    memref.store %v, %a[%b] : memref<?xf32>
    gpu.return
  }

  // Of a known size, in maps as well; a result in which ids stand apart stays.
  // CHECK-LABEL: gpu.func @in_maps
  // CHECK: %[[ID:.*]] = gpu.global_id x
  // CHECK: affine.load %{{.*}}[symbol(%[[ID]]) * 2 + 1] : memref<?xf32>
  // CHECK: %[[OTHER:.*]] = gpu.global_id x
  // CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%thread_id_x), symbol(%[[OTHER]])] : memref<32x?xf32>
  // CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%block_id_x) * 16 + symbol(%thread_id_x)] : memref<?xf32>
  gpu.func @in_maps(%a: memref<?xf32>, %b: memref<32x?xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %x = affine.load %a[symbol(%block) * 64 + symbol(%thread) * 2 + 1] : memref<?xf32>
    affine.store %x, %b[symbol(%thread), symbol(%block) * 32 + symbol(%thread)] : memref<32x?xf32>
    affine.store %x, %a[symbol(%block) * 16 + symbol(%thread)] : memref<?xf32>
    gpu.return
  }
}
