// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// A block fills a tile element by element: thread t takes the elements t, t + 64,
// and so on.

#row = affine_map<()[t] -> (t floordiv 34)>
gpu.module @kernels {
  // Where no row ends with a round of threads, the simplified rows of later copies,
  // (t + 30) / 34 + 1 for (t + 64) / 34, hide that. A loop over the elements shows
  // it, and what only some threads do in the last round bounds it: 4 * 34 elements.
  // CHECK-LABEL: tile(const float *a, float *b, int k)
  // CHECK:         for (int i = tx; i < 136; i += 64)
  // CHECK-NEXT:      a_tile[i / 34][i % 34] = a[i % 34 + i / 34 * k];
  // CHECK-NEXT:    __syncthreads();
  gpu.func @tile(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly}, %b: memref<?xf32> {gpuopt.name = "b"}, %k: i32 {gpuopt.name = "k"})
      workgroup(%s: memref<4x34xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.narrow_positions, gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %tx = gpu.thread_id x upper_bound 64
    %ki = arith.index_cast %k : i32 to index
    %c8 = arith.constant 8 : index
    %x0 = affine.load %a[(symbol(%tx) floordiv 34) * symbol(%ki) + symbol(%tx) mod 34] : memref<?xf32>
    affine.store %x0, %s[symbol(%tx) floordiv 34, symbol(%tx) mod 34] : memref<4x34xf32, #gpu.address_space<workgroup>>
    %x1 = affine.load %a[((symbol(%tx) + 30) floordiv 34 + 1) * symbol(%ki) + (symbol(%tx) + 30) mod 34] : memref<?xf32>
    affine.store %x1, %s[(symbol(%tx) + 30) floordiv 34 + 1, (symbol(%tx) + 30) mod 34] : memref<4x34xf32, #gpu.address_space<workgroup>>
    %isLast = arith.cmpi slt, %tx, %c8 : index
    scf.if %isLast {
      %x2 = affine.load %a[((symbol(%tx) + 26) floordiv 34 + 3) * symbol(%ki) + (symbol(%tx) + 26) mod 34] : memref<?xf32>
      affine.store %x2, %s[(symbol(%tx) + 26) floordiv 34 + 3, (symbol(%tx) + 26) mod 34] : memref<4x34xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %y = affine.load %s[0, symbol(%tx) mod 34] : memref<4x34xf32, #gpu.address_space<workgroup>>
    affine.store %y, %b[symbol(%tx)] : memref<?xf32>
    gpu.return
  }


  // With whole rows in a round the rows say it themselves.
  // CHECK-LABEL: whole_rows(const float *a, float *b, int k)
  // CHECK-NOT:     for
  // CHECK:         const int a_tile_row = tx / 32;
  // CHECK-NEXT:    a_tile[a_tile_row][tx % 32] =
  // CHECK:         a_tile[a_tile_row + 2][tx % 32] =
  gpu.func @whole_rows(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly}, %b: memref<?xf32> {gpuopt.name = "b"}, %k: i32 {gpuopt.name = "k"})
      workgroup(%s: memref<4x32xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.narrow_positions, gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %tx = gpu.thread_id x upper_bound 64
    %ki = arith.index_cast %k : i32 to index
    %x0 = affine.load %a[(symbol(%tx) floordiv 32) * symbol(%ki) + symbol(%tx) mod 32] : memref<?xf32>
    affine.store %x0, %s[symbol(%tx) floordiv 32, symbol(%tx) mod 32] : memref<4x32xf32, #gpu.address_space<workgroup>>
    %x1 = affine.load %a[(symbol(%tx) floordiv 32 + 2) * symbol(%ki) + symbol(%tx) mod 32] : memref<?xf32>
    affine.store %x1, %s[symbol(%tx) floordiv 32 + 2, symbol(%tx) mod 32] : memref<4x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %s[0, symbol(%tx) mod 32] : memref<4x32xf32, #gpu.address_space<workgroup>>
    affine.store %y, %b[symbol(%tx)] : memref<?xf32>
    gpu.return
  }
}
