// Every way to prefetch computes what the naive kernel does, bit by bit, without
// races: for no iteration, fewer than there are stages, as many, one more, and
// with a rest behind the full tiles.

// RUN: split-file %s %t
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %t/naive.mlir -o %t/naive.ll

// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=sm_70 stages=1" | FileCheck %s --check-prefix=REGISTERS
// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=sm_70" | FileCheck %s --check-prefix=TWICE
// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=sm_80 stages=4" | FileCheck %s --check-prefix=ASYNC
// REGISTERS: workgroup(%{{[^:]*}} : memref<16x
// TWICE:     workgroup(%{{[^:]*}} : memref<2x16x
// TWICE-NOT: nvgpu
// ASYNC:     workgroup(%{{[^:]*}} : memref<4x16x
// ASYNC:     nvgpu.device_async_copy

// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=sm_70 stages=1" | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_70 -o %t/registers.ll
// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=sm_70" | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_70 -o %t/twice.ll
// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=gfx942" | gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 -o %t/amd.ll
// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=sm_80 stages=2" | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_80 -o %t/2.ll
// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=sm_90 stages=3" | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 -o %t/3.ll
// RUN: gpuopt-opt %t/tiled.mlir --gpuopt-prefetch-tiles="target=sm_90 stages=4" | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 -o %t/4.ll
// RUN: %python %S/Inputs/compare_products.py --rows 32 --columns 16 --depths 0,1,16,17,32,49,64,80 \
// RUN:   %t/naive.ll %t/registers.ll %t/twice.ll %t/amd.ll:64 %t/2.ll %t/3.ll %t/4.ll

// Copies go where the hardware wants them, and only there.
// RUN: FileCheck %s --check-prefix=LL --input-file %t/4.ll
// RUN: FileCheck %s --check-prefix=NONE --input-file %t/amd.ll
// RUN: FileCheck %s --check-prefix=NONE --input-file %t/twice.ll
// LL: call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %{{.*}}, ptr addrspace(1)
// LL: call void @llvm.nvvm.cp.async.commit.group()
// LL: call void @llvm.nvvm.cp.async.wait.group(i32 2)
// NONE-NOT: cp.async

//--- naive.mlir
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %m: i32, %n: i32, %k: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %y = gpu.global_id y
    %mi = arith.index_cast %m : i32 to index
    %ni = arith.index_cast %n : i32 to index
    %ki = arith.index_cast %k : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%mi, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%ki, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%mi, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %sum = affine.for %i = 0 to %ki iter_args(%s = %zero) -> (f32) {
      %u = affine.load %A[%y, %i] : memref<?x?xf32, strided<[?, 1]>>
      %v = affine.load %B[%i, %x] : memref<?x?xf32, strided<[?, 1]>>
      %p = arith.mulf %u, %v : f32
      %q = arith.addf %s, %p : f32
      affine.yield %q : f32
    }
    affine.store %sum, %C[%y, %x] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}

//--- tiled.mlir
// Full tiles, and a rest that shares the arrays.
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %m: i32, %n: i32, %k: i32)
      workgroup(%ta: memref<16x16xf32, #gpu.address_space<workgroup>>,
                %tb: memref<16x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %x = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bx, %tx)
    %y = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%by, %ty)
    %mi = arith.index_cast %m : i32 to index
    %ni = arith.index_cast %n : i32 to index
    %ki = arith.index_cast %k : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%mi, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%ki, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%mi, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %full = affine.for %i = 0 to affine_map<()[k] -> ((k floordiv 16) * 16)>()[%ki] step 16 iter_args(%s = %zero) -> (f32) {
      %u = affine.load %A[%y, %i + %tx] : memref<?x?xf32, strided<[?, 1]>>
      affine.store %u, %ta[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %v = affine.load %B[%i + %ty, %x] : memref<?x?xf32, strided<[?, 1]>>
      affine.store %v, %tb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = affine.for %j = 0 to 16 iter_args(%t = %s) -> (f32) {
        %e = affine.load %ta[%ty, %j] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %f = affine.load %tb[%j, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %p = arith.mulf %e, %f : f32
        %q = arith.addf %t, %p : f32
        affine.yield %q : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    %sum = affine.for %i = max affine_map<()[k] -> (0, (k floordiv 16) * 16)>()[%ki] to %ki step 16 iter_args(%s = %full) -> (f32) {
      %ga = affine.apply affine_map<(i)[t] -> (i + t)>(%i)[%tx]
      %inA = arith.cmpi slt, %ga, %ki : index
      scf.if %inA {
        %u = affine.load %A[%y, %i + %tx] : memref<?x?xf32, strided<[?, 1]>>
        affine.store %u, %ta[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      }
      %gb = affine.apply affine_map<(i)[t] -> (i + t)>(%i)[%ty]
      %inB = arith.cmpi slt, %gb, %ki : index
      scf.if %inB {
        %v = affine.load %B[%i + %ty, %x] : memref<?x?xf32, strided<[?, 1]>>
        affine.store %v, %tb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %r = affine.for %j = 0 to min affine_map<(i)[k] -> (16, k - i)>(%i)[%ki] iter_args(%t = %s) -> (f32) {
        %e = affine.load %ta[%ty, %j] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %f = affine.load %tb[%j, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %p = arith.mulf %e, %f : f32
        %q = arith.addf %t, %p : f32
        affine.yield %q : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    affine.store %sum, %C[%y, %x] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}
