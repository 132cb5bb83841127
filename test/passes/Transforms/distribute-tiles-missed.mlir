// RUN: gpuopt-opt %s --gpuopt-distribute-tiles="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null
// RUN: not gpuopt-opt %s --gpuopt-distribute-tiles="target=sm_91" --split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET

// TARGET: error: unknown target 'sm_91'

gpu.module @kernels {
  // Without a geometry, nobody knows which threads there are.
  gpu.func @no_geometry(%a: memref<?xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    // expected-remark @below {{the kernel's block shape is not known}}
    affine.parallel (%j) = (0) to (64) {
      %v = affine.load %a[%j] : memref<?xf32>
      affine.store %v, %tile[%j] : memref<64xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }

  // How often it runs is not constant; and a loop inside.
  gpu.func @unknown_extent(%a: memref<?xf32>, %n: index)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    // expected-remark @below {{the loop does not count from 0 by 1 to constants}}
    affine.parallel (%j) = (0) to (symbol(%n)) {
      %v = affine.load %a[%j] : memref<?xf32>
      affine.store %v, %tile[%j] : memref<64xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark @below {{'affine.for' cannot be made per thread}}
    affine.parallel (%j) = (0) to (64) {
      affine.for %k = 0 to 1 {
        %v = affine.load %a[%j + %k] : memref<?xf32>
        affine.store %v, %tile[%j] : memref<64xf32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }
}

// -----

// Why vectors are not wider.
gpu.module @kernels {
  gpu.func @narrow(%a: memref<?xf32>, %b: memref<?xf32> {llvm.align = 16}, %n: index)
      workgroup(%tile: memref<256xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %c0 = arith.constant 0.0 : f32
    // expected-remark @below {{a thread takes 1 of the elements [256] at a time}}
    // expected-remark @below {{vectors are not wider: 'arg0' is not known to be aligned}}
    affine.parallel (%j) = (0) to (256) {
      %v = affine.load %a[%j] : memref<?xf32>
      affine.store %v, %tile[%j] : memref<256xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark @below {{a thread takes 1 of the elements [256] at a time}}
    // expected-remark @below {{vectors are not wider: 'arg1' is not contiguous along the tile}}
    affine.parallel (%j) = (0) to (256) {
      %v = affine.load %b[%j * 2] : memref<?xf32>
      affine.store %v, %tile[%j] : memref<256xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark @below {{a thread takes 1 of the elements [256] at a time}}
    // expected-remark @below {{vectors are not wider: a condition may hold for a part of a vector only}}
    affine.parallel (%j) = (0) to (256) {
      %in = arith.cmpi slt, %j, %n : index
      scf.if %in {
        %v = affine.load %b[%j] : memref<?xf32>
        affine.store %v, %tile[%j] : memref<256xf32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark @below {{a thread takes 1 of the elements [256] at a time}}
    // expected-remark @below {{vectors are not wider: the loop does more than copy}}
    affine.parallel (%j) = (0) to (256) {
      %v = affine.load %b[%j] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %tile[%j] : memref<256xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }

  // With vectors of four, half of the threads would have nothing to do; six
  // elements of a row are no multiple of four.
  gpu.func @narrower(%a: memref<64x8xf32> {llvm.align = 16}, %b: memref<64x6xf32> {llvm.align = 16})
      workgroup(%tile: memref<16x8xf32, #gpu.address_space<workgroup>>,
                %other: memref<64x6xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    // expected-remark @below {{a thread takes 2 of the elements [16][8] at a time}}
    // expected-remark @below {{vectors are not wider: threads would be idle}}
    affine.parallel (%i, %j) = (0, 0) to (16, 8) {
      %v = affine.load %a[%i, %j] : memref<64x8xf32>
      affine.store %v, %tile[%i, %j] : memref<16x8xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    // expected-remark @below {{a thread takes 2 of the elements [64][6] at a time}}
    // expected-remark @below {{vectors are not wider: the tile's extent is no multiple}}
    affine.parallel (%i, %j) = (0, 0) to (64, 6) {
      %v = affine.load %b[%i, %j] : memref<64x6xf32>
      affine.store %v, %other[%i, %j] : memref<64x6xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }
}
