// RUN: gpuopt-opt %s --gpuopt-annotate-accesses="target=sm_90 block=16,16 sizes=kh=32,kw=32" -split-input-file \
// RUN:   | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-annotate-accesses="target=sm_90 block=16,16 sizes=kh=32,kw=32" -split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// What neighbours share (section 3.4 of Yang et al. 2012), blocks of 16x16.

gpu.module @kernels {
  // The matrix product: blocks along x share rows of a, along y columns of b.
  // CHECK-LABEL: gpu.func @mm
  // CHECK: affine.load %arg0
  // CHECK-SAME: gpuopt.sharing = [#gpuopt.sharing<between = threads, direction = x, kind = full, reuse = 16>,
  // CHECK-SAME:   #gpuopt.sharing<between = blocks, direction = x, kind = full>]
  // CHECK: affine.load %arg1
  // CHECK-SAME: gpuopt.sharing = [#gpuopt.sharing<between = threads, direction = y, kind = full, reuse = 16>,
  // CHECK-SAME:   #gpuopt.sharing<between = blocks, direction = y, kind = full>]
  // REMARK: load of 'a' is shared by all blocks along x (g2r): merging threads loads it once for them
  // REMARK: load of 'b' is shared by all blocks along y (g2r): merging threads loads it once for them
  gpu.func @mm(%a: memref<?x?xf32> {gpuopt.name = "a"}, %b: memref<?x?xf32> {gpuopt.name = "b"},
               %c: memref<?x?xf32>, %k: index {gpuopt.name = "k"}) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
      %x = affine.load %a[symbol(%idy), %i] : memref<?x?xf32>
      %y = affine.load %b[%i, symbol(%idx)] : memref<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%idy), symbol(%idx)] : memref<?x?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // A convolution of 32x32: a halo of 31 rows and columns around 16 of each.
  // CHECK-LABEL: gpu.func @conv
  // CHECK: affine.load %arg0
  // CHECK-SAME: #gpuopt.sharing<between = threads, direction = x, kind = partial, overlap_percent = 96, reuse = 512, elements = 47>
  // CHECK-SAME: #gpuopt.sharing<between = blocks, direction = x, kind = partial, overlap_percent = 65, reuse = 47, elements = 16>
  // CHECK-SAME: #gpuopt.sharing<between = threads, direction = y, kind = partial, overlap_percent = 96, reuse = 512, elements = 47>
  // CHECK-SAME: #gpuopt.sharing<between = blocks, direction = y, kind = partial, overlap_percent = 65, reuse = 47, elements = 16>
  // CHECK: affine.load %arg1
  // CHECK-SAME: #gpuopt.sharing<between = threads, direction = x, kind = full, reuse = 16>
  // CHECK-SAME: #gpuopt.sharing<between = blocks, direction = x, kind = full>
  // CHECK-SAME: #gpuopt.sharing<between = threads, direction = y, kind = full, reuse = 16>
  // CHECK-SAME: #gpuopt.sharing<between = blocks, direction = y, kind = full>
  // REMARK: load of 'image' is 66 % shared by neighbouring blocks along x
  gpu.func @conv(%image: memref<?x?xf32> {gpuopt.name = "image"}, %filter: memref<?x?xf32> {gpuopt.name = "filter"},
                 %c: memref<?x?xf32>, %kh: index {gpuopt.name = "kh"}, %kw: index {gpuopt.name = "kw"}) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %sum = affine.for %i = 0 to %kh iter_args(%s = %zero) -> (f32) {
      %row = affine.for %j = 0 to %kw iter_args(%r = %s) -> (f32) {
        %x = affine.load %image[%i + symbol(%idy), %j + symbol(%idx)] : memref<?x?xf32>
        %y = affine.load %filter[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %r, %p : f32
        affine.yield %t : f32
      }
      affine.yield %row : f32
    }
    affine.store %sum, %c[symbol(%idy), symbol(%idx)] : memref<?x?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // Blocks at a fixed stride: b and b + 4; groups of four; neighbours that meet
  // only in a sector; a subscript from memory that no id enters.
  // CHECK-LABEL: gpu.func @strides
  // CHECK: affine.load {{.*}} mod 4
  // CHECK-SAME: #gpuopt.sharing<between = blocks, direction = x, kind = full, distance = 4>
  // REMARK: load of 'a' is shared by blocks 4 apart along x, which no merge brings together
  // CHECK: affine.load {{.*}} floordiv 4
  // CHECK-SAME: #gpuopt.sharing<between = blocks, direction = x, kind = partial, overlap_percent = 75, reuse = 4>
  // CHECK: memref.load
  // CHECK-SAME: #gpuopt.sharing<between = blocks, direction = x, kind = full>
  // REMARK: load of 'b' is shared by all blocks along x
  gpu.func @strides(%a: memref<?xf32> {gpuopt.name = "a"},
                    %b: memref<?xf32> {gpuopt.name = "b", llvm.noalias}, %p: memref<?xindex> {llvm.noalias},
                    %c: memref<?xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0 : index
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %idx = gpu.global_id x
    %0 = affine.load %a[symbol(%tx) + (symbol(%bx) mod 4) * 16] : memref<?xf32>
    %1 = affine.load %a[symbol(%tx) + (symbol(%bx) floordiv 4) * 16] : memref<?xf32>
    %from = affine.load %p[0] : memref<?xindex>
    %2 = memref.load %b[%from] : memref<?xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    memref.store %4, %c[%idx] : memref<?xf32>
    gpu.return
  }
}

// -----

#workgroup = #gpu.address_space<workgroup>
gpu.module @kernels {
  // The fill of a tile: data that goes to workgroup memory.
  // REMARK: load of 'a' is shared by all blocks along x (g2s): merging blocks fills one tile for them
  // CHECK-LABEL: gpu.func @fill
  // CHECK: affine.load
  // CHECK-SAME: #gpuopt.sharing<between = blocks, direction = x, kind = full>
  gpu.func @fill(%a: memref<?xf32> {gpuopt.name = "a"}, %c: memref<?xf32>)
      workgroup(%tile: memref<16x16xf32, #workgroup>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %idx = gpu.global_id x
    %v = affine.load %a[symbol(%ty) * 16 + symbol(%tx)] : memref<?xf32>
    affine.store %v, %tile[symbol(%ty), symbol(%tx)] : memref<16x16xf32, #workgroup>
    gpu.barrier
    %x = affine.load %tile[symbol(%tx), symbol(%ty)] : memref<16x16xf32, #workgroup>
    memref.store %x, %c[%idx] : memref<?xf32>
    gpu.return
  }
}
