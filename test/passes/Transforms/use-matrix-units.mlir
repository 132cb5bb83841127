// RUN: gpuopt-opt %s --gpuopt-use-matrix-units="target=sm_80" --canonicalize --cse --mlir-print-local-scope --split-input-file | FileCheck %s

// Halves in tiles of both orders. Threads get the places in the block at which
// their items are a fragment's: lane 4 g + c has rows g and g + 16, and columns
// 2 c and 2 c + 1. Rows of the first tile are matrices as they lie, of the second
// one transposed.

// CHECK-LABEL: gpu.func @half(
// CHECK-SAME:    workgroup(%[[A:.*]] : memref<32x16xf16{{.*}}>, %[[B:.*]] : memref<16x32xf16
// CHECK-SAME:    block = [32, 8, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]
// CHECK-DAG:     %[[LANE:.*]] = gpu.thread_id  x
// CHECK-DAG:     %[[WARP:.*]] = gpu.thread_id  y
// CHECK-DAG:     %[[ROW:.*]] = arith.remui %[[LANE]], %c8
// CHECK-DAG:     %[[EIGHTS:.*]] = arith.divui %[[LANE]], %c8
// CHECK-DAG:     %[[LOW:.*]] = arith.remui %[[EIGHTS]], %c2
// CHECK-DAG:     %[[SIXTEENS:.*]] = arith.divui %[[LANE]], %c16
// CHECK-DAG:     %[[HIGH:.*]] = arith.remui %[[SIXTEENS]], %c2
// CHECK:         affine.for %{{.*}} = 0 to %arg1 step 16 iter_args
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      affine.for %[[K:.*]] = 0 to 16 step 16 iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[S2:.*]] = %{{.*}}, %[[S3:.*]] = %{{.*}})
// CHECK-DAG:       %[[A_ROW:.*]] = affine.apply affine_map<()[s0, s1, s2] -> (s1 + s2 * 16 + (s0 floordiv 4) * 8)>()[%[[WARP]], %[[ROW]], %[[LOW]]]
// CHECK-DAG:       %[[A_COLUMN:.*]] = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 8)>(%[[K]])[%[[HIGH]]]
// CHECK-DAG:       %[[ROWS:.*]] = nvgpu.ldmatrix %[[A]][%[[A_ROW]], %[[A_COLUMN]]] {numTiles = 4 : i32, transpose = false} : {{.*}} -> vector<4x2xf16>
// CHECK-DAG:       %[[B_ROW:.*]] = affine.apply affine_map<(d0)[s0, s1] -> (d0 + s0 + s1 * 8)>(%[[K]])[%[[ROW]], %[[LOW]]]
// CHECK-DAG:       %[[B_COLUMN:.*]] = affine.apply affine_map<()[s0] -> (s0 * 8 - (s0 floordiv 4) * 32)>()[%[[WARP]]]
// CHECK-DAG:       %[[COLUMNS:.*]] = nvgpu.ldmatrix %[[B]][%[[B_ROW]], %[[B_COLUMN]]] {numTiles = 2 : i32, transpose = true} : {{.*}} -> vector<2x2xf16>
// CHECK:           %[[OLD:.*]] = vector.from_elements %[[S0]], %[[S1]], %[[S2]], %[[S3]] : vector<2x2xf32>
// CHECK:           %[[NEW:.*]] = nvgpu.mma.sync(%[[ROWS]], %[[COLUMNS]], %[[OLD]]) {mmaShape = [16, 8, 16]}
// CHECK:           vector.extract %[[NEW]][0, 0]
// CHECK:           vector.extract %[[NEW]][1, 1]
// CHECK:           gpu.barrier
// The items that a thread stores are those that it had, at its new place.
// CHECK:         affine.store %{{.*}}, %arg0[symbol(%{{.*}}) * 32 + symbol(%[[LANE]]) floordiv 4 + (symbol(%[[WARP]]) floordiv 4) * 8, symbol(%{{.*}}) * 32 + symbol(%[[LANE]]) * 2 + symbol(%[[WARP]]) * 8 - (symbol(%[[LANE]]) floordiv 4) * 8 - (symbol(%[[WARP]]) floordiv 4) * 32]

gpu.module @kernels {
  gpu.func @half(%c: memref<?x?xf32>, %n: index)
      workgroup(%a_tile: memref<32x16xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x16xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : f16 to f32
        %p00 = arith.mulf %f0, %g0 : f32
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f32
        %p01 = arith.mulf %f0, %g1 : f32
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f32
        %p10 = arith.mulf %f1, %g0 : f32
        %u10 = arith.addf %t2, %p10 fastmath<reassoc> : f32
        %p11 = arith.mulf %f1, %g1 : f32
        %u11 = arith.addf %t3, %p11 fastmath<reassoc> : f32
        affine.yield %u00, %u01, %u10, %u11 : f32, f32, f32, f32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf32>
    gpu.return
  }
}


// -----

// Bytes, with the columns of the second matrix in rows of its tile. Nothing is
// asked for: sums of integers have no order.

