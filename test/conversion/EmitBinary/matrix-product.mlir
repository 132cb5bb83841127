// The naive matrix product in raised form, down to PTX and AMDGCN.
//
// RUN: gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX
// RUN: gpuopt-translate --mlir-to-assembly --target=gfx942 %s | FileCheck %s --check-prefix=GCN

// Arrays are bare pointers and scalars stay as they are.
// PTX-LABEL: .visible .entry mm(
// PTX-NEXT:    .param .u64 .ptr .align 1 mm_param_0,
// PTX-NEXT:    .param .u64 .ptr .align 1 mm_param_1,
// PTX-NEXT:    .param .u64 .ptr .align 1 mm_param_2,
// PTX-NEXT:    .param .u32 mm_param_3,
// PTX-NEXT:    .param .u32 mm_param_4,
// PTX-NEXT:    .param .u32 mm_param_5
// PTX-NEXT:  )
// PTX-NOT:     .local
// Lines of this file; work item ids in 32 bits; contraction as the flags say.
// PTX:         .loc 1 [[#]] 12
// PTX:         mad.lo.s32
// PTX:         ld.global.nc.b32
// PTX:         fma.rn.f32
// PTX-NOT:     ld.b32
// PTX-NOT:     .local
// PTX:         .file 1 "{{.*}}matrix-product.mlir"

// GCN-LABEL: mm:
// GCN:         .loc 1 [[#]] 12
// GCN:         global_load_dword
// GCN:         v_fmac_f32
// GCN-NOT:     flat_
// GCN:         .amdhsa_private_segment_fixed_size 0
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {gpuopt.name = "a", llvm.noalias, llvm.readonly},
               %b: memref<?xf32> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
               %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias},
               %m: i32 {gpuopt.name = "m"}, %n: i32 {gpuopt.name = "n"}, %k: i32 {gpuopt.name = "k"})
      kernel attributes {gpuopt.source_name = "mm"} {
    %c0 = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %mi = arith.index_cast %m : i32 to index
    %ni = arith.index_cast %n : i32 to index
    %ki = arith.index_cast %k : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%mi, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%ki, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%mi, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %ni : index
    %gy = arith.cmpi slt, %idy, %mi : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %ki iter_args(%s = %c0) -> (f32) {
        %x = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
        %y = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
        %p = arith.mulf %x, %y fastmath<contract> : f32
        %t = arith.addf %s, %p fastmath<contract> : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
