// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(gpuopt-promote-memory)))" | FileCheck %s

gpu.module @kernels {
  llvm.mlir.global external constant @w() {addr_space = 4 : i32, externally_initialized} : !llvm.array<8 x f32>
  llvm.mlir.global external @table() {addr_space = 1 : i32, externally_initialized} : !llvm.array<8 x f32>
  llvm.mlir.global external @other() {addr_space = 1 : i32, externally_initialized} : !llvm.array<8 x f32>

  // Nothing writes constant memory: the sum stays in a register.
  // CHECK-LABEL: gpu.func @constant
  // CHECK: affine.for {{.*}} iter_args
  gpu.func @constant(%c: memref<?xf32>) kernel {
    %w = gpuopt.get_variable @w : memref<8xf32, 4>
    affine.for %i = 0 to 8 {
      %x = affine.load %w[%i] : memref<8xf32, 4>
      %s = affine.load %c[0] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %c[0] : memref<?xf32>
    }
    gpu.return
  }

  // The pointer may point to the variable,
  // CHECK-LABEL: gpu.func @may_be_same
  // CHECK-NOT: iter_args
  gpu.func @may_be_same(%c: memref<?xf32>) kernel {
    %w = gpuopt.get_variable @table : memref<8xf32>
    affine.for %i = 0 to 8 {
      %x = affine.load %w[%i] : memref<8xf32>
      %s = affine.load %c[0] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %c[0] : memref<?xf32>
    }
    gpu.return
  }

  // not so a __restrict__ one,
  // CHECK-LABEL: gpu.func @restrict
  // CHECK: affine.for {{.*}} iter_args
  gpu.func @restrict(%c: memref<?xf32> {llvm.noalias}) kernel {
    %w = gpuopt.get_variable @table : memref<8xf32>
    affine.for %i = 0 to 8 {
      %x = affine.load %w[%i] : memref<8xf32>
      %s = affine.load %c[0] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %c[0] : memref<?xf32>
    }
    gpu.return
  }

  // and two variables are distinct.
  // CHECK-LABEL: gpu.func @distinct
  // CHECK: affine.for {{.*}} iter_args
  gpu.func @distinct() kernel {
    %w = gpuopt.get_variable @table : memref<8xf32>
    %c = gpuopt.get_variable @other : memref<8xf32>
    affine.for %i = 0 to 8 {
      %x = affine.load %w[%i] : memref<8xf32>
      %s = affine.load %c[0] : memref<8xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %c[0] : memref<8xf32>
    }
    gpu.return
  }

  // Two views of one variable are not.
  // CHECK-LABEL: gpu.func @views
  // CHECK-NOT: iter_args
  gpu.func @views() kernel {
    %w = gpuopt.get_variable @table : memref<8xf32>
    %c = gpuopt.get_variable @table : memref<4xf32>
    affine.for %i = 0 to 8 {
      %x = affine.load %w[%i] : memref<8xf32>
      %s = affine.load %c[0] : memref<4xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %c[0] : memref<4xf32>
    }
    gpu.return
  }
}
