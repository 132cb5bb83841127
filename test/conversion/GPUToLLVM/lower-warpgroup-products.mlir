// RUN: gpuopt-opt %s --gpuopt-lower-warpgroup-products --split-input-file -verify-diagnostics | FileCheck %s

// Each thread makes known what it has written before others read it by another
// way. Nothing that is done with sums passes the fence or the wait.

// CHECK-LABEL: gpu.func @product(
// CHECK:         llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}"
// CHECK-NEXT:    gpu.barrier
// CHECK:         %[[FENCED:.*]] = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=f,=f,=f,=f,0,1,2,3,~{memory}" %arg2, %arg2, %arg2, %arg2
// CHECK:         %[[OLD:.*]] = llvm.extractvalue %[[FENCED]][0]
// CHECK:         llvm.inline_asm has_side_effects "{\0A\09.reg .pred p;\0A\09setp.ne.b32 p, 1, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 1;\0A\09}", "=f,=f,=f,=f,l,l,0,1,2,3,~{memory}" %arg0, %arg1, %[[OLD]]
// CHECK:         %[[ROWS:.*]] = arith.addi %arg0, %c2_i64
// CHECK:         %[[COLUMNS:.*]] = arith.addi %arg1, %c128_i64
// CHECK:         llvm.inline_asm has_side_effects "{{.*}}wgmma.mma_async{{.*}} %[[ROWS]], %[[COLUMNS]],
// CHECK:         llvm.inline_asm has_side_effects "wgmma.commit_group.sync.aligned;", "~{memory}"
// CHECK-NEXT:    llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
// CHECK-NOT:     gpuopt.warpgroup_product
gpu.module @kernels {
  gpu.func @product(%rows: i64, %columns: i64, %s: f32, %out: memref<4xf32>) kernel {
    gpu.barrier
    %new:4 = gpuopt.warpgroup_product %rows, %columns, %s, %s, %s, %s
        {shape = array<i64: 64, 8, 16>, operands = bf16, steps = 2 : i64, row_step = 32 : i64, column_step = 2048 : i64, columns_transposed} : f32
    affine.store %new#0, %out[0] : memref<4xf32>
    affine.store %new#3, %out[3] : memref<4xf32>
    gpu.return
  }
}

// -----

// Bytes have no scales. The last group may still run behind the product.

// CHECK-LABEL: gpu.func @pending(
// CHECK:         "{{.*}}wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {$0, $1, $2, $3}, $4, $5, p;\0A\09}", "=r,=r,=r,=r,l,l,0,1,2,3,~{memory}"
// CHECK:         llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;", "~{memory}"
// CHECK:         llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,0,1,2,3,~{memory}"
gpu.module @kernels {
  gpu.func @pending(%rows: i64, %columns: i64, %s: i32, %out: memref<4xi32>) kernel {
    %new:4 = gpuopt.warpgroup_product %rows, %columns, %s, %s, %s, %s
        {shape = array<i64: 64, 8, 32>, operands = i8, steps = 1 : i64, row_step = 32 : i64, column_step = 32 : i64, pending = 1 : i64} : i32
    %done:4 = gpuopt.warpgroup_wait %new#0, %new#1, %new#2, %new#3 : i32
    affine.store %done#0, %out[0] : memref<4xi32>
    gpu.return
  }
}

// -----

// A descriptor: chunks of 16 bytes, the swizzle of 128, patterns of 1024 bytes,
// panels of 8192.

// CHECK-LABEL: gpu.func @descriptors(
// CHECK:         memref.extract_aligned_pointer_as_index
// CHECK:         %[[CHUNK:.*]] = arith.shrui %{{.*}}, %c4_i64
// CHECK:         %[[FIELD:.*]] = arith.andi %[[CHUNK]], %c16383_i64
// CHECK:         %[[FIXED:.*]] = arith.constant 4611686293338849280 : i64
// CHECK:         arith.ori %[[FIELD]], %[[FIXED]]
gpu.module @kernels {
  gpu.func @descriptors(%row: index, %out: memref<1xi64>)
      workgroup(%tile: memref<2x128x64xf16, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0 : index
    %d = gpuopt.matrix_descriptor %tile[%zero, %row, %zero] {transposed, panel_bytes = 8192 : i64} : memref<2x128x64xf16, #gpu.address_space<workgroup>>
    affine.store %d, %out[0] : memref<1xi64>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @not_laid_out(%out: memref<1xi64>)
      workgroup(%tile: memref<64x64xf16, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0 : index
    // expected-error @below {{expected a tile in the layout of warpgroups, which gpuopt-eliminate-bank-conflicts gives it}}
    %d = gpuopt.matrix_descriptor %tile[%zero, %zero] : memref<64x64xf16, #gpu.address_space<workgroup>>
    affine.store %d, %out[0] : memref<1xi64>
    gpu.return
  }
}
