// RUN: gpuopt-opt %s --gpuopt-use-matrix-units="target=sm_90a" --canonicalize --cse --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-use-matrix-units="target=sm_90a" --gpuopt-eliminate-bank-conflicts="target=sm_90a" --canonicalize --cse --mlir-print-local-scope --split-input-file | FileCheck %s --check-prefix=LAID

// A warpgroup has 64 x 8 sums: threads keep their items, y and y + 32 by 2 x and
// 2 x + 1, and get the places that the instruction has for them. Four products
// of 16 follow each other, 32 bytes apart in both matrices.

// CHECK-LABEL: gpu.func @both(
// CHECK-SAME:    workgroup(%[[A:.*]] : memref<64x64xbf16{{.*}}>, %[[B:.*]] : memref<8x64xbf16
// CHECK-SAME:    block = [32, 4, 1], items_per_thread = [2, 2, 1], items_per_block = [8, 64, 1]
// CHECK-DAG:     %[[LANE:.*]] = gpu.thread_id  x
// CHECK-DAG:     %[[WARP:.*]] = gpu.thread_id  y
// CHECK:         affine.for %{{.*}} = 0 to %arg1 step 64 iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[S2:.*]] = %{{.*}}, %[[S3:.*]] = %{{.*}})
// CHECK-NEXT:      gpu.barrier
// CHECK-DAG:       %[[COLUMNS:.*]] = gpuopt.matrix_descriptor %[[B]][%c0, %c0] : memref<8x64xbf16
// CHECK-DAG:       %[[LINE:.*]] = affine.apply affine_map<()[s0] -> ((s0 floordiv 4) * 32)>()[%[[WARP]]]
// CHECK-DAG:       %[[ROWS:.*]] = gpuopt.matrix_descriptor %[[A]][%[[LINE]], %c0] {interleave = 32 : i64} : memref<64x64xbf16
// CHECK:           gpuopt.warpgroup_product %[[ROWS]], %[[COLUMNS]], %[[S0]], %[[S1]], %[[S2]], %[[S3]]
// CHECK-SAME:        column_step = 32 : i64, operands = bf16, row_step = 32 : i64, shape = array<i64: 64, 8, 16>, steps = 4 : i64} : f32
// CHECK-NEXT:      gpu.barrier
// CHECK:         affine.store %{{.*}}#0, %arg0[symbol(%{{.*}}) * 64 + symbol(%[[WARP]]) * 8 + symbol(%[[LANE]]) floordiv 4, symbol(%[[LANE]]) * 2 - (symbol(%[[LANE]]) floordiv 4) * 8]
// CHECK:         affine.store %{{.*}}#3, %arg0[symbol(%{{.*}}) * 64 + symbol(%[[WARP]]) * 8 + symbol(%[[LANE]]) floordiv 4 + 32, symbol(%[[LANE]]) * 2 - (symbol(%[[LANE]]) floordiv 4) * 8 + 1]

// Tiles are laid out as the instruction reads them: warpgroups' rows begin at
// multiples of 64 lines.
// LAID-LABEL: gpu.func @both(
// LAID:         gpuopt.matrix_descriptor %{{.*}}[%{{.*}}, %{{.*}}] {interleave = 32 : i64, panel_bytes = 0 : i64} : memref<64x64xbf16

gpu.module @kernels {
  gpu.func @both(%c: memref<?x8xf32>, %n: index)
      workgroup(%a_tile: memref<64x64xbf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<8x64xbf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [4, 32, 1], items_per_thread = [2, 2, 1], items_per_block = [8, 64, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 64 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 64 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<64x64xbf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : bf16 to f32
        %a1 = affine.load %a_tile[symbol(%ty) + 32, %k] : memref<64x64xbf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : bf16 to f32
        %b0 = affine.load %b_tile[symbol(%tx) * 2, %k] : memref<8x64xbf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : bf16 to f32
        %b1 = affine.load %b_tile[symbol(%tx) * 2 + 1, %k] : memref<8x64xbf16, #gpu.address_space<workgroup>>
        %g1 = arith.extf %b1 : bf16 to f32
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
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 64, symbol(%tx) * 2] : memref<?x8xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 64, symbol(%tx) * 2 + 1] : memref<?x8xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 64 + 32, symbol(%tx) * 2] : memref<?x8xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 64 + 32, symbol(%tx) * 2 + 1] : memref<?x8xf32>
    gpu.return
  }
}

