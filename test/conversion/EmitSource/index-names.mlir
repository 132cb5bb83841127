// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-cuda %s -o %t.cu && gpuopt-translate --cuda-to-mlir %t.cu -o /dev/null

// What several subscripts have in common, of ids and parameters alone, is computed
// once, under a name that says what it is.

#geometry = #gpuopt.geometry<block = [64, 8, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 8, 1]>
gpu.module @kernels {
  // Rows and columns of the array that is written are those of the result.
  // CHECK-LABEL: of_a_block(
  // CHECK:         const int c_col = tx % 16 * 4;
  // CHECK-NEXT:    const int row = bx * 4 + tx / 16;
  // CHECK-NEXT:    c[row * k + c_col] = a[row * k + c_col];
  // CHECK-NEXT:    c[(row + 2) * k + c_col + 1] = a[(row + 2) * k + c_col + 1];
  gpu.func @of_a_block(%a: memref<?xf32> {gpuopt.name = "a"}, %c: memref<?xf32> {gpuopt.name = "c"}, %k: i32 {gpuopt.name = "k"}) kernel
      attributes {gpuopt.narrow_positions, gpuopt.geometry = #geometry} {
    %ki = arith.index_cast %k : i32 to index
    %tx = gpu.thread_id x
    %id = gpu.block_id x
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%ki, %ki], strides: [%ki, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%ki, %ki], strides: [%ki, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %x = affine.load %A[symbol(%id) * 4 + symbol(%tx) floordiv 16, symbol(%tx) mod 16 * 4] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %x, %C[symbol(%id) * 4 + symbol(%tx) floordiv 16, symbol(%tx) mod 16 * 4] : memref<?x?xf32, strided<[?, 1]>>
    %y = affine.load %A[symbol(%id) * 4 + symbol(%tx) floordiv 16 + 2, symbol(%tx) mod 16 * 4 + 1] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %y, %C[symbol(%id) * 4 + symbol(%tx) floordiv 16 + 2, symbol(%tx) mod 16 * 4 + 1] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }

  // Those within a block have the array's name, and two that belong together one
  // declaration, the row in front.
  // CHECK-LABEL: of_a_thread(
  // CHECK:         const int c_row = ty * 4 + tx / 16, c_col = tx % 16 * 4;
  // CHECK-NEXT:    c[c_row * k + c_col] = a[c_row * k + c_col];
  gpu.func @of_a_thread(%a: memref<?xf32> {gpuopt.name = "a"}, %c: memref<?xf32> {gpuopt.name = "c"}, %k: i32 {gpuopt.name = "k"}) kernel
      attributes {gpuopt.narrow_positions, gpuopt.geometry = #geometry} {
    %ki = arith.index_cast %k : i32 to index
    %tx = gpu.thread_id x
    %id = gpu.thread_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%ki, %ki], strides: [%ki, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%ki, %ki], strides: [%ki, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %x = affine.load %A[symbol(%id) * 4 + symbol(%tx) floordiv 16, symbol(%tx) mod 16 * 4] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %x, %C[symbol(%id) * 4 + symbol(%tx) floordiv 16, symbol(%tx) mod 16 * 4] : memref<?x?xf32, strided<[?, 1]>>
    %y = affine.load %A[symbol(%id) * 4 + symbol(%tx) floordiv 16 + 2, symbol(%tx) mod 16 * 4 + 1] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %y, %C[symbol(%id) * 4 + symbol(%tx) floordiv 16 + 2, symbol(%tx) mod 16 * 4 + 1] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }

  // What subscripts have twice stays where it is if the name would be as long:
  // three times `tx + ty * 64`.
  // CHECK-LABEL: void tiles(
  // CHECK-NOT:     const int {{(thread|lane|row|tile_row)}}
  // CHECK:         a_tile[tx / 16 + 1][tx % 16 * 4 + 3] = a[tx + ty * 64];
  gpu.func @tiles(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%s: memref<8x64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %ty = gpu.thread_id y upper_bound 8
    %x = affine.load %a[symbol(%ty) * 64 + symbol(%tx)] : memref<?xf32>
    affine.store %x, %s[symbol(%tx) floordiv 16 + 1, symbol(%tx) mod 16 * 4 + 3] : memref<8x64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %s[symbol(%tx) floordiv 16 + 2, symbol(%tx) mod 16 * 4 + 1] : memref<8x64xf32, #gpu.address_space<workgroup>>
    affine.store %y, %b[symbol(%ty) * 64 + symbol(%tx)] : memref<?xf32>
    affine.store %y, %b[symbol(%ty) * 64 + symbol(%tx) + 512] : memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: void too_short(
  // CHECK:         b[tx * 2] = a[tx * 2];
  gpu.func @too_short(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel
      attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %x = affine.load %a[symbol(%tx) * 2] : memref<?xf32>
    affine.store %x, %b[symbol(%tx) * 2] : memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: void once(
  // CHECK:         b[tx % 16] = a[bx * 64 + tx / 16];
  gpu.func @once(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel
      attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %bx = gpu.block_id x
    %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx) floordiv 16] : memref<?xf32>
    affine.store %x, %b[symbol(%tx) mod 16] : memref<?xf32>
    gpu.return
  }

  // A product of extents is no place: it stays.
  // CHECK-LABEL: void strides(
  // CHECK:         a[idx + (long long)block_x * grid_x] = 1.0f;
  // CHECK:         for (long long i = idx; i < n; i += (long long)block_x * grid_x)
  gpu.func @strides(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %one = arith.constant 1.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %id = gpu.global_id x
    %block = gpu.block_dim x
    %grid = gpu.grid_dim x
    %all = arith.muli %block, %grid overflow<nsw> : index
    %next = arith.addi %id, %all overflow<nsw> : index
    %last = arith.addi %next, %all overflow<nsw> : index
    memref.store %one, %a[%next] : memref<?xf32>
    memref.store %one, %a[%last] : memref<?xf32>
    scf.for %i = %id to %ni step %all {
      memref.store %one, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}
