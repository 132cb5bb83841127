// RUN: gpuopt-opt %s --gpuopt-multiplex-workgroup-memory="factor=2 target=nvidia-gtx285" --canonicalize --cse --split-input-file | FileCheck %s

// Figure 5.3 of Yang 2012: an exchange through workgroup memory. What is loaded
// for it stays in front, for the threads of both blocks together.

// CHECK-LABEL: gpu.func @exchange
// CHECK-SAME: workgroup(%[[S:.*]] : memref<256xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME: gpuopt.geometry = #gpuopt.geometry<original_block = [64, 1, 1], block = [128, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [128, 1, 1]>
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[V:.*]] = affine.apply #{{.*}}()[%[[T]]]
// CHECK: %[[IS0:.*]] = arith.cmpi eq, %[[V]], %c0
// CHECK: %[[IS1:.*]] = arith.cmpi eq, %[[V]], %c1
// CHECK: %[[A:.*]] = affine.load %{{.*}}[symbol(%[[T]]) + symbol(%{{.*}}) * 128]
// CHECK: scf.if %[[IS0]] {
// CHECK:   affine.store %[[A]], %[[S]]
// CHECK: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[B0:.*]] = scf.if %[[IS0]] -> (f32) {
// CHECK-NEXT:   %[[L0:.*]] = affine.load %[[S]]
// CHECK-NEXT:   scf.yield %[[L0]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %cst
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.if %[[IS1]] {
// CHECK:   affine.store %[[A]], %[[S]]
// CHECK: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[B:.*]] = scf.if %[[IS1]] -> (f32) {
// CHECK-NEXT:   %[[L1:.*]] = affine.load %[[S]]
// CHECK-NEXT:   scf.yield %[[L1]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %[[B0]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[C:.*]] = arith.mulf %[[B]], %[[B]]
// CHECK-NEXT: affine.store %[[C]]
gpu.module @kernels {
  gpu.func @exchange(%in: memref<?xf32>, %out: memref<?xf32>)
      workgroup(%s: memref<256xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, gpuopt.geometry = #gpuopt.geometry<
          original_block = [64, 1, 1], block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %a = affine.load %in[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    affine.store %a, %s[symbol(%t) * 4] : memref<256xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = affine.load %s[-symbol(%t) * 4 + 252] : memref<256xf32, #gpu.address_space<workgroup>>
    %c = arith.mulf %v, %v : f32
    affine.store %c, %out[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Figure 5.5: all that the second exchange loads it has stored, so it is another
// region; while one block has the memory, the other one computes.

// CHECK-LABEL: gpu.func @twice
// CHECK: %[[IS0:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: %[[IS1:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK: scf.if %[[IS0]] {
// CHECK: gpu.barrier
// CHECK-NEXT: %[[V0:.*]] = scf.if %[[IS0]] -> (f32) {
// CHECK: gpu.barrier
// CHECK-NEXT: scf.if %[[IS1]] {
// CHECK-NEXT:   affine.store
// CHECK: gpu.barrier
// CHECK-NEXT: %[[V:.*]]:2 = scf.if %[[IS1]] -> (f32, f32) {
// CHECK-NEXT:   %[[L:.*]] = affine.load
// CHECK-NEXT:   scf.yield %[[L]], %cst
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[E:.*]] = arith.mulf %[[V0]], %[[V0]]
// CHECK-NEXT:   scf.yield %[[V0]], %[[E]]
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.if %[[IS0]] {
// CHECK-NEXT:   affine.store %[[V]]#1
// CHECK: gpu.barrier
// CHECK-NEXT: %[[E2:.*]] = scf.if %[[IS0]] -> (f32) {
// CHECK:   scf.yield %[[V]]#1
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[E1:.*]] = arith.mulf %[[V]]#0, %[[V]]#0
// CHECK-NEXT:   scf.yield %[[E1]]
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.if %[[IS1]] {
// CHECK-NEXT:   affine.store %[[E2]]
gpu.module @kernels {
  gpu.func @twice(%in: memref<?xf32>, %out: memref<?xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, gpuopt.geometry = #gpuopt.geometry<
          original_block = [64, 1, 1], block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %a = affine.load %in[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    affine.store %a, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %e = arith.mulf %v, %v : f32
    affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.for %i = 0 to 1 {
      %w = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %w, %out[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Each iteration fills a tile and uses it: the loop stays one.

// CHECK-LABEL: gpu.func @tiles
// CHECK: %[[SUM:.*]] = affine.for %{{.*}} = 0 to %{{.*}} step 64 iter_args(%[[ACC:.*]] = %cst) -> (f32) {
// CHECK:   %[[X:.*]] = affine.load %{{.*}}[
// CHECK:   gpu.barrier
// CHECK-NEXT: scf.if %[[IS0:.*]] {
// CHECK-NEXT:   affine.store %[[X]]
// CHECK:   gpu.barrier
// CHECK-NEXT: %[[R0:.*]] = scf.if %[[IS0]] -> (f32) {
// CHECK:     affine.for %{{.*}} = 0 to 64 iter_args(%{{.*}} = %[[ACC]])
// CHECK:   } else {
// CHECK-NEXT: scf.yield %cst
// CHECK:   gpu.barrier
// CHECK-NEXT: scf.if %[[IS1:.*]] {
// CHECK-NEXT:   affine.store %[[X]]
// CHECK:   gpu.barrier
// CHECK-NEXT: %[[R:.*]] = scf.if %[[IS1]] -> (f32) {
// CHECK:     affine.for %{{.*}} = 0 to 64 iter_args(%{{.*}} = %[[ACC]])
// CHECK:   } else {
// CHECK-NEXT: scf.yield %[[R0]]
// CHECK:   gpu.barrier
// CHECK-NEXT: affine.yield %[[R]]
gpu.module @kernels {
  gpu.func @tiles(%a: memref<?xf32>, %c: memref<?xf32>, %n: index)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, gpuopt.geometry = #gpuopt.geometry<
          original_block = [64, 1, 1], block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %sum = affine.for %i = 0 to %n step 64 iter_args(%acc = %zero) -> (f32) {
      %x = affine.load %a[symbol(%b) * 64 + %i + symbol(%t)] : memref<?xf32>
      affine.store %x, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = affine.for %k = 0 to 64 iter_args(%u = %acc) -> (f32) {
        %y = affine.load %s[%k] : memref<64xf32, #gpu.address_space<workgroup>>
        %w = arith.addf %u, %y : f32
        affine.yield %w : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    affine.store %sum, %c[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    gpu.return
  }
}

// -----

// A tree: memory is in use from the first store to the last load, so each block
// has the loop to itself. Barriers are reached by all threads alike.

// CHECK-LABEL: gpu.func @tree
// CHECK: %[[IS0:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: %[[IS1:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK: scf.if %[[IS0]] {
// CHECK-NEXT:   affine.store
// CHECK: gpu.barrier
// CHECK: scf.while
// CHECK:   scf.condition
// CHECK:   %[[MINE0:.*]] = arith.andi %[[IS0]], %{{.*}} : i1
// CHECK:   scf.if %[[MINE0]] {
// CHECK:     memref.load
// CHECK:   gpu.barrier
// CHECK:   arith.shrui
// CHECK: gpu.barrier
// CHECK-NEXT: scf.if %[[IS1]] {
// CHECK-NEXT:   affine.store
// CHECK: gpu.barrier
// CHECK: scf.while
// CHECK:   %[[MINE1:.*]] = arith.andi %[[IS1]], %{{.*}} : i1
// CHECK:   scf.if %[[MINE1]] {
gpu.module @kernels {
  gpu.func @tree(%a: memref<?xf32>, %c: memref<?xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, gpuopt.geometry = #gpuopt.geometry<
          original_block = [64, 1, 1], block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.load %a[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    affine.store %x, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %end = scf.while (%w = %c32) : (index) -> index {
      %more = arith.cmpi ne, %w, %c0 : index
      scf.condition(%more) %w : index
    } do {
    ^bb0(%w: index):
      %mine = arith.cmpi ult, %t, %w : index
      scf.if %mine {
        %o = arith.addi %t, %w : index
        %y = memref.load %s[%o] : memref<64xf32, #gpu.address_space<workgroup>>
        %z = memref.load %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
        %q = arith.addf %y, %z : f32
        memref.store %q, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %half = arith.shrui %w, %c1 : index
      scf.yield %half : index
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %sum = affine.load %s[0] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %sum, %c[symbol(%b)] : memref<?xf32>
    }
    gpu.return
  }
}