// -----

// The rows' products lie in columns of their tile: its rows of 64 lines are those
// that descriptors know as transposed.

// CHECK-LABEL: gpu.func @transposed(
// CHECK:         gpuopt.matrix_descriptor %{{.*}}[%c0, %{{.*}}] {interleave = 32 : i64, transposed} : memref<64x64xf16
// CHECK:         gpuopt.warpgroup_product
// CHECK-SAME:      column_step = 32 : i64, operands = f16, row_step = 2048 : i64, rows_transposed
// LAID-LABEL: gpu.func @transposed(
// LAID:         gpuopt.matrix_descriptor %{{.*}} {interleave = 32 : i64, panel_bytes = 8192 : i64, transposed} : memref<64x64xf16

gpu.module @kernels {
  gpu.func @transposed(%c: memref<?x8xf32>, %n: index)
      workgroup(%a_tile: memref<64x64xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<8x64xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [4, 32, 1], items_per_thread = [2, 2, 1], items_per_block = [8, 64, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 64 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 64 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[%k, symbol(%ty)] : memref<64x64xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[%k, symbol(%ty) + 32] : memref<64x64xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[symbol(%tx) * 2, %k] : memref<8x64xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[symbol(%tx) * 2 + 1, %k] : memref<8x64xf16, #gpu.address_space<workgroup>>
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
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 64, symbol(%tx) * 2] : memref<?x8xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 64, symbol(%tx) * 2 + 1] : memref<?x8xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 64 + 32, symbol(%tx) * 2] : memref<?x8xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 64 + 32, symbol(%tx) * 2 + 1] : memref<?x8xf32>
    gpu.return
  }
}

// -----

// Subgroups do what warpgroups cannot: columns of 8 lines are no 128 bytes.

// CHECK-LABEL: gpu.func @narrow(
// CHECK-NOT:     gpuopt.warpgroup_product
// CHECK:         nvgpu.mma.sync
// LAID-LABEL: gpu.func @narrow(

gpu.module @kernels {
  gpu.func @narrow(%c: memref<?x8xf32>, %n: index)
      workgroup(%a_tile: memref<64x64xf16, #gpu.address_space<workgroup>>,
                %b_tile: memref<64x8xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [4, 32, 1], items_per_thread = [2, 2, 1], items_per_block = [8, 64, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %by = gpu.block_id y
    %sums:4 = affine.for %i = 0 to %n step 64 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero)
        -> (f32, f32, f32, f32) {
      gpu.barrier
      %r:4 = affine.for %k = 0 to 64 iter_args(%t0 = %s0, %t1 = %s1, %t2 = %s2, %t3 = %s3)
          -> (f32, f32, f32, f32) {
        %a0 = affine.load %a_tile[symbol(%ty), %k] : memref<64x64xf16, #gpu.address_space<workgroup>>
        %f0 = arith.extf %a0 : f16 to f32
        %a1 = affine.load %a_tile[symbol(%ty) + 32, %k] : memref<64x64xf16, #gpu.address_space<workgroup>>
        %f1 = arith.extf %a1 : f16 to f32
        %b0 = affine.load %b_tile[%k, symbol(%tx) * 2] : memref<64x8xf16, #gpu.address_space<workgroup>>
        %g0 = arith.extf %b0 : f16 to f32
        %b1 = affine.load %b_tile[%k, symbol(%tx) * 2 + 1] : memref<64x8xf16, #gpu.address_space<workgroup>>
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
    affine.store %sums#0, %c[symbol(%ty) + symbol(%by) * 64, symbol(%tx) * 2] : memref<?x8xf32>
    affine.store %sums#1, %c[symbol(%ty) + symbol(%by) * 64, symbol(%tx) * 2 + 1] : memref<?x8xf32>
    affine.store %sums#2, %c[symbol(%ty) + symbol(%by) * 64 + 32, symbol(%tx) * 2] : memref<?x8xf32>
    affine.store %sums#3, %c[symbol(%ty) + symbol(%by) * 64 + 32, symbol(%tx) * 2 + 1] : memref<?x8xf32>
    gpu.return
  }
}
