// What is asked for is made, or a remark says that it is not.
// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 blocks=2 threads=4" | FileCheck %s --check-prefix=VECTORS
// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 blocks=2 threads=4 contiguous=1" | FileCheck %s --check-prefix=APART
// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 blocks=2 threads=4 width=8" | FileCheck %s --check-prefix=PAIRS
// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 threads=1" | FileCheck %s --check-prefix=NONE
// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 blocks=64 threads=2" --remarks-filter=gpuopt \
// RUN:   --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=MISSED
// RUN: not gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 threads=4 contiguous=3" 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 contiguous=2" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 blocks=1,1,1,1" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 blocks=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 width=3" 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not gpuopt-opt %s --gpuopt-version-alignment="target=sm_90 width=32" 2>&1 | FileCheck %s --check-prefix=WIDTH

#row = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                        items_per_block = [32, 1, 1]>
gpu.module @kernels {
  // VECTORS: block = [64, 1, 1], items_per_thread = [4, 1, 1], items_per_block = [256, 1, 1]
  // VECTORS: affine.load %{{.*}}[symbol(%[[BLOCK:.*]]) * 256 + symbol(%[[THREAD:.*]]) * 4]
  // VECTORS: affine.load %{{.*}}[symbol(%[[BLOCK]]) * 256 + symbol(%[[THREAD]]) * 4 + 1]

  // One of each of four blocks, which lie 64 apart.
  // APART: block = [64, 1, 1], items_per_thread = [4, 1, 1], items_per_block = [256, 1, 1]
  // APART: affine.load %{{.*}}[symbol(%[[FIRST:.*]]) * 64 + symbol(%[[THREAD:.*]])]
  // APART: affine.load %{{.*}}[symbol(%[[SECOND:.*]]) * 64 + symbol(%[[THREAD]])]

  // Pairs, of two blocks.
  // PAIRS: block = [64, 1, 1], items_per_thread = [4, 1, 1], items_per_block = [256, 1, 1]
  // PAIRS: affine.load %{{.*}}[symbol(%[[FIRST:.*]]) * 128 + symbol(%[[THREAD:.*]]) * 2]
  // PAIRS: affine.load %{{.*}}[symbol(%{{.*}}) * 128 + symbol(%[[THREAD]]) * 2]
  // PAIRS: affine.load %{{.*}}[symbol(%[[FIRST]]) * 128 + symbol(%[[THREAD]]) * 2 + 1]

  // NONE: block = [32, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [32, 1, 1]

  // MISSED: merge 64 x 1 x 1 blocks, 2 x 1 x 1 threads, groups of 2 neighbours along x{{.*}}fewest_registers=
  // MISSED: needs 2048 threads, a block has at most 1024
  // MISSED: 1 of 2 merges that were asked for are not possible

  // DIVIDE: error: expected 'contiguous' to divide 'threads', found 3 of 4
  // THREADS: error: expected 'threads' beside 'contiguous'
  // MANY: error: expected at most three factors, found 4
  // ZERO: error: expected factors from 1 to 1024, found 0
  // WIDTH: error: expected a width of 2, 4, 8 or 16 bytes, got {{3|32}}
  gpu.func @streaming(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      kernel attributes {gpuopt.geometry = #row} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = affine.load %a[%b * 32 + %t] : memref<?xf32>
    affine.store %v, %c[%b * 32 + %t] : memref<?xf32>
    gpu.return
  }
}
