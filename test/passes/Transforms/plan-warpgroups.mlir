// RUN: gpuopt-opt %s --gpuopt-plan-warpgroups="target=sm_90a" --split-input-file | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-plan-warpgroups="target=sm_90a block=4,32 threads=16,2" --split-input-file | FileCheck %s --check-prefix=ASKED
// RUN: gpuopt-opt %s --gpuopt-plan-warpgroups="target=sm_90a block=16,16 threads=8,8" --split-input-file | FileCheck %s --check-prefix=OTHER
// RUN: gpuopt-opt %s --gpuopt-plan-warpgroups="target=sm_90" --split-input-file | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: gpuopt.partition

// Two warpgroups of 64 x 256 sums: 4 x 64 threads with 64 x 2 items, and tiles of
// as many products as 128 bytes hold.

// CHECK-LABEL: gpu.func @bfloats(
// CHECK-SAME:    gpuopt.partition = {arrays = ["a", "b"], block = array<i32: 4, 64, 1>, contiguous = array<i32: 2, 1, 1>, items = array<i32: 64, 2, 1>, iterations = 64 : i64}
// ASKED-LABEL: gpu.func @bfloats(
// ASKED-SAME:    block = array<i32: 4, 32, 1>, contiguous = array<i32: 2, 1, 1>, items = array<i32: 16, 2, 1>

gpu.module @kernels {
  gpu.func @bfloats(%a: memref<?xbf16> {gpuopt.name = "a", llvm.noalias, llvm.readonly}, %b: memref<?xbf16> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                   %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[symbol(%idy), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %u = arith.extf %x : bf16 to f32
        %y = affine.load %B[symbol(%idx), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %v = arith.extf %y : bf16 to f32
        %p = arith.mulf %u, %v : f32
        %t = arith.addf %s, %p fastmath<reassoc> : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// Matrices of 16 bits may lie the other way.

// CHECK-LABEL: gpu.func @columns_in_rows(
// CHECK-SAME:    gpuopt.partition = {arrays = ["a", "b"], block = array<i32: 4, 64, 1>
// ASKED-LABEL: gpu.func @columns_in_rows(

gpu.module @kernels {
  gpu.func @columns_in_rows(%a: memref<?xf16> {gpuopt.name = "a", llvm.noalias, llvm.readonly}, %b: memref<?xf16> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                   %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1] : memref<?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[symbol(%idy), %i] : memref<?x?xf16, strided<[?, 1]>>
        %u = arith.extf %x : f16 to f32
        %y = affine.load %B[%i, symbol(%idx)] : memref<?x?xf16, strided<[?, 1]>>
        %v = arith.extf %y : f16 to f32
        %p = arith.mulf %u, %v : f32
        %t = arith.addf %s, %p fastmath<reassoc> : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// Sums of bytes have no order.

// CHECK-LABEL: gpu.func @bytes(
// CHECK-SAME:    iterations = 128 : i64
// ASKED-LABEL: gpu.func @bytes(

gpu.module @kernels {
  gpu.func @bytes(%a: memref<?xi8> {gpuopt.name = "a", llvm.noalias, llvm.readonly}, %b: memref<?xi8> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                   %c: memref<?xi32> {gpuopt.name = "c", llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0 : i32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xi8> to memref<?x?xi8, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xi8> to memref<?x?xi8, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xi32> to memref<?x?xi32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (i32) {
        %x = affine.load %A[symbol(%idy), %i] : memref<?x?xi8, strided<[?, 1]>>
        %u = arith.extsi %x : i8 to i32
        %y = affine.load %B[symbol(%idx), %i] : memref<?x?xi8, strided<[?, 1]>>
        %v = arith.extsi %y : i8 to i32
        %p = arith.muli %u, %v : i32
        %t = arith.addi %s, %p : i32
        affine.yield %t : i32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xi32, strided<[?, 1]>>
    }
    gpu.return
  }
}
