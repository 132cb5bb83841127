// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90" --remarks-filter=gpuopt --remark-format=emitRemark \
// RUN:   --verify-diagnostics | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=nvidia-gtx285" | FileCheck %s --check-prefix=SMALL

#row = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                        items_per_block = [32, 1, 1]>
#tile = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [16, 16, 1]>
gpu.module @kernels {
  // A streaming kernel gets larger blocks: a quarter of what a block may have,
  // 256 threads of 1024 or 128 of 512. Where the target prefers vectors of four
  // words, a thread gets four neighbouring items.
  // CHECK-LABEL: gpu.func @streaming
  // CHECK-SAME: block = [256, 1, 1], items_per_thread = [4, 1, 1], items_per_block = [1024, 1, 1]
  // SMALL-LABEL: gpu.func @streaming
  // SMALL-SAME: block = [128, 1, 1], items_per_thread = [1, 1, 1]
  // expected-remark@below {{merge 8 x 1 x 1 blocks, 4 x 1 x 1 threads, groups of 4 neighbours along x}}
  // expected-remark@below {{a thread does the work of 4 along x, next to each other}}
  // expected-remark@below {{a block does the work of 8 along x}}
  gpu.func @streaming(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}) kernel attributes {gpuopt.geometry = #row} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = affine.load %a[%b * 32 + %t] : memref<?xf32>
    affine.store %v, %c[%b * 32 + %t] : memref<?xf32>
    gpu.return
  }

  // What an item stores may be what the next one loads: no vectors, so that
  // neighbours would only take the lanes of a request apart.
  // CHECK-LABEL: gpu.func @may_overlap
  // CHECK-SAME: block = [256, 1, 1], items_per_thread = [1, 1, 1]
  // expected-remark@below {{merge 8 x 1 x 1 blocks, 1 x 1 x 1 threads}}
  // expected-remark@below {{a block does the work of 8 along x}}
  gpu.func @may_overlap(%a: memref<?xf32>, %c: memref<?xf32>) kernel attributes {gpuopt.geometry = #row} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = affine.load %a[%b * 32 + %t] : memref<?xf32>
    affine.store %v, %c[%b * 32 + %t] : memref<?xf32>
    gpu.return
  }

  // Nor do some work items make a vector.
  // CHECK-LABEL: gpu.func @some
  // CHECK-SAME: items_per_thread = [1, 1, 1]
  // expected-remark@below {{merge 8 x 1 x 1 blocks, 1 x 1 x 1 threads}}
  // expected-remark@below {{a block does the work of 8 along x}}
  gpu.func @some(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}) kernel
      attributes {gpuopt.geometry = #row} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    affine.if affine_set<()[t] : (t mod 4 - 1 >= 0)>()[%t] {
      %v = affine.load %a[%b * 32 + %t] : memref<?xf32>
      affine.store %v, %c[%b * 32 + %t] : memref<?xf32>
    }
    gpu.return
  }

  // Nor is it known which of them a switch lets store.
  // CHECK-LABEL: gpu.func @chosen
  // CHECK-SAME: items_per_thread = [1, 1, 1]
  // expected-remark@below {{merge 8 x 1 x 1 blocks, 1 x 1 x 1 threads}}
  // expected-remark@below {{a block does the work of 8 along x}}
  gpu.func @chosen(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}) kernel
      attributes {gpuopt.geometry = #row} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = affine.load %a[%b * 32 + %t] : memref<?xf32>
    %which = affine.apply affine_map<(t) -> (t mod 4)>(%t)
    scf.index_switch %which
    case 0 {
      affine.store %v, %c[%b * 32 + %t] : memref<?xf32>
      scf.yield
    }
    default {
    }
    gpu.return
  }

  // Neighbours along x use the same row of a, neighbours along y the same
  // column of b: vectors of b would be aligned for some sizes only, and for
  // others each iteration would pay for neighbours. The small target has registers for one block with fewer items.
  // CHECK-LABEL: gpu.func @product
  // CHECK-SAME: block = [16, 16, 1], items_per_thread = [4, 4, 1], items_per_block = [64, 64, 1]
  // SMALL-LABEL: gpu.func @product
  // SMALL-SAME: block = [16, 16, 1], items_per_thread = [2, 4, 1]
  // expected-remark@below {{merge 1 x 1 x 1 blocks, 4 x 4 x 1 threads}}
  // expected-remark@below {{a thread does the work of 4 along x}}
  // expected-remark@below {{a thread does the work of 4 along y}}
  gpu.func @product(%a: memref<?x?xf64> {llvm.noalias}, %b: memref<?x?xf64> {llvm.noalias},
                    %c: memref<?x?xf64> {llvm.noalias}, %k: index)
      kernel attributes {gpuopt.geometry = #tile} {
    %zero = arith.constant 0.0 : f64
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %s = affine.for %i = 0 to %k iter_args(%t = %zero) -> (f64) {
      %x = affine.load %a[%by * 16 + %ty, %i] : memref<?x?xf64>
      %y = affine.load %b[%i, %bx * 16 + %tx] : memref<?x?xf64>
      %p = arith.mulf %x, %y : f64
      %u = arith.addf %t, %p : f64
      affine.yield %u : f64
    }
    affine.store %s, %c[%by * 16 + %ty, %bx * 16 + %tx] : memref<?x?xf64>
    gpu.return
  }

  // Nothing is shared, and neighbours make no aligned vectors.
  // CHECK-LABEL: gpu.func @shift
  // CHECK-SAME: block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]
  // expected-remark@below {{the block is large enough, and no load in a loop is shared by neighbouring blocks}}
  gpu.func @shift(%a: memref<?x?xf32>, %c: memref<?x?xf32>) kernel attributes {gpuopt.geometry = #tile} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %v = affine.load %a[%by * 16 + %ty, %bx * 16 + %tx + 1] : memref<?x?xf32>
    affine.store %v, %c[%by * 16 + %ty, %bx * 16 + %tx] : memref<?x?xf32>
    gpu.return
  }

  // Where a loop is long, the weights that all items share are worth registers.
  // CHECK-LABEL: gpu.func @many_weights
  // CHECK-SAME: items_per_thread = [4, 4, 1]
  // expected-remark@below {{merge 1 x 1 x 1 blocks, 4 x 4 x 1 threads}}
  // expected-remark@below {{a thread does the work of 4 along x}}
  // expected-remark@below {{a thread does the work of 4 along y}}
  gpu.func @many_weights(%a: memref<?x?xf32> {llvm.noalias}, %w: memref<?xf32> {llvm.noalias},
      %c: memref<?x?xf32> {llvm.noalias}, %n: index) kernel
      attributes {gpuopt.geometry = #tile} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %zero = arith.constant 0.0 : f32
    %sum = affine.for %i = 0 to %n iter_args(%so_far = %zero) -> (f32) {
      %v = affine.load %a[%by * 16 + %ty, %bx * 16 + %tx + %i] : memref<?x?xf32>
      %weight = affine.load %w[%i] : memref<?xf32>
      %product = arith.mulf %v, %weight : f32
      %next = arith.addf %so_far, %product : f32
      affine.yield %next : f32
    }
    affine.store %sum, %c[%by * 16 + %ty, %bx * 16 + %tx] : memref<?x?xf32>
    gpu.return
  }

  // The loop of a stencil does not stay.
  // CHECK-LABEL: gpu.func @few_weights
  // CHECK-SAME: items_per_thread = [1, 1, 1]
  // expected-remark@below {{the block is large enough, and no load in a loop is shared by neighbouring blocks}}
  gpu.func @few_weights(%a: memref<?x?xf32> {llvm.noalias}, %w: memref<?xf32> {llvm.noalias},
      %c: memref<?x?xf32> {llvm.noalias}) kernel
      attributes {gpuopt.geometry = #tile} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %zero = arith.constant 0.0 : f32
    %sum = affine.for %i = 0 to 9 iter_args(%so_far = %zero) -> (f32) {
      %v = affine.load %a[%by * 16 + %ty, %bx * 16 + %tx + %i] : memref<?x?xf32>
      %weight = affine.load %w[%i] : memref<?xf32>
      %product = arith.mulf %v, %weight : f32
      %next = arith.addf %so_far, %product : f32
      affine.yield %next : f32
    }
    affine.store %sum, %c[%by * 16 + %ty, %bx * 16 + %tx] : memref<?x?xf32>
    gpu.return
  }

  // expected-remark@below {{the kernel's block shape is not known}}
  gpu.func @no_geometry() kernel {
    gpu.return
  }
}
