// Views of views are expanded where there are any; in other modules every
// operation stays as it is, dead ones too.
//
// RUN: gpuopt-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(gpuopt-expand-views))' | FileCheck %s
// RUN: gpuopt-translate -split-input-file --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s --check-prefix=LLVM

gpu.module @views {
  // CHECK-LABEL: gpu.func @row(
  // CHECK-SAME:    %[[A:.*]]: memref<64x64xf32>, %[[I:.*]]: index)
  // CHECK-NOT:   memref.subview
  // CHECK-NOT:   affine.linearize_index
  // CHECK:       memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [64], strides: [1]
  // CHECK:       arith.muli %[[I]]

  // LLVM-LABEL: define ptx_kernel void @row(
  // LLVM: load float
  gpu.func @row(%a: memref<64x64xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %row = memref.subview %a[%i, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %position = affine.linearize_index [%i, %c0] by (64, 64) : index
    %x = memref.load %row[%c0] : memref<64xf32, strided<[1], offset: ?>>
    %whole = memref.reinterpret_cast %a to offset: [0], sizes: [4096], strides: [1] : memref<64x64xf32> to memref<4096xf32>
    memref.store %x, %whole[%position] : memref<4096xf32>
    gpu.return
  }
}

// -----

gpu.module @plain {
  // CHECK-LABEL: gpu.func @untouched(
  // CHECK:       arith.addi
  // CHECK-NEXT:  gpu.return

  // LLVM-LABEL: define ptx_kernel void @untouched(
  gpu.func @untouched(%i: index) kernel {
    %dead = arith.addi %i, %i : index
    gpu.return
  }
}
