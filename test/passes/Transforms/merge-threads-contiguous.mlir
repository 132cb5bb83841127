// RUN: gpuopt-opt %s --gpuopt-merge-threads="dim=x factor=4 ownership=contiguous target=sm_90" --canonicalize \
// RUN:   | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-merge-threads="dim=x factor=2 ownership=contiguous target=sm_90" \
// RUN:   --gpuopt-merge-blocks="dim=x factor=2 target=sm_90" --gpuopt-merge-threads="dim=x factor=2 target=sm_90" \
// RUN:   --canonicalize | FileCheck %s --check-prefix=BOTH
// RUN: not gpuopt-opt %s --gpuopt-merge-threads="factor=4 ownership=cyclic target=sm_90" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// ERROR: error: expected 'ownership' to be interleaved or contiguous, found 'cyclic'

// What neighbouring threads loaded, one thread loads from neighbouring
// addresses (inter-thread vectorization, section 3.1 of Yang et al. 2012).

// CHECK-DAG: #[[$MAP0:.*]] = affine_map<()[s0, s1] -> (s0 * 256 + s1 * 4)>
// CHECK-DAG: #[[$MAP3:.*]] = affine_map<()[s0, s1] -> (s0 * 256 + s1 * 4 + 3)>
// CHECK-LABEL: gpu.func @product
// CHECK-SAME: #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [4, 1, 1], items_per_block = [256, 1, 1]>
// CHECK: %[[P0:.*]] = affine.apply #[[$MAP0]]()[%[[B:.*]], %[[T:.*]]]
// CHECK: %[[P3:.*]] = affine.apply #[[$MAP3]]()[%[[B]], %[[T]]]
// CHECK: %[[G0:.*]] = arith.cmpi slt, %[[P0]], %[[N:.*]] : index
// CHECK: %[[G3:.*]] = arith.cmpi slt, %[[P3]], %[[N]] : index
// CHECK: scf.if %[[G0]]
// CHECK:   affine.load %{{.*}}[symbol(%[[B]]) * 256 + symbol(%[[T]]) * 4]
// CHECK:   affine.store %{{.*}}, %{{.*}}[symbol(%[[B]]) * 256 + symbol(%[[T]]) * 4]
// CHECK: scf.if %[[G3]]
// CHECK:   affine.load %{{.*}}[symbol(%[[B]]) * 256 + symbol(%[[T]]) * 4 + 3]

// Blocks merged after that grow, and interleaved groups of neighbours follow.

// BOTH-LABEL: gpu.func @product
// BOTH-SAME: #gpuopt.geometry<block = [128, 1, 1], items_per_thread = [4, 1, 1], items_per_block = [512, 1, 1]>
// BOTH: affine.load %{{.*}}[symbol(%[[T:.*]]) * 2 + symbol(%[[B:.*]]) * 512]
// BOTH: affine.load %{{.*}}[symbol(%[[T]]) * 2 + symbol(%[[B]]) * 512 + 256]
// BOTH: affine.load %{{.*}}[symbol(%[[T]]) * 2 + symbol(%[[B]]) * 512 + 1]
// BOTH: affine.load %{{.*}}[symbol(%[[T]]) * 2 + symbol(%[[B]]) * 512 + 257]
#shape = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>
gpu.module @kernels {
  gpu.func @product(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index)
      kernel attributes {gpuopt.geometry = #shape} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %p = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%bx, %tx)
    %g = arith.cmpi slt, %p, %n : index
    scf.if %g {
      %x = affine.load %a[%p] : memref<?xf32>
      %z = arith.mulf %x, %x : f32
      affine.store %z, %c[%p] : memref<?xf32>
    }
    gpu.return
  }

  // Whatever is a function of the position may be: bounds of loops, remainders,
  // values and operands that are no affine expressions.
  // CHECK-LABEL: gpu.func @functions
  // CHECK: %[[P0:.*]] = affine.apply #[[$MAP0]]()
  // CHECK: %[[P3:.*]] = affine.apply #[[$MAP3]]()
  // CHECK: affine.for %[[I:.*]] = 0 to #[[$MAP0]]()
  // CHECK:   affine.load %{{.*}}[%[[I]] + symbol(%{{.*}}) * 128 + symbol(%{{.*}}) * 2]
  // CHECK: affine.for %[[I:.*]] = 0 to #[[$MAP3]]()
  // CHECK: arith.remsi %[[P0]]
  // CHECK: arith.remsi %[[P3]]
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[P0]]]
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[P3]]]
  gpu.func @functions(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      kernel attributes {gpuopt.geometry = #shape} {
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %p = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%bx, %tx)
    %s = affine.for %i = 0 to %p iter_args(%r = %zero) -> (f32) {
      %v = affine.load %a[(%bx * 64 + %tx) floordiv 2 + %i] : memref<?xf32>
      %w = arith.addf %r, %v : f32
      affine.yield %w : f32
    }
    %rest = arith.remsi %p, %n : index
    %v = memref.load %a[%rest] : memref<?xf32>
    %w = arith.addf %s, %v : f32
    memref.store %w, %c[%p] : memref<?xf32>
    gpu.return
  }
}
