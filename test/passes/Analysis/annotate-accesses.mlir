// RUN: gpuopt-opt %s --gpuopt-annotate-accesses="target=sm_90" | FileCheck %s

// The matrix product of Figure 2(a), blocks of 16x16, subgroups of 32 (two rows).
// a[idy][i]: two rows, one element each: 2 sectors. b[i][idx]: both rows read the
// same 16 floats: 64 bytes, 2 sectors. c[idy][idx]: two rows of 64 bytes: 4.

// CHECK-LABEL: gpu.func @mm
// CHECK: affine.load
// CHECK-SAME: #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 4, bytes = 4, function = "by*bdy*k + ty*k + i0">
// CHECK-SAME: #gpuopt.segment<verdict = broadcast, sectors = 2, staging = g2r, assuming = "k = 4096">
// CHECK: affine.load
// CHECK-SAME: #gpuopt.access<array = "b", kind = load, space = global, element_bytes = 4, bytes = 4, function = "bx*bdx + n*i0 + tx">
// CHECK-SAME: #gpuopt.segment<verdict = coalesced, stride_bytes = 4, sectors = 2, staging = g2r, assuming = "n = 4096">
// CHECK: affine.store
// CHECK-SAME: #gpuopt.access<array = "c", kind = store, space = global, element_bytes = 4, bytes = 4, function = "by*bdy*n + bx*bdx + ty*n + tx">
// CHECK-SAME: #gpuopt.segment<verdict = coalesced, stride_bytes = 4, sectors = 4, assuming = "n = 4096">
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"},
               %c: memref<?xf32> {gpuopt.name = "c"}, %m: i32 {gpuopt.name = "m"},
               %n: i32 {gpuopt.name = "n"}, %k: i32 {gpuopt.name = "k"}) kernel {
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
