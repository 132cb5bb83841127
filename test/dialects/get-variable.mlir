// RUN: gpuopt-opt %s -split-input-file -verify-diagnostics | FileCheck %s

gpu.module @kernels {
  llvm.mlir.global external constant @w(dense<0.0> : tensor<9x9xf32>) {addr_space = 4 : i32, alignment = 4 : i64, externally_initialized} : !llvm.array<9 x array<9 x f32>>
  llvm.mlir.global external @sums() {addr_space = 1 : i32} : !llvm.array<4 x f32>
  // CHECK-LABEL: gpu.func @views
  gpu.func @views() kernel {
    // CHECK: gpuopt.get_variable @w : memref<81xf32, 4>
    %w = gpuopt.get_variable @w : memref<81xf32, 4>
    // CHECK: gpuopt.get_variable @sums : memref<2xf64>
    %sums = gpuopt.get_variable @sums : memref<2xf64>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @unknown() kernel {
    // expected-error @below {{expected the symbol of an 'llvm.mlir.global', found @w}}
    %w = gpuopt.get_variable @w : memref<5xf32, 4>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  llvm.mlir.global external constant @w() {addr_space = 4 : i32} : !llvm.array<5 x f32>
  gpu.func @space() kernel {
    // expected-error @below {{expected memory space 4 for a variable in address space 4, found 0}}
    %w = gpuopt.get_variable @w : memref<5xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  llvm.mlir.global external @w() {addr_space = 1 : i32} : !llvm.array<5 x f32>
  gpu.func @size() kernel {
    // expected-error @below {{views 24 bytes of a variable of 20 bytes}}
    %w = gpuopt.get_variable @w : memref<6xf32>
    gpu.return
  }
}
