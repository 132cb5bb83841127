// RUN: gpuopt-opt %s --gpuopt-merge-blocks="dim=x factor=2 target=sm_90" --canonicalize | FileCheck %s --check-prefix=BLOCKS
// RUN: gpuopt-opt %s --gpuopt-merge-threads="dim=x factor=2 target=sm_90" --canonicalize | FileCheck %s --check-prefix=THREADS
// RUN: gpuopt-opt %s --gpuopt-merge-blocks="dim=x factor=2 target=gfx942" --remarks-filter=gpuopt --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=WAVE

// A wavefront has 64 lanes: half of one is no subgroup.
// WAVE: '__gpuopt_shuffle_xor' depends on how threads are grouped

// Lanes of a subgroup add up what they have. Blocks that are merged keep their
// subgroups, since each has a whole number of them: the call stays what it is.
// Merged threads have the lanes that they had, and one exchange for each block.
gpu.module @kernels {
  llvm.func @__gpuopt_shuffle_xor(i64, i32, i32, i32) -> i32
  // BLOCKS-LABEL: gpu.func @sum_pairs
  // BLOCKS-SAME: block = [64, 1, 1]
  // BLOCKS: %[[V:.*]] = affine.load %{{.*}}[symbol(%{{.*}}) + symbol(%{{.*}}) * 64]
  // BLOCKS-NEXT: %[[W:.*]] = llvm.call @__gpuopt_shuffle_xor(%{{.*}}, %[[V]], %{{.*}}, %{{.*}})
  // BLOCKS-NOT: llvm.call
  // BLOCKS: gpu.return

  // THREADS-LABEL: gpu.func @sum_pairs
  // THREADS-SAME: block = [32, 1, 1], items_per_thread = [2, 1, 1], items_per_block = [64, 1, 1]
  // THREADS: %[[V:.*]] = affine.load %{{.*}}[symbol(%{{.*}}) * 64 + symbol(%{{.*}})]
  // THREADS: %[[W:.*]] = affine.load %{{.*}}[symbol(%{{.*}}) * 64 + symbol(%{{.*}}) + 32]
  // THREADS: llvm.call @__gpuopt_shuffle_xor(%{{.*}}, %[[V]], %{{.*}}, %{{.*}})
  // THREADS: llvm.call @__gpuopt_shuffle_xor(%{{.*}}, %[[W]], %{{.*}}, %{{.*}})
  gpu.func @sum_pairs(%a: memref<?xi32> {llvm.noalias}, %c: memref<?xi32> {llvm.noalias}, %mask: i64)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [32, 1, 1]>} {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %i = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%bx, %tx)
    %v = affine.load %a[%i] : memref<?xi32>
    %w = llvm.call @__gpuopt_shuffle_xor(%mask, %v, %one, %width) : (i64, i32, i32, i32) -> i32
    %s = arith.addi %v, %w : i32
    affine.store %s, %c[%i] : memref<?xi32>
    gpu.return
  }

  // Under a condition that tells merged blocks apart each exchanges under its
  // own: threads that take it for one block are not those that take it for the
  // other.
  // THREADS-LABEL: gpu.func @some_blocks
  // THREADS: scf.if
  // THREADS: llvm.call @__gpuopt_shuffle_xor
  // THREADS: scf.if
  // THREADS: llvm.call @__gpuopt_shuffle_xor
  gpu.func @some_blocks(%a: memref<?xi32> {llvm.noalias}, %c: memref<?xi32> {llvm.noalias}, %mask: i64, %n: index)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [32, 1, 1]>} {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %i = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%bx, %tx)
    %isInside = arith.cmpi slt, %i, %n : index
    scf.if %isInside {
      %s = affine.for %k = 0 to 4 iter_args(%r = %one) -> (i32) {
        %v = affine.load %a[%i + %k] : memref<?xi32>
        %w = llvm.call @__gpuopt_shuffle_xor(%mask, %v, %one, %width) : (i64, i32, i32, i32) -> i32
        %t = arith.addi %r, %w : i32
        affine.yield %t : i32
      }
      affine.store %s, %c[%i] : memref<?xi32>
    }
    gpu.return
  }
}
