// RUN: gpuopt-opt %s --gpuopt-eliminate-partition-camping="target=nvidia-gtx285" --canonicalize --cse \
// RUN:   --mlir-print-local-scope | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-eliminate-partition-camping="target=nvidia-gtx285" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null
// Addresses are hashed: nothing camps.
// RUN: gpuopt-opt %s --gpuopt-eliminate-partition-camping="target=sm_90" | FileCheck %s --check-prefix=HASHED
// Unknown machines.
// RUN: not gpuopt-opt %s --gpuopt-eliminate-partition-camping="target=gtx" 2>&1 | FileCheck %s --check-prefix=TARGET

// HASHED-NOT: arith.remui
// HASHED-NOT: gpu.grid_dim
// TARGET: error: unknown target 'gtx'

#square = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>
#line = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>

gpu.module @kernels {
  // Two dimensions: the diagonal order, where rows of c are a multiple of 8 * 256
  // bytes long.
  // CHECK-LABEL: gpu.func @transpose(
  // CHECK-SAME:    gpuopt.block_order = #gpuopt.block_order<diagonal>
  // CHECK-DAG:   %[[BX:.*]] = gpu.block_id x
  // CHECK-DAG:   %[[BY:.*]] = gpu.block_id y
  // CHECK-DAG:   %[[GX:.*]] = gpu.grid_dim x
  // CHECK-DAG:   %[[GY:.*]] = gpu.grid_dim y
  // CHECK:       %[[H:.*]] = arith.index_cast %arg2
  // CHECK:       %[[BYTES:.*]] = arith.muli %[[H]], %c4
  // CHECK:       %[[REST:.*]] = arith.remsi %[[BYTES]], %c2048
  // CHECK:       %[[CAMPS:.*]] = arith.cmpi eq, %[[REST]], %c0
  // CHECK:       %[[NEW:.*]]:2 = scf.if %[[CAMPS]] -> (index, index) {
  // CHECK:         %[[SQUARE:.*]] = arith.cmpi eq, %[[GX]], %[[GY]]
  // CHECK:         scf.if %[[SQUARE]] -> (index, index) {
  // CHECK:           %[[SUM:.*]] = arith.addi %[[BX]], %[[BY]]
  // CHECK:           %[[WRAPS:.*]] = arith.cmpi sge, %[[SUM]], %[[GX]]
  // CHECK:           %[[LESS:.*]] = arith.subi %[[SUM]], %[[GX]]
  // CHECK:           %[[X:.*]] = arith.select %[[WRAPS]], %[[LESS]], %[[SUM]]
  // CHECK:           scf.yield %[[X]], %[[BX]]
  // CHECK:         } else {
  // CHECK:           %[[ROWS:.*]] = arith.muli %[[BY]], %[[GX]]
  // CHECK:           %[[LINEAR:.*]] = arith.addi %[[ROWS]], %[[BX]]
  // CHECK:           %[[Y:.*]] = arith.remui %[[LINEAR]], %[[GY]]
  // CHECK:           %[[COLUMN:.*]] = arith.divui %[[LINEAR]], %[[GY]]
  // CHECK:           %[[MOVED:.*]] = arith.addi %[[COLUMN]], %[[Y]]
  // CHECK:           %[[TURNED:.*]] = arith.remui %[[MOVED]], %[[GX]]
  // CHECK:           scf.yield %[[TURNED]], %[[Y]]
  // CHECK:       } else {
  // CHECK:         scf.yield %[[BX]], %[[BY]]
  // CHECK:       affine.load %arg0[symbol(%[[NEW]]#1) * 16 + symbol(%{{.*}}), symbol(%[[NEW]]#0) * 16
  gpu.func @transpose(%a: memref<?x4100xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias},
                      %h: i32 {gpuopt.name = "h"}) kernel attributes {gpuopt.geometry = #square} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %hi = arith.index_cast %h : i32 to index
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [4100, %hi], strides: [%hi, 1]
        : memref<?xf32> to memref<4100x?xf32, strided<[?, 1]>>
    %v = affine.load %a[symbol(%by) * 16 + symbol(%ty), symbol(%bx) * 16 + symbol(%tx)] : memref<?x4100xf32>
    // expected-remark@below {{store of 'arg1' camps where 4*h is a multiple of 2048: neighbouring blocks along x are 64*h bytes apart, so that they meet in one of 8 partitions}}
    // expected-remark@below {{blocks work in diagonal order where 4*h is a multiple of 2048}}
    affine.store %v, %C[symbol(%bx) * 16 + symbol(%tx), symbol(%by) * 16 + symbol(%ty)]
        : memref<4100x?xf32, strided<[?, 1]>>
    gpu.return
  }

  // The length of a row is unsigned.
  // CHECK-LABEL: gpu.func @unsigned_rows(
  // CHECK-NOT:   arith.index_cast %
  // CHECK:       %[[H:.*]] = arith.index_castui %arg2
  // CHECK:       %[[BYTES:.*]] = arith.muli %[[H]], %c4
  // CHECK:       arith.remsi %[[BYTES]], %c2048
  gpu.func @unsigned_rows(%a: memref<?x4100xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias},
                          %h: i32 {gpuopt.name = "h"}) kernel attributes {gpuopt.geometry = #square} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %hi = arith.index_castui %h : i32 to index
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [4100, %hi], strides: [%hi, 1]
        : memref<?xf32> to memref<4100x?xf32, strided<[?, 1]>>
    %v = affine.load %a[symbol(%by) * 16 + symbol(%ty), symbol(%bx) * 16 + symbol(%tx)] : memref<?x4100xf32>
    // expected-remark@below {{store of 'arg1' camps where 4*h is a multiple of 2048: neighbouring blocks along x are 64*h bytes apart, so that they meet in one of 8 partitions}}
    // expected-remark@below {{blocks work in diagonal order where 4*h is a multiple of 2048}}
    affine.store %v, %C[symbol(%bx) * 16 + symbol(%tx), symbol(%by) * 16 + symbol(%ty)]
        : memref<4100x?xf32, strided<[?, 1]>>
    gpu.return
  }

  // One dimension: each block starts 256 bytes, 64 numbers, further on than the
  // one before. Sums of integers may be taken in any order, in which they may wrap
  // around on the way. The row is known to camp.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK:       %[[B:.*]] = gpu.block_id x
  // CHECK:       %[[FAR:.*]] = arith.muli %[[B]], %c64
  // CHECK:       %[[START:.*]] = arith.remui %[[FAR]], %c4096
  // CHECK:       affine.for %[[J:.*]] = 0 to 4096 iter_args(
  // CHECK:         %[[MOVED:.*]] = arith.addi %[[J]], %[[START]]
  // CHECK:         %[[BACK:.*]] = arith.subi %[[MOVED]], %c4096
  // CHECK:         %[[WRAPS:.*]] = arith.cmpi sge, %[[MOVED]], %c4096
  // CHECK:         %[[I:.*]] = arith.select %[[WRAPS]], %[[BACK]], %[[MOVED]]
  // CHECK:         memref.load %arg0[%{{.*}}, %[[I]]]
  // CHECK:         memref.load %arg1[%[[I]]]
  // CHECK:         arith.addi %{{.*}}, %{{.*}} : i32
  gpu.func @rows(%a: memref<?x4096xi32> {llvm.noalias}, %b: memref<?xi32> {llvm.noalias},
                 %c: memref<?xi32> {llvm.noalias}) kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    // expected-remark@below {{each block starts the loop 256 bytes further along the row than the one before}}
    %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
      // expected-remark@below {{load of 'arg0' camps: neighbouring blocks along x are 1048576 bytes apart}}
      %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), %i] : memref<?x4096xi32>
      %y = affine.load %b[%i] : memref<?xi32>
      %p = arith.muli %x, %y : i32
      %t = arith.addi %s, %p overflow<nsw> : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[symbol(%bx) * 64 + symbol(%tx)] : memref<?xi32>
    gpu.return
  }

  // Floating-point numbers with 'reassoc', through a loop inside and a branch.
  // The length of the rows is tested; the loop's step is kept.
  // CHECK-LABEL: gpu.func @sums(
  // CHECK:       arith.remsi %{{.*}}, %c2048
  // CHECK:       %[[CAMPS:.*]] = arith.cmpi eq
  // CHECK:       %[[START:.*]] = arith.select %[[CAMPS]], %{{.*}}, %c0
  // CHECK:       affine.for %{{.*}} = 0 to %{{.*}} step 16
  // CHECK:         affine.for
  // CHECK:           memref.load %{{.*}}[
  gpu.func @sums(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %w: i32 {gpuopt.name = "w"})
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %wi = arith.index_cast %w : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [4096, %wi], strides: [%wi, 1]
        : memref<?xf32> to memref<4096x?xf32, strided<[?, 1]>>
    // expected-remark@below {{each block starts the loop 256 bytes further along the row than the one before where 4*w is a multiple of 2048}}
    %sum = affine.for %i = 0 to %wi step 16 iter_args(%s = %zero) -> f32 {
      %some = arith.cmpi slt, %tx, %wi : index
      %r = scf.if %some -> f32 {
        %u = affine.for %k = 0 to 16 iter_args(%q = %s) -> f32 {
          // expected-remark@below {{load of 'arg0' camps where 4*w is a multiple of 2048}}
          %x = affine.load %A[symbol(%bx) * 64 + symbol(%tx), %i + %k] : memref<4096x?xf32, strided<[?, 1]>>
          %t = arith.addf %q, %x fastmath<reassoc> : f32
          affine.yield %t : f32
        }
        scf.yield %u : f32
      } else {
        scf.yield %s : f32
      }
      affine.yield %r : f32
    }
    affine.store %sum, %c[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }

  // Rows that do not camp.
  // CHECK-LABEL: gpu.func @spread(
  // CHECK-NOT:   arith.remui
  // CHECK-NOT:   memref.load
  // CHECK:       gpu.return
  gpu.func @spread(%a: memref<?x4100xi32> {llvm.noalias}, %c: memref<?xi32> {llvm.noalias})
      kernel attributes {gpuopt.geometry = #line} {
    %zero = arith.constant 0 : i32
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %sum = affine.for %i = 0 to 4100 iter_args(%s = %zero) -> i32 {
      %x = affine.load %a[symbol(%bx) * 64 + symbol(%tx), %i] : memref<?x4100xi32>
      %t = arith.addi %s, %x : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[symbol(%bx) * 64 + symbol(%tx)] : memref<?xi32>
    gpu.return
  }
}
