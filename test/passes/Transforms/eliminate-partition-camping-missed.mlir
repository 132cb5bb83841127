// What camps, but stays: the loops run in the order of the source.
//
// RUN: gpuopt-opt %s --gpuopt-eliminate-partition-camping="target=nvidia-gtx285" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: arith.remui
// CHECK-NOT: gpu.grid_dim

#line = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>
#square = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>

gpu.module @kernels {
  gpu.func @float_sum(%a: memref<?x4096xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> f32 {
      // expected-remark@below {{load of 'arg0' camps}}
      %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), %i] : memref<?x4096xf32>
      // expected-remark@below {{the order of a floating-point sum matters, and 'arith.addf' is not marked 'reassoc' (--reassociate)}}
      %t = arith.addf %s, %x : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }

  // Every sum on the way is stored.
  gpu.func @prefix_sum(%a: memref<?x4096xi32> {llvm.noalias}, %c: memref<?xi32> {llvm.noalias})
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
      // expected-remark@below {{load of 'arg0' camps}}
      %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), %i] : memref<?x4096xi32>
      %t = arith.addi %s, %x : i32
      // expected-remark@below {{iterations depend on the one before by more than a sum}}
      affine.store %t, %c[%i] : memref<?xi32>
      affine.yield %t : i32
    }
    gpu.return
  }

  // A sum and a product do not commute.
  gpu.func @polynomial(%a: memref<?x4096xi32> {llvm.noalias}, %c: memref<?xi32> {llvm.noalias}, %p: i32)
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
      // expected-remark@below {{load of 'arg0' camps}}
      %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), %i] : memref<?x4096xi32>
      %m = arith.muli %s, %p : i32
      // expected-remark@below {{iterations depend on the one before by more than a sum}}
      %t = arith.addi %m, %x : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[symbol(%bx) * 64 + symbol(%tx)] : memref<?xi32>
    gpu.return
  }

  // The difference from an element takes turns with signs.
  gpu.func @alternating(%a: memref<?x4096xi32> {llvm.noalias}, %c: memref<?xi32> {llvm.noalias})
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
      // expected-remark@below {{load of 'arg0' camps}}
      %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), %i] : memref<?x4096xi32>
      // expected-remark@below {{iterations depend on the one before by more than a sum}}
      %t = arith.subi %x, %s : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[symbol(%bx) * 64 + symbol(%tx)] : memref<?xi32>
    gpu.return
  }

  // What an iteration writes another may read.
  gpu.func @writes(%a: memref<?x4096xi32>, %c: memref<?xi32>) kernel attributes {gpuopt.geometry = #line} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    affine.for %i = 0 to 4096 {
      // expected-remark@below {{load of 'arg0' camps}}
      %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), %i] : memref<?x4096xi32>
      // expected-remark@below {{an iteration writes memory here}}
      affine.store %x, %c[%i] : memref<?xi32>
    }
    gpu.return
  }

  // The column by which the loop goes is in the trip count of another loop.
  gpu.func @triangle(%a: memref<?x4096xi32> {llvm.noalias}, %c: memref<?xi32> {llvm.noalias})
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
      // expected-remark@below {{load of 'arg0' camps}}
      %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), %i] : memref<?x4096xi32>
      // expected-remark@below {{this needs the loop's iterator as it is}}
      %t = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%q = %s) -> i32 {
        %u = arith.addi %q, %x : i32
        affine.yield %u : i32
      }
      affine.yield %t : i32
    }
    affine.store %sum, %c[symbol(%bx) * 64 + symbol(%tx)] : memref<?xi32>
    gpu.return
  }

  // A thread has one element of its row: there is nothing to turn.
  gpu.func @no_loop(%a: memref<?x4096xi32>, %c: memref<?xi32>) kernel attributes {gpuopt.geometry = #line} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    // expected-remark@below {{load of 'arg0' camps}}
    // expected-remark@below {{no loop goes along the row, so that all of a block's accesses are in one partition}}
    %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), 7] : memref<?x4096xi32>
    affine.store %x, %c[symbol(%bx) * 64 + symbol(%tx)] : memref<?xi32>
    gpu.return
  }

  // In diagonal order, blocks have different rows and the same column still.
  gpu.func @not_by_y(%a: memref<?x4096xi32>, %c: memref<?x4100xi32>) kernel attributes {gpuopt.geometry = #square} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    // expected-remark@below {{load of 'arg0' camps}}
    // expected-remark@below {{blocks in diagonal order would meet in a partition, too: blockIdx.y does not tell them apart}}
    %x = affine.load %a[symbol(%bx) * 16 + symbol(%tx), 7] : memref<?x4096xi32>
    affine.store %x, %c[symbol(%by) * 16 + symbol(%ty), symbol(%bx) * 16 + symbol(%tx)] : memref<?x4100xi32>
    gpu.return
  }

  // The diagonal order would spread the store, but let the load camp, and that
  // is in a loop.
  gpu.func @hurts(%a: memref<?x4096xi32> {llvm.noalias}, %c: memref<?x4096xi32> {llvm.noalias})
      kernel attributes {gpuopt.geometry = #square} {
    %zero = arith.constant 0 : i32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
      %x = affine.load %a[symbol(%by) * 16 + symbol(%ty), %i] : memref<?x4096xi32>
      %t = arith.xori %s, %x : i32
      affine.yield %t : i32
    }
    // expected-remark@below {{store of 'arg1' camps}}
    // expected-remark@below {{in diagonal order blocks would meet in a partition by other accesses as often}}
    affine.store %sum, %c[symbol(%bx) * 16 + symbol(%tx), symbol(%by) * 16 + symbol(%ty)] : memref<?x4096xi32>
    gpu.return
  }
}