// CHECK-LABEL: gpu.func @byte(
// CHECK:         %[[ROWS:.*]] = nvgpu.ldmatrix %arg2[%{{.*}}, %{{.*}}] {numTiles = 4 : i32, transpose = false} : {{.*}} -> vector<4x4xi8>
// CHECK:         %[[COLUMNS:.*]] = nvgpu.ldmatrix %arg3[%{{.*}}, %{{.*}}] {numTiles = 2 : i32, transpose = false} : {{.*}} -> vector<2x4xi8>
// CHECK:         nvgpu.mma.sync(%[[ROWS]], %[[COLUMNS]], %{{.*}}) {mmaShape = [16, 8, 32]}

gpu.module @kernels {
  gpu.func @byte(%c: memref<?x?xi32>, %n: index)
      workgroup(%a_tile: memref<32x32xi8, #gpu.address_space<workgroup>>,
                %b_tile: memref<32x32xi8, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0 : i32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 32 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (i32, i32, i32, i32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 32 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (i32, i32, i32, i32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x32xi8, #gpu.address_space<workgroup>>
        %f0 = arith.extsi %a0 : i8 to i32
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x32xi8, #gpu.address_space<workgroup>>
        %f1 = arith.extsi %a1 : i8 to i32
        %b0 = affine.load %b_tile[symbol(%tx) * 2, %k] : memref<32x32xi8, #gpu.address_space<workgroup>>
        %g0 = arith.extsi %b0 : i8 to i32
        %b1 = affine.load %b_tile[symbol(%tx) * 2 + 1, %k] : memref<32x32xi8, #gpu.address_space<workgroup>>
        %g1 = arith.extsi %b1 : i8 to i32
        %p00 = arith.muli %f0, %g0 : i32
        %u00 = arith.addi %t0, %p00 : i32
        %p01 = arith.muli %f0, %g1 : i32
        %u01 = arith.addi %t1, %p01 : i32
        %p10 = arith.muli %f1, %g0 : i32
        %u10 = arith.addi %t2, %p10 : i32
        %p11 = arith.muli %f1, %g1 : i32
        %u11 = arith.addi %t3, %p11 : i32
        affine.yield %u00, %u01, %u10, %u11 : i32, i32, i32, i32
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xi32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xi32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xi32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xi32>
    gpu.return
  }
}


// -----

// Doubles are loaded one by one: lane 4 g + c has element c of row g. Column g is
// item g mod 2 of the thread at x = g / 2, which is 2 x + g mod 2 = g.

// CHECK-LABEL: gpu.func @double(
// CHECK:         affine.for %[[K:.*]] = 0 to 16 step 4
// CHECK:           affine.load %arg2[symbol(%[[LANE:.*]]) floordiv 4 + (symbol(%[[WARP:.*]]) floordiv 4) * 8, %[[K]] + symbol(%[[LANE]]) mod 4]
// CHECK:           affine.load %arg2[symbol(%[[LANE]]) floordiv 4 + (symbol(%[[WARP]]) floordiv 4) * 8 + 16, %[[K]] + symbol(%[[LANE]]) mod 4]
// CHECK:           affine.load %arg3[%[[K]] + symbol(%[[LANE]]) mod 4, symbol(%[[WARP]]) * 8 - (symbol(%[[WARP]]) floordiv 4) * 32 + symbol(%[[LANE]]) floordiv 4]
// CHECK-COUNT-2:   nvgpu.mma.sync({{.*}}) {mmaShape = [8, 8, 4]}

gpu.module @kernels {
  gpu.func @double(%c: memref<?x?xf64>, %n: index)
      workgroup(%a_tile: memref<32x16xf64, #gpu.address_space<workgroup>>,
                %b_tile: memref<16x32xf64, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [2, 2, 1], items_per_block = [32, 32, 1]>} {
    %zero = arith.constant 0.0 : f64
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 16 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f64, f64, f64, f64) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 16 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f64, f64, f64, f64) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<32x16xf64, #gpu.address_space<workgroup>>
        %a1 = affine.load %a_tile[symbol(%ty) + 16, %k] : memref<32x16xf64, #gpu.address_space<workgroup>>
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<16x32xf64, #gpu.address_space<workgroup>>
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<16x32xf64, #gpu.address_space<workgroup>>
        %p00 = arith.mulf %a0, %b0 : f64
        %u00 = arith.addf %t0, %p00 fastmath<reassoc> : f64
        %p01 = arith.mulf %a0, %b1 : f64
        %u01 = arith.addf %t1, %p01 fastmath<reassoc> : f64
        %p10 = arith.mulf %a1, %b0 : f64
        %u10 = arith.addf %t2, %p10 fastmath<reassoc> : f64
        %p11 = arith.mulf %a1, %b1 : f64
        %u11 = arith.addf %t3, %p11 fastmath<reassoc> : f64
        affine.yield %u00, %u01, %u10, %u11 : f64, f64, f64, f64
      }
      gpu.barrier
      affine.yield %r#0, %r#1, %r#2, %r#3 : f64, f64, f64, f64
    }
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf64>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 32, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf64>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf64>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 32 + 16, symbol(%tx) * 2 + 1 + symbol(%bx) * 32] : memref<?x?xf64>
    gpu.return
  }
}

