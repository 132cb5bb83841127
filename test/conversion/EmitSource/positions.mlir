// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-cuda %s -o %t.cu && gpuopt-translate --cuda-to-mlir %t.cu -o /dev/null

// Positions are exact in MLIR. In C++ they are computed in `int` where nothing on
// the way can leave it, and else in 64 bits, from the first part on that may.

gpu.module @kernels {
  // CHECK-LABEL: void wide(float *a, int n, unsigned m)
  // CHECK:         a[tx + 5] = 0.0f;
  // CHECK-NEXT:    a[(long long)bx * 256 + tx] = 0.0f;
  // CHECK-NEXT:    a[(long long)tx * n] = 0.0f;
  // CHECK-NEXT:    a[n + 1ll] = 0.0f;
  // An unsigned number is what it is, but what is taken from it may be negative.
  // CHECK-NEXT:    a[m] = 0.0f;
  // CHECK-NEXT:    a[(long long)m - tx] = 0.0f;
  gpu.func @wide(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %m: i32 {gpuopt.name = "m", gpuopt.unsigned}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %ni = arith.index_cast %n : i32 to index
    %mi = arith.index_castui %m : i32 to index
    affine.store %zero, %a[symbol(%tx) + 5] : memref<?xf32>
    affine.store %zero, %a[symbol(%bx) * 256 + symbol(%tx)] : memref<?xf32>
    %p = arith.muli %tx, %ni overflow<nsw> : index
    memref.store %zero, %a[%p] : memref<?xf32>
    affine.store %zero, %a[symbol(%ni) + 1] : memref<?xf32>
    memref.store %zero, %a[%mi] : memref<?xf32>
    affine.store %zero, %a[symbol(%mi) - symbol(%tx)] : memref<?xf32>
    gpu.return
  }

  // The source computes all positions in `int`, so that no access is made where one
  // leaves it.
  // CHECK-LABEL: void narrow(
  // CHECK:         a[bx * 256 + tx] = 0.0f;
  // CHECK-NEXT:    a[tx * n] = 0.0f;
  // CHECK-NEXT:    a[n + 1] = 0.0f;
  gpu.func @narrow(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel attributes {gpuopt.narrow_positions} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %ni = arith.index_cast %n : i32 to index
    affine.store %zero, %a[symbol(%bx) * 256 + symbol(%tx)] : memref<?xf32>
    %p = arith.muli %tx, %ni overflow<nsw> : index
    memref.store %zero, %a[%p] : memref<?xf32>
    affine.store %zero, %a[symbol(%ni) + 1] : memref<?xf32>
    gpu.return
  }

  // A view is a product and a sum for each dimension, as a person nests them. A row
  // 0 is left out, and a row 1 is no factor.
  // CHECK-LABEL: void in_a_shape(
  // CHECK:         a[(tz * h + ty) * w + tx] = 0.0f;
  // CHECK-NEXT:    a[h * w + tx] = 0.0f;
  // Where the view starts is added.
  // CHECK-NEXT:    a[ty * 16 + tx + h] = 0.0f;
  gpu.func @in_a_shape(%a: memref<?xf32> {gpuopt.name = "a"}, %h: i32 {gpuopt.name = "h"}, %w: i32 {gpuopt.name = "w"}) kernel attributes {gpuopt.narrow_positions} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %hi = arith.index_cast %h : i32 to index
    %wi = arith.index_cast %w : i32 to index
    %hw = arith.muli %hi, %wi overflow<nsw> : index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%hi, %hi, %wi], strides: [%hw, %wi, 1]
        : memref<?xf32> to memref<?x?x?xf32, strided<[?, ?, 1]>>
    affine.store %zero, %A[symbol(%tz), symbol(%ty), symbol(%tx)] : memref<?x?x?xf32, strided<[?, ?, 1]>>
    affine.store %zero, %A[1, 0, symbol(%tx)] : memref<?x?x?xf32, strided<[?, ?, 1]>>
    %B = memref.reinterpret_cast %a to offset: [%hi], sizes: [%hi, %wi], strides: [16, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[16, 1], offset: ?>>
    affine.store %zero, %B[symbol(%ty), symbol(%tx)] : memref<?x?xf32, strided<[16, 1], offset: ?>>
    gpu.return
  }

  // A parameter has no extents in C++, an array of workgroup memory has.
  // CHECK-LABEL: void fixed(float *a)
  // CHECK-NEXT:    __shared__ float [[TILE:[_a-z0-9]+]][8][4];
  // CHECK:         [[TILE]][2][tx] = a[3 * 4 + tx];
  gpu.func @fixed(%a: memref<8x4xf32> {gpuopt.name = "a"})
      workgroup(%s: memref<8x4xf32, #gpu.address_space<workgroup>>) kernel {
    %tx = gpu.thread_id x upper_bound 4
    %x = affine.load %a[3, symbol(%tx)] : memref<8x4xf32>
    affine.store %x, %s[2, symbol(%tx)] : memref<8x4xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
