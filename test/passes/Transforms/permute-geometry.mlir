// RUN: gpuopt-opt %s --gpuopt-permute-geometry="target=sm_90" --split-input-file --verify-roundtrip | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-permute-geometry="target=sm_90 fastest=x" --split-input-file | FileCheck %s --check-prefix=KEPT
// RUN: gpuopt-opt %s --gpuopt-permute-geometry="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// The second kernel of Gaussian elimination: x walks down a column, y along a
// row. The block is turned with the ids; the items that it covers stay.

// CHECK-LABEL: gpu.func @fan2(
// CHECK-SAME: #gpuopt.geometry<block = [32, 8, 1], items_per_thread = [1, 1, 1], items_per_block = [8, 32, 1]>
// CHECK-SAME: known_block_size = array<i32: 32, 8, 1>
// CHECK: %[[BX:.*]] = gpu.block_id x
// CHECK: %[[BY:.*]] = gpu.block_id y
// CHECK: %[[TX:.*]] = gpu.thread_id y
// CHECK: %[[TY:.*]] = gpu.thread_id x
// CHECK: affine.load %{{.*}}[symbol(%[[BX]]) * 8 + symbol(%[[TX]]), symbol(%[[BY]]) * 32 + symbol(%[[TY]])]
// KEPT-LABEL: gpu.func @fan2(
// KEPT-SAME: block = [8, 32, 1]
// REMARK: remark: [Passed] ThreadsPermuted | Category:gpuopt:PermuteGeometry | {{.*}}threads along y are neighbours now", uncoalesced_after=0, uncoalesced_before=3
#fan = #gpuopt.geometry<block = [8, 32, 1], items_per_thread = [1, 1, 1], items_per_block = [8, 32, 1]>
gpu.module @gauss {
  gpu.func @fan2(%m: memref<?x1024xf32>, %a: memref<?x1024xf32>) kernel
      attributes {gpuopt.geometry = #fan, known_block_size = array<i32: 8, 32, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %f = affine.load %m[symbol(%bx) * 8 + symbol(%tx), 0] : memref<?x1024xf32>
    %p = affine.load %a[0, symbol(%by) * 32 + symbol(%ty)] : memref<?x1024xf32>
    %v = affine.load %a[symbol(%bx) * 8 + symbol(%tx), symbol(%by) * 32 + symbol(%ty)] : memref<?x1024xf32>
    %q = arith.mulf %f, %p : f32
    %d = arith.subf %v, %q : f32
    affine.store %d, %a[symbol(%bx) * 8 + symbol(%tx), symbol(%by) * 32 + symbol(%ty)] : memref<?x1024xf32>
    gpu.return
  }
}

// -----

// A copy in three dimensions: z becomes x, y stays.

// CHECK-LABEL: gpu.func @cell(
// CHECK-SAME: block = [32, 2, 4], items_per_thread = [1, 1, 1], items_per_block = [4, 2, 32]
// CHECK: %[[TX:.*]] = gpu.thread_id z
// CHECK: %[[TY:.*]] = gpu.thread_id y
// CHECK: %[[TZ:.*]] = gpu.thread_id x
// CHECK: affine.load %{{.*}}[symbol(%[[TX]]), symbol(%[[TY]]), symbol(%[[TZ]])]
// REMARK: threads along z are neighbours now", uncoalesced_after=0, uncoalesced_before=2
#cell = #gpuopt.geometry<block = [4, 2, 32], items_per_thread = [1, 1, 1], items_per_block = [4, 2, 32]>
gpu.module @cell {
  gpu.func @cell(%in: memref<?x64x64xf32>, %out: memref<?x64x64xf32>) kernel
      attributes {gpuopt.geometry = #cell, known_block_size = array<i32: 4, 2, 32>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %v = affine.load %in[symbol(%tx), symbol(%ty), symbol(%tz)] : memref<?x64x64xf32>
    affine.store %v, %out[symbol(%tx), symbol(%ty), symbol(%tz)] : memref<?x64x64xf32>
    gpu.return
  }
}

// -----

// Without geometry the launch stays: thread n of the block becomes the n-th
// thread counted along y first. A barrier does no harm.

// CHECK-LABEL: gpu.func @any_block(
// CHECK-NOT: gpuopt.geometry
// CHECK-DAG: %[[TX:.*]] = gpu.thread_id x
// CHECK-DAG: %[[DX:.*]] = gpu.block_dim x
// CHECK-DAG: %[[TY:.*]] = gpu.thread_id y
// CHECK-DAG: %[[DY:.*]] = gpu.block_dim y
// CHECK-DAG: %[[TZ:.*]] = gpu.thread_id z
// CHECK: %[[Z:.*]] = arith.muli %[[TZ]], %[[DY]]
// CHECK: %[[ZY:.*]] = arith.addi %[[Z]], %[[TY]]
// CHECK: %[[ROWS:.*]] = arith.muli %[[ZY]], %[[DX]]
// CHECK: %[[N:.*]] = arith.addi %[[ROWS]], %[[TX]]
// CHECK: %[[NEWY:.*]] = arith.remui %[[N]], %[[DY]]
// CHECK: %[[REST:.*]] = arith.divui %[[N]], %[[DY]]
// CHECK: %[[NEWX:.*]] = arith.remui %[[REST]], %[[DX]]
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}[%[[NEWX]], %[[NEWY]]]
gpu.module @any {
  gpu.func @any_block(%out: memref<?x64xf32>) kernel {
    %v = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    gpu.barrier
    memref.store %v, %out[%tx, %ty] : memref<?x64xf32>
    gpu.return
  }
}

// -----

// Of any block; the ids are the first operations of the kernel.
// CHECK-LABEL: gpu.func @column(
// CHECK-DAG: %[[NEW:.*]] = arith.remui %{{.*}}, %block_dim_y
// CHECK: arith.addi %{{.*}}, %[[NEW]] overflow<nsw>
// CHECK: memref.store
gpu.module @columns {
  gpu.func @column(%a: memref<?x1024xf32>, %v: f32) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    memref.store %v, %a[%x, %y] : memref<?x1024xf32>
    gpu.return
  }
}

// -----

// A product of rows and rows whose result has its rows along x: the loads in the loop change places, and the store, with
// its neighbours along y, is coalesced.

// CHECK-LABEL: gpu.func @rows_by_rows(
// CHECK: %[[TX:.*]] = gpu.thread_id y
// CHECK: %[[TY:.*]] = gpu.thread_id x
// CHECK: affine.for
// CHECK: affine.load %{{.*}}[symbol(%[[TX]]), %{{.*}}]
// CHECK: affine.load %{{.*}}[symbol(%[[TY]]), %{{.*}}]
// CHECK: affine.store %{{.*}}, %{{.*}}[symbol(%[[TX]]), symbol(%[[TY]])]
// REMARK: threads along y are neighbours now", uncoalesced_after=1, uncoalesced_before=2
#square = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>
gpu.module @product {
  gpu.func @rows_by_rows(%a: memref<?x64xf32>, %b: memref<?x64xf32>, %bias: memref<?xf32>, %c: memref<?x64xf32>) kernel
      attributes {gpuopt.geometry = #square, known_block_size = array<i32: 16, 16, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %start = affine.load %bias[symbol(%ty)] : memref<?xf32>
    %sum = affine.for %i = 0 to 64 iter_args(%s = %start) -> (f32) {
      %x = affine.load %a[symbol(%tx), %i] : memref<?x64xf32>
      %y = affine.load %b[symbol(%ty), %i] : memref<?x64xf32>
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%tx), symbol(%ty)] : memref<?x64xf32>
    gpu.return
  }
}
