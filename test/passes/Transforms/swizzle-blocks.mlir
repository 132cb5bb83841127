// RUN: gpuopt-opt %s --gpuopt-swizzle-blocks="target=sm_90 group=8" --canonicalize --cse | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-swizzle-blocks="target=sm_90" | FileCheck %s --check-prefix=CHOSEN
// RUN: gpuopt-opt %s --gpuopt-swizzle-blocks="target=sm_90 group=0" | FileCheck %s --check-prefix=NONE
// RUN: not gpuopt-opt %s --gpuopt-swizzle-blocks="target=sm_90 group=1" 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not gpuopt-opt %s --gpuopt-swizzle-blocks="target=sm_91" 2>&1 | FileCheck %s --check-prefix=TARGET

// NONE-NOT: gpu.grid_dim
// GROUP: error: expected 'group' to be 0, -1 or from 2 to 65536, got 1
// TARGET: error: unknown target 'sm_91'

#tile = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [8, 8, 1], items_per_block = [128, 128, 1],
                         extents = [affine_map<() -> (16384)>, affine_map<() -> (16384)>, unit]>

gpu.module @kernels {
  // Rows of a are read by all blocks of a row of the grid, columns of b by all of a
  // column. Blocks of 8 rows work column by column.
  // CHECK-LABEL: gpu.func @product(
  // CHECK-SAME:    gpuopt.block_order = #gpuopt.block_order<grouped, rows = 8>
  // CHECK-DAG:   %[[BX:.*]] = gpu.block_id x
  // CHECK-DAG:   %[[BY:.*]] = gpu.block_id y
  // CHECK-DAG:   %[[GX:.*]] = gpu.grid_dim x
  // CHECK-DAG:   %[[GY:.*]] = gpu.grid_dim y
  // CHECK:       %[[NUMBER:.*]] = arith.divui %[[BY]], %c8
  // CHECK:       %[[FIRST:.*]] = arith.muli %[[NUMBER]], %c8
  // CHECK:       %[[LEFT:.*]] = arith.subi %[[GY]], %[[FIRST]]
  // CHECK:       %[[HEIGHT:.*]] = arith.minsi %[[LEFT]], %c8
  // CHECK:       %[[ROW:.*]] = arith.subi %[[BY]], %[[FIRST]]
  // CHECK:       %[[BEFORE:.*]] = arith.muli %[[ROW]], %[[GX]]
  // CHECK:       %[[N:.*]] = arith.addi %[[BEFORE]], %[[BX]]
  // CHECK:       %[[X:.*]] = arith.divui %[[N]], %[[HEIGHT]]
  // CHECK:       %[[REST:.*]] = arith.remui %[[N]], %[[HEIGHT]]
  // CHECK:       %[[Y:.*]] = arith.addi %[[FIRST]], %[[REST]]
  // CHECK:       affine.load %arg0[%{{.*}} * 16 + symbol(%[[Y]]) * 128 + symbol(%{{.*}}), %{{.*}}]
  // CHECK:       affine.load %arg1[%{{.*}}, %{{.*}} * 16 + symbol(%[[X]]) * 128 + symbol(%{{.*}})]
  //
  // Panels of 2 MiB: 1056 active blocks read 128 + 9 of them in the launch's order,
  // 32 + 33 in groups of 32.
  // CHOSEN-LABEL: gpu.func @product(
  // CHOSEN-SAME:    gpuopt.block_order = #gpuopt.block_order<grouped, rows = 32>
  gpu.func @product(%a: memref<?x4096xf32> {llvm.noalias}, %b: memref<?x4096xf32> {llvm.noalias},
                    %c: memref<?x4096xf32> {llvm.noalias}) kernel attributes {gpuopt.geometry = #tile} {
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> f32 {
      %part = affine.for %r = 0 to 8 iter_args(%q = %s) -> f32 {
        %x = affine.load %a[symbol(%by) * 128 + symbol(%ty) + 16 * %r, %i] : memref<?x4096xf32>
        %y = affine.load %b[%i, symbol(%bx) * 128 + symbol(%tx) + 16 * %r] : memref<?x4096xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %q, %p : f32
        affine.yield %t : f32
      }
      affine.yield %part : f32
    }
    affine.store %sum, %c[symbol(%by) * 128 + symbol(%ty), symbol(%bx) * 128 + symbol(%tx)] : memref<?x4096xf32>
    gpu.return
  }

  // One dimension: there is one order only.
  // CHECK-LABEL: gpu.func @line(
  // CHECK-NOT:   gpu.grid_dim
  // CHECK:       gpu.return
  gpu.func @line(%a: memref<?xf32>) kernel attributes {gpuopt.geometry = #tile} {
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    affine.store %zero, %a[symbol(%bx)] : memref<?xf32>
    gpu.return
  }
}
