// RUN: gpuopt-opt %s --gpuopt-assume-block-shape --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-assume-block-shape --gpuopt-assign-geometry=target=sm_90 --mlir-print-local-scope --split-input-file | FileCheck %s --check-prefix=GEOMETRY

// The size of the block is a constant, the loop over a row of it affine. Launches must have the block (symbols 5 to 7).
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME: gpuopt.fallback = @rows__original
// CHECK-SAME: gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7] : (s5 - 64 == 0, s6 - 1 == 0, s7 - 1 == 0)>
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-NOT: gpu.block_dim
// CHECK: affine.for
// CHECK: gpu.func @rows__original(
// CHECK: gpu.block_dim
// The geometry keeps it.
// GEOMETRY-LABEL: gpu.func @rows(
// GEOMETRY-SAME: gpuopt.geometry = #gpuopt.geometry<original_block = [64, 1, 1], block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]
gpu.module @kernels {
  gpu.func @rows(%a: memref<?xf32>, %b: memref<?xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.launch_block = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %id = gpu.global_id x
    %size = gpu.block_dim x
    %v = affine.load %a[symbol(%id)] : memref<?xf32>
    affine.store %v, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %sum = scf.for %i = %c0 to %size step %c1 iter_args(%x = %zero) -> (f32) {
      %e = memref.load %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      %y = arith.addf %x, %e : f32
      scf.yield %y : f32
    }
    affine.store %sum, %b[symbol(%id)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Ids of work items that the source puts together from the constant: any block will do for the tuned kernel.
// CHECK-LABEL: gpu.func @constant(
// CHECK-SAME: (s5 - 128 == 0, s6 - 1 == 0, s7 - 1 == 0)
// CHECK: %[[ID:.*]] = gpu.global_id x
// CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%[[ID]])]
// GEOMETRY-LABEL: gpu.func @constant(
// GEOMETRY-SAME: gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1]
gpu.module @kernels {
  gpu.func @constant(%a: memref<?xf32>, %n: i32) kernel attributes {gpuopt.launch_block = array<i32: 128, 1, 1>} {
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : f32
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %start = arith.muli %b, %c128 : index
    %i = arith.addi %start, %t : index
    %end = arith.index_cast %n : i32 to index
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      memref.store %one, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// A flat tile gets rows of 32 elements: each subscript stays in its row.
// CHECK-LABEL: gpu.func @transpose(
// CHECK-SAME: workgroup(%[[TILE:[a-z0-9]*]] : memref<32x32xf32, #gpu.address_space<workgroup>>, %[[FLAT:[a-z0-9]*]] : memref<1024xf32
// CHECK-DAG: %[[X:.*]] = gpu.thread_id x
// CHECK-DAG: %[[Y:.*]] = gpu.thread_id y
// CHECK: affine.store %{{.*}}, %[[TILE]][symbol(%[[Y]]), symbol(%[[X]])]
// CHECK: affine.load %[[TILE]][symbol(%[[X]]), symbol(%[[Y]])]
// The other one has subscripts that leave the row: it stays flat.
// CHECK: affine.load %[[FLAT]][
gpu.module @kernels {
  gpu.func @transpose(%a: memref<?xf32>, %b: memref<?xf32>)
      workgroup(%s: memref<1024xf32, #gpu.address_space<workgroup>>, %f: memref<1024xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.launch_block = array<i32: 32, 31, 1>} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %v = affine.load %a[symbol(%y) * 32 + symbol(%x)] : memref<?xf32>
    affine.store %v, %s[symbol(%y) * 32 + symbol(%x)] : memref<1024xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = affine.load %s[symbol(%x) * 32 + symbol(%y)] : memref<1024xf32, #gpu.address_space<workgroup>>
    %u = affine.load %f[symbol(%y) * 32 + symbol(%x) + 1] : memref<1024xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %w, %u : f32
    affine.store %sum, %b[symbol(%y) * 32 + symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Work items are all that this one knows of its launch: it needs no block.
// CHECK-LABEL: gpu.func @naive(
// CHECK-NOT: gpuopt.requires
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @naive(%a: memref<?xf32>, %v: f32) kernel attributes {gpuopt.launch_block = array<i32: 64, 1, 1>} {
    %id = gpu.global_id x
    affine.store %v, %a[symbol(%id)] : memref<?xf32>
    gpu.return
  }
}
