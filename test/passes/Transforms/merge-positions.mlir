// RUN: gpuopt-opt %s --gpuopt-merge-blocks="dim=y factor=2 target=sm_90" --canonicalize --cse \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BLOCKS
// RUN: gpuopt-opt %s --gpuopt-merge-threads="dim=x factor=4 ownership=contiguous target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=x factor=2 target=sm_90" --gpuopt-merge-threads="dim=y factor=8 target=sm_90" \
// RUN:   --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,THREADS

// A matrix product with both operands in tiles that collective loops fill is a
// function of positions: row by * 16 + ty, column bx * 16 + tx. Its blocks can
// be merged (figure 8, without a guard: the threads of the larger block share
// out the larger loop), and its threads, here to 8 x 8 items: along x two groups
// of four neighbours. There is one array for each operand all the time.

// CHECK-LABEL: gpu.func @mm
// BLOCKS-SAME: workgroup(%[[A:.*]] : memref<32x16xf32, {{.*}}>, %[[B:.*]] : memref<16x16xf32, {{.*}}>)
// BLOCKS-SAME: #gpuopt.geometry<block = [16, 32, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 32, 1]>
// THREADS-SAME: workgroup(%[[A:.*]] : memref<128x16xf32, {{.*}}>, %[[B:.*]] : memref<16x128xf32, {{.*}}>)
// THREADS-SAME: #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [8, 8, 1], items_per_block = [128, 128, 1]>
// CHECK: affine.for %[[I:.*]] = 0 to %{{.*}} step 16
// BLOCKS: affine.parallel (%[[R:.*]], %[[J:.*]]) = (0, 0) to (32, 16) {
// BLOCKS:   %[[V:.*]] = affine.load %{{.*}}[%[[R]] + symbol(%{{.*}}) * 32, %[[I]] + %[[J]]]
// BLOCKS:   affine.store %[[V]], %[[A]][%[[R]], %[[J]]]
// BLOCKS: } {gpuopt.collective}
// BLOCKS: affine.parallel {{.*}} to (16, 16) {
// BLOCKS: gpu.barrier
// BLOCKS:   affine.load %[[A]][symbol(%{{.*}}), %{{.*}}]
// BLOCKS:   affine.load %[[B]][%{{.*}}, symbol(%{{.*}})]
// THREADS: affine.parallel (%[[R:.*]], %[[J:.*]]) = (0, 0) to (128, 16) {
// THREADS:   affine.load %{{.*}}[%[[R]] + symbol(%{{.*}}) * 128, %[[I]] + %[[J]]]
// THREADS: } {gpuopt.collective}
// THREADS: affine.parallel (%[[J:.*]], %[[Q:.*]]) = (0, 0) to (16, 128) {
// THREADS:   affine.load %{{.*}}[%[[I]] + %[[J]], %[[Q]] + symbol(%{{.*}}) * 128]
// THREADS: } {gpuopt.collective}
// CHECK-NOT: gpuopt.collective
// THREADS: gpu.barrier
// THREADS: affine.for %[[K:.*]] = 0 to min
// THREADS-DAG: affine.load %[[A]][symbol(%[[TY:.*]]), %[[K]]]
// THREADS-DAG: affine.load %[[A]][symbol(%[[TY]]) + 16, %[[K]]]
// THREADS-DAG: affine.load %[[A]][symbol(%[[TY]]) + 112, %[[K]]]
// THREADS-DAG: affine.load %[[B]][%[[K]], symbol(%[[TX:.*]]) * 4]
// THREADS-DAG: affine.load %[[B]][%[[K]], symbol(%[[TX]]) * 4 + 3]
// THREADS-DAG: affine.load %[[B]][%[[K]], symbol(%[[TX]]) * 4 + 64]
// THREADS-DAG: affine.load %[[B]][%[[K]], symbol(%[[TX]]) * 4 + 67]
// THREADS-COUNT-64: arith.addf
// CHECK: gpu.barrier
#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @mm(%a: memref<?x?xf32> {llvm.noalias}, %b: memref<?x?xf32> {llvm.noalias},
               %c: memref<?x?xf32> {llvm.noalias}, %m: index, %n: index, %k: index)
      workgroup(%ta: memref<16x16xf32, #wg>, %tb: memref<16x16xf32, #wg>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bx, %tx)
    %idy = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%by, %ty)
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%r, %j) = (0, 0) to (16, 16) {
        %row = affine.apply affine_map<(b, r) -> (b * 16 + r)>(%by, %r)
        %col = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %gr = arith.cmpi slt, %row, %m : index
        %gc = arith.cmpi slt, %col, %k : index
        %legal = arith.andi %gr, %gc : i1
        scf.if %legal {
          %v = affine.load %a[%by * 16 + %r, %i + %j] : memref<?x?xf32>
          affine.store %v, %ta[%r, %j] : memref<16x16xf32, #wg>
        }
      } {gpuopt.collective}
      affine.parallel (%j, %q) = (0, 0) to (16, 16) {
        %row = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %col = affine.apply affine_map<(b, q) -> (b * 16 + q)>(%bx, %q)
        %gr = arith.cmpi slt, %row, %k : index
        %gc = arith.cmpi slt, %col, %n : index
        %legal = arith.andi %gr, %gc : i1
        scf.if %legal {
          %v = affine.load %b[%i + %j, %bx * 16 + %q] : memref<?x?xf32>
          affine.store %v, %tb[%j, %q] : memref<16x16xf32, #wg>
        }
      } {gpuopt.collective}
      gpu.barrier
      %r = scf.if %g -> (f32) {
        %q = affine.for %kk = 0 to min affine_map<(i)[k] -> (16, k - i)>(%i)[%k]
            iter_args(%t = %s) -> (f32) {
          %x = affine.load %ta[%ty, %kk] : memref<16x16xf32, #wg>
          %y = affine.load %tb[%kk, %tx] : memref<16x16xf32, #wg>
          %p = arith.mulf %x, %y fastmath<contract> : f32
          %u = arith.addf %t, %p fastmath<contract> : f32
          affine.yield %u : f32
        }
        scf.yield %q : f32
      } else {
        scf.yield %s : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    scf.if %g {
      affine.store %sum, %c[%idy, %idx] : memref<?x?xf32>
    }
    gpu.return
  }

  // Arrays whose windows overlap, as those of neighbours around a stencil do:
  // the larger window has one margin.

  // CHECK-LABEL: gpu.func @window
  // BLOCKS-SAME: memref<20x34xf16
  // THREADS-SAME: memref<132x130xf16
  // BLOCKS: affine.parallel {{.*}} to (20, 34)
  // THREADS: affine.parallel {{.*}} to (132, 130)
  // THREADS: affine.load %{{.*}}[symbol(%[[TX:.*]]) * 4 + 4, symbol(%[[TY:.*]]) + 2]
  gpu.func @window(%a: memref<?x?xf16> {llvm.noalias}, %c: memref<?x?xf16> {llvm.noalias})
      workgroup(%tile: memref<20x18xf16, #wg>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    affine.parallel (%v, %w) = (0, 0) to (20, 18) {
      %x = affine.load %a[%by * 16 + %w, %bx * 16 + %v] : memref<?x?xf16>
      affine.store %x, %tile[%v, %w] : memref<20x18xf16, #wg>
    } {gpuopt.collective}
    gpu.barrier
    %x = affine.load %tile[%tx + 4, %ty + 2] : memref<20x18xf16, #wg>
    affine.store %x, %c[%by * 16 + %ty, %bx * 16 + %tx] : memref<?x?xf16>
    gpu.return
  }
}
