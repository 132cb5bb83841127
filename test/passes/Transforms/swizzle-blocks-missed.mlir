// Where another order of the blocks gains nothing, they keep the launch's.
//
// RUN: gpuopt-opt %s --gpuopt-swizzle-blocks="target=sm_90" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: arith.divui

#tile = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>
#small = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1],
                          extents = [affine_map<() -> (512)>, affine_map<() -> (512)>, unit]>

gpu.module @kernels {
  // expected-remark@below {{blocks share nothing along one of x and y}}
  gpu.func @copy(%a: memref<?x4096xf32>, %c: memref<?x4096xf32>) kernel attributes {gpuopt.geometry = #tile} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x = affine.load %a[symbol(%by) * 16 + symbol(%ty), symbol(%bx) * 16 + symbol(%tx)] : memref<?x4096xf32>
    affine.store %x, %c[symbol(%by) * 16 + symbol(%ty), symbol(%bx) * 16 + symbol(%tx)] : memref<?x4096xf32>
    gpu.return
  }

  // expected-remark@below {{the cache holds all that the blocks share}}
  gpu.func @small_product(%a: memref<?x512xf32>, %b: memref<?x512xf32>, %c: memref<?x512xf32>)
      kernel attributes {gpuopt.geometry = #small} {
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %sum = affine.for %i = 0 to 512 iter_args(%s = %zero) -> f32 {
      %x = affine.load %a[symbol(%by) * 16 + symbol(%ty), %i] : memref<?x512xf32>
      %y = affine.load %b[%i, symbol(%bx) * 16 + symbol(%tx)] : memref<?x512xf32>
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%by) * 16 + symbol(%ty), symbol(%bx) * 16 + symbol(%tx)] : memref<?x512xf32>
    gpu.return
  }

  // expected-remark@below {{the blocks have another order already}}
  gpu.func @diagonal(%a: memref<?x4096xf32>) kernel
      attributes {gpuopt.geometry = #tile, gpuopt.block_order = #gpuopt.block_order<diagonal>} {
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    affine.store %zero, %a[symbol(%by), symbol(%bx)] : memref<?x4096xf32>
    gpu.return
  }
}
