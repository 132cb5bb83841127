// RUN: gpuopt-opt %s --gpuopt-merge-threads="dim=x factor=4 ownership=contiguous target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: items_per_thread = [4

#wg = #gpu.address_space<workgroup>
#shape = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
#interleaved = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [2, 1, 1], items_per_block = [32, 1, 1]>
gpu.module @kernels {
  gpu.func @thread_alone(%c: memref<?xf32>, %f: f32) kernel attributes {gpuopt.geometry = #shape} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    // expected-remark@below {{'affine.store' uses thread_id x apart from block_id * 16 + thread_id}}
    affine.store %f, %c[%b * 16 + %t * 2] : memref<?xf32>
    gpu.return
  }

  gpu.func @block_alone(%c: memref<?xindex>) kernel attributes {gpuopt.geometry = #shape} {
    %b = gpu.block_id x
    // expected-remark@below {{'memref.store' uses block_id x apart from block_id * 16 + thread_id}}
    memref.store %b, %c[%b] : memref<?xindex>
    gpu.return
  }

  // A thread has positions 16 apart already.
  gpu.func @interleaved(%c: memref<?xf32>, %f: f32) kernel attributes {gpuopt.geometry = #interleaved} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    // expected-remark@below {{'affine.store' uses thread_id x apart from block_id * 16 + thread_id}}
    affine.store %f, %c[%b * 32 + %t] : memref<?xf32>
    affine.store %f, %c[%b * 32 + %t + 16] : memref<?xf32>
    gpu.return
  }

  gpu.func @lane(%c: memref<?xindex>) kernel attributes {gpuopt.geometry = #shape} {
    // expected-remark@below {{'gpu.lane_id' depends on how threads are grouped}}
    %l = gpu.lane_id
    memref.store %l, %c[%l] : memref<?xindex>
    gpu.return
  }

  // Filled by threads, with what follows from the block.
  gpu.func @thread_filled(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      // expected-remark@below {{a workgroup array does not belong to positions, and blocks fill it differently}}
      workgroup(%tile: memref<16xf32, #wg>) kernel attributes {gpuopt.geometry = #shape} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = affine.load %a[%b * 16 + %t] : memref<?xf32>
    affine.store %v, %tile[%t] : memref<16xf32, #wg>
    gpu.barrier
    %w = affine.load %tile[0] : memref<16xf32, #wg>
    affine.store %w, %c[%b * 16 + %t] : memref<?xf32>
    gpu.return
  }

  gpu.func @wrong_subscript(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%tile: memref<16xf32, #wg>) kernel attributes {gpuopt.geometry = #shape} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    affine.parallel (%v) = (0) to (16) {
      %x = affine.load %a[%b * 16 + %v] : memref<?xf32>
      affine.store %x, %tile[%v] : memref<16xf32, #wg>
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark@below {{a subscript of workgroup memory is not the thread's position along x}}
    %w = affine.load %tile[15 - %t] : memref<16xf32, #wg>
    affine.store %w, %c[%b * 16 + %t] : memref<?xf32>
    gpu.return
  }

  gpu.func @common_array(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%tile: memref<16xf32, #wg>) kernel attributes {gpuopt.geometry = #shape} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    affine.parallel (%v) = (0) to (16) {
      %x = affine.load %a[%v] : memref<?xf32>
      affine.store %x, %tile[%v] : memref<16xf32, #wg>
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark@below {{a workgroup array that does not belong to positions is indexed by thread_id x}}
    %w = affine.load %tile[%t] : memref<16xf32, #wg>
    affine.store %w, %c[%b * 16 + %t] : memref<?xf32>
    gpu.return
  }

  // The blocks' windows are 8 apart, the iterator's steps are not.
  gpu.func @no_position(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%tile: memref<16xf32, #wg>) kernel attributes {gpuopt.geometry = #shape} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    // expected-remark@below {{no iterator of a collective loop is a position along x}}
    affine.parallel (%v) = (0) to (16) {
      %x = affine.load %a[%b * 8 + %v * 3] : memref<?xf32>
      affine.store %x, %tile[%v] : memref<16xf32, #wg>
    } {gpuopt.collective}
    gpu.barrier
    %w = affine.load %tile[%t] : memref<16xf32, #wg>
    affine.store %w, %c[%b * 16 + %t] : memref<?xf32>
    gpu.return
  }

  gpu.func @guard_by_block(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<16xf32, #wg>) kernel attributes {gpuopt.geometry = #shape} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %few = arith.cmpi slt, %b, %n : index
    affine.parallel (%v) = (0) to (16) {
      // expected-remark@below {{a collective loop uses a value that depends on block_id x}}
      scf.if %few {
        %x = affine.load %a[%b * 16 + %v] : memref<?xf32>
        affine.store %x, %tile[%v] : memref<16xf32, #wg>
      }
    } {gpuopt.collective}
    gpu.barrier
    %w = affine.load %tile[%t] : memref<16xf32, #wg>
    affine.store %w, %c[%b * 16 + %t] : memref<?xf32>
    gpu.return
  }

  gpu.func @no_barrier(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%tile: memref<16xf32, #wg>) kernel attributes {gpuopt.geometry = #shape} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    // expected-remark@below {{no barrier separates a collective loop from accesses to what it fills}}
    affine.parallel (%v) = (0) to (16) {
      %x = affine.load %a[%b * 16 + %v] : memref<?xf32>
      affine.store %x, %tile[%v] : memref<16xf32, #wg>
    } {gpuopt.collective}
    %w = affine.load %tile[%t] : memref<16xf32, #wg>
    affine.store %w, %c[%b * 16 + %t] : memref<?xf32>
    gpu.return
  }
}
