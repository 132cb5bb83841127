// RUN: gpuopt-opt %s --gpuopt-version-alignment="target=sm_90 max-operations=8" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: memref.assume_alignment

gpu.module @kernels {
  // Rows of n + 1 elements begin anywhere, however large n is.
  gpu.func @skewed(%a: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
    %t = gpu.thread_id x
    affine.for %i = 0 to %n {
      %0 = affine.load %a[symbol(%t) * (symbol(%n) + 1) + %i] : memref<?xf32>
      affine.store %0, %c[symbol(%t)] : memref<?xf32>
    }
    gpu.return
  }

  // Neighbouring threads access neighbouring elements; one thread does not.
  gpu.func @neighbours(%a: memref<?xf32>, %c: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %0 = affine.load %a[symbol(%t)] : memref<?xf32>
    affine.store %0, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }

  gpu.func @large(%a: memref<?xi32>, %c: memref<?xi32>) kernel {
    %t = gpu.thread_id x
    // expected-remark@below {{the code has 9 operations, too many to have once more}}
    %0 = affine.load %a[symbol(%t) * 2] : memref<?xi32>
    %1 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xi32>
    %2 = arith.addi %0, %1 : i32
    %3 = arith.addi %2, %1 : i32
    %4 = arith.addi %3, %1 : i32
    %5 = arith.addi %4, %1 : i32
    affine.store %5, %c[symbol(%t)] : memref<?xi32>
    gpu.return
  }
}
