// RUN: gpuopt-opt %s --gpuopt-version-alignment="target=sm_90 max-operations=12" \
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
    // expected-remark@below {{the code has 13 operations, too many to have once more}}
    %0 = affine.load %a[symbol(%t) * 2] : memref<?xi32>
    %1 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xi32>
    %2 = arith.addi %0, %1 : i32
    %3 = arith.addi %2, %1 : i32
    %4 = arith.addi %3, %1 : i32
    %5 = arith.addi %4, %1 : i32
    %6 = arith.addi %5, %1 : i32
    %7 = arith.addi %6, %1 : i32
    %8 = arith.addi %7, %1 : i32
    %9 = arith.addi %8, %1 : i32
    affine.store %9, %c[symbol(%t)] : memref<?xi32>
    gpu.return
  }

  // The bound is loaded behind a store, and would have to be so in each version, where it is no symbol.
  gpu.func @loaded_behind_store(%a: memref<?xf32>, %c: memref<?xf32>, %ends: memref<?xi32>, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    affine.store %zero, %c[symbol(%t)] : memref<?xf32>
    %end = affine.load %ends[symbol(%t)] : memref<?xi32>
    // expected-remark@below {{the bounds of a loop or a subscript depend on it, and are not known before the code that is to be aligned}}
    %bound = arith.index_cast %end : i32 to index
    affine.for %i = 0 to %bound {
      %0 = affine.load %a[symbol(%t) * symbol(%n) + %i * 2] : memref<?xf32>
      %1 = affine.load %a[symbol(%t) * symbol(%n) + %i * 2 + 1] : memref<?xf32>
    }
    gpu.return
  }
}
