// Yang et al. 2012, figure 15: the matrix-vector product on its way through the
// compiler for texture memory (section 5.2), where accesses are made wide, to four
// elements as texture units want them, and threads merged; nothing is staged.
//
// Not as in the figure: the loads are from global memory, from a machine like the
// HD 5870 that prefers four elements. Wide versions stand under a test of the
// addresses; loops count in elements. In (c), a block starts the partition's width
// (256 bytes) further on than its neighbour, as section 3.7 says, not 512; instead of
// a loop that runs past the row and a remainder in it, there is a comparison. The sum
// changes its order: that needs --reassociate.
//
// DEFINE: %{then} = --gpuopt-version-guards --canonicalize --cse \
// DEFINE:   --gpuopt-version-alignment --gpuopt-vectorize-accesses --canonicalize --cse
// DEFINE: %{a} = --gpuopt-assign-geometry=block=64 %{then}
// DEFINE: %{b} = --gpuopt-assign-geometry=block=64 \
// DEFINE:   --gpuopt-merge-threads="dim=x factor=2 ownership=contiguous" %{then}
// RUN: sed 's/vector_elements = 2/vector_elements = 4/' %gpuopt_source/dialects/GPUOpt/targets/amd-hd5870.target \
// RUN:   > %t.target
// DEFINE: %{c} = %{a} --gpuopt-eliminate-partition-camping --canonicalize --cse
// RUN: gpuopt compile %s --target %t.target --emit mlir --no-opt -ffp-contract=off -o %t.naive.mlir
// RUN: gpuopt compile %s --target %t.target --emit mlir --no-opt -ffp-contract=off --reassociate -o %t.free.mlir
// RUN: gpuopt-opt %t.naive.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{a} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=A
// RUN: gpuopt-opt %t.naive.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{b} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=B
// RUN: gpuopt-opt %t.free.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{c} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=OFFSET
//
// Executed, the same to the last bit for any size: rows of 132 elements in fours, of
// 131 one by one. Two blocks of 64 and one of 128 items are full.
// RUN: gpuopt-opt %t.naive.mlir %{a} | gpuopt-translate --mlir-to-kernel-llvmir --target=%t.target -o %t.a.ll
// RUN: gpuopt-opt %t.naive.mlir %{b} | gpuopt-translate --mlir-to-kernel-llvmir --target=%t.target -o %t.b.ll
// DEFINE: %{size} = 132
// DEFINE: %{args} = --subgroup 64 --arg 'f32[17424]=rand' --arg 'f32[132]=rand' --arg 'f32[132]=zero' \
// DEFINE:   --arg i32=%{size} --print 2
// RUN: gpuopt-run-ll %t.a.ll --kernel mv__original --grid 17 --block 8 %{args} > %t.naive
// RUN: gpuopt-run-ll %t.a.ll --kernel mv --grid 3 --block 64 --races %{args} > %t.wide
// RUN: cmp %t.naive %t.wide
// RUN: gpuopt-run-ll %t.b.ll --kernel mv --grid 2 --block 64 --races %{args} > %t.merged
// RUN: cmp %t.naive %t.merged
// REDEFINE: %{size} = 131
// RUN: gpuopt-run-ll %t.a.ll --kernel mv__original --grid 17 --block 8 %{args} > %t.naive
// RUN: gpuopt-run-ll %t.a.ll --kernel mv --grid 3 --block 64 --races %{args} > %t.wide
// RUN: cmp %t.naive %t.wide
// RUN: gpuopt-run-ll %t.b.ll --kernel mv --grid 2 --block 64 --races %{args} > %t.merged
// RUN: cmp %t.naive %t.merged
// RUN: gpuopt check %s --target %t.target --reassociate --size w=512
// RUN: gpuopt check %s --target %t.target --size w=132
// RUN: gpuopt check %s --target %t.target --size w=131

// (a) Loop-based vectorization of both arrays.
//
//   sum = 0
//   for k in [0, w/4):
//     a0 = four elements k of row idx of a
//     b0 = four elements k of b
//     sum += a0.x * b0.x;  sum += a0.y * b0.y;  …  (x, y, z, w in this order)
//   c[idx] = sum
//
// A-LABEL: gpu.func @mv(
// A-SAME:    block = [64, 1, 1], items_per_thread = [1, 1, 1]
// A-DAG:   %[[TIDX:.*]] = gpu.thread_id x
// A-DAG:   %[[BIDX:.*]] = gpu.block_id x
// A-DAG:   %[[MATRIX:.*]] = memref.reinterpret_cast %arg0
// A:       %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to 2048 step 4 iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// A-NEXT:    %[[IDX:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 64 + s1)>()[%[[BIDX]], %[[TIDX]]]
// A-NEXT:    %[[A0:.*]] = vector.load %[[MATRIX]][%[[IDX]], %[[I]]] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// A-NEXT:    %[[AX:.*]] = vector.extract %[[A0]][0]
// A-NEXT:    %[[AY:.*]] = vector.extract %[[A0]][1]
// A-NEXT:    %[[AZ:.*]] = vector.extract %[[A0]][2]
// A-NEXT:    %[[AW:.*]] = vector.extract %[[A0]][3]
// A-NEXT:    %[[B0:.*]] = vector.load %arg1[%[[I]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// A-NEXT:    %[[BX:.*]] = vector.extract %[[B0]][0]
// A-NEXT:    %[[BY:.*]] = vector.extract %[[B0]][1]
// A-NEXT:    %[[BZ:.*]] = vector.extract %[[B0]][2]
// A-NEXT:    %[[BW:.*]] = vector.extract %[[B0]][3]
// A-NEXT:    %[[X:.*]] = arith.mulf %[[AX]], %[[BX]]
// A-NEXT:    %[[SX:.*]] = arith.addf %[[S]], %[[X]]
// A-NEXT:    %[[Y:.*]] = arith.mulf %[[AY]], %[[BY]]
// A-NEXT:    %[[SY:.*]] = arith.addf %[[SX]], %[[Y]]
// A-NEXT:    %[[Z:.*]] = arith.mulf %[[AZ]], %[[BZ]]
// A-NEXT:    %[[SZ:.*]] = arith.addf %[[SY]], %[[Z]]
// A-NEXT:    %[[W:.*]] = arith.mulf %[[AW]], %[[BW]]
// A-NEXT:    %[[SW:.*]] = arith.addf %[[SZ]], %[[W]]
// A-NEXT:    affine.yield %[[SW]]
// A-NEXT:  }
// A-NEXT:  affine.store %[[SUM]], %arg2[symbol(%[[BIDX]]) * 64 + symbol(%[[TIDX]])]

// (b) Two threads along x merged, so that elements of b are loaded once for both.
//
//   sum_0 = sum_1 = 0
//   for k in [0, w/4):
//     a0_0, a0_1 = four elements k of rows 2*idx and 2*idx + 1 of a
//     b0 = four elements k of b
//     sum_0 += a0_0.x * b0.x;  sum_1 += a0_1.x * b0.x;  …
//   pair idx of c = sum_0, sum_1
//
// B-LABEL: gpu.func @mv(
// B-SAME:    block = [64, 1, 1], items_per_thread = [2, 1, 1], items_per_block = [128, 1, 1]
// B-DAG:   %[[TIDX:.*]] = gpu.thread_id x
// B-DAG:   %[[BIDX:.*]] = gpu.block_id x
// B-DAG:   %[[MATRIX:.*]] = memref.reinterpret_cast %arg0
// B:       %[[SUM:.*]]:2 = affine.for %[[I:.*]] = 0 to 2048 step 4
// B-SAME:    iter_args(%[[S0:[a-z0-9]+]] = %{{[^,]*}}, %[[S1:[a-z0-9]+]] = %{{[^,]*}}) -> (f32, f32) {
// B-NEXT:    %[[ROW0:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 128 + s1 * 2)>()[%[[BIDX]], %[[TIDX]]]
// B-NEXT:    %[[A0:.*]] = vector.load %[[MATRIX]][%[[ROW0]], %[[I]]] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// B-NEXT:    %[[AX0:.*]] = vector.extract %[[A0]][0]
// B-COUNT-2: vector.extract %[[A0]]
// B-NEXT:    %[[AW0:.*]] = vector.extract %[[A0]][3]
// B-NEXT:    %[[ROW1:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 128 + s1 * 2 + 1)>()[%[[BIDX]], %[[TIDX]]]
// B-NEXT:    %[[A1:.*]] = vector.load %[[MATRIX]][%[[ROW1]], %[[I]]] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// B-NEXT:    %[[AX1:.*]] = vector.extract %[[A1]][0]
// B-COUNT-2: vector.extract %[[A1]]
// B-NEXT:    %[[AW1:.*]] = vector.extract %[[A1]][3]
// B-NEXT:    %[[B0:.*]] = vector.load %arg1[%[[I]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// B-NEXT:    %[[BX:.*]] = vector.extract %[[B0]][0]
// B-COUNT-2: vector.extract %[[B0]]
// B-NEXT:    %[[BW:.*]] = vector.extract %[[B0]][3]
// B-NEXT:    %[[X0:.*]] = arith.mulf %[[AX0]], %[[BX]]
// B-NEXT:    %[[X1:.*]] = arith.mulf %[[AX1]], %[[BX]]
// B-NEXT:    arith.addf %[[S0]], %[[X0]]
// B-NEXT:    arith.addf %[[S1]], %[[X1]]
// B:         %[[W0:.*]] = arith.mulf %[[AW0]], %[[BW]]
// B-NEXT:    %[[W1:.*]] = arith.mulf %[[AW1]], %[[BW]]
// B-NEXT:    %[[SW0:.*]] = arith.addf %{{.*}}, %[[W0]]
// B-NEXT:    %[[SW1:.*]] = arith.addf %{{.*}}, %[[W1]]
// B-NEXT:    affine.yield %[[SW0]], %[[SW1]]
// B-NEXT:  }
// B-NEXT:  %[[PAIR:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 128 + s1 * 2)>()[%[[BIDX]], %[[TIDX]]]
// B-NEXT:  %[[SUMS:.*]] = vector.from_elements %[[SUM]]#0, %[[SUM]]#1 : vector<2xf32>
// B-NEXT:  vector.store %[[SUMS]], %arg2[%[[PAIR]]] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>

// (c) Blocks spread over partitions; (a) with another start for each block.
//
//   start = 256 bytes * bidx, within the row
//   for k in [0, w/4):
//     k1 = start + k, from the beginning again at the row's end
//     a0 = four elements k1 of row idx of a
//     b0 = four elements k1 of b
//     …
//
// OFFSET-LABEL: gpu.func @mv(
// OFFSET:       %[[BIDX:.*]] = gpu.block_id x
// OFFSET:       %[[TIDX:.*]] = gpu.thread_id x
// OFFSET:       %[[MATRIX:.*]] = memref.reinterpret_cast %arg0
// OFFSET:       %[[FAR:.*]] = arith.muli %[[BIDX]], %c64
// OFFSET-NEXT:  %[[START:.*]] = arith.remui %[[FAR]], %c2048
// OFFSET-NEXT:  %[[SUM:.*]] = affine.for %[[K:.*]] = 0 to 2048 step 4 iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// OFFSET-NEXT:    %[[NEXT:.*]] = arith.addi %[[K]], %[[START]]
// OFFSET-NEXT:    %[[BACK:.*]] = arith.subi %[[NEXT]], %c2048
// OFFSET-NEXT:    %[[PAST:.*]] = arith.cmpi sge, %[[NEXT]], %c2048
// OFFSET-NEXT:    %[[K1:.*]] = arith.select %[[PAST]], %[[BACK]], %[[NEXT]]
// OFFSET-NEXT:    %[[IDX:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 64 + s1)>()[%[[BIDX]], %[[TIDX]]]
// OFFSET-NEXT:    vector.load %[[MATRIX]][%[[IDX]], %[[K1]]] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// OFFSET:         vector.load %arg1[%[[K1]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// OFFSET:         arith.addf %[[S]], %{{.*}} fastmath<reassoc>
// OFFSET:       }
// OFFSET:       affine.store %[[SUM]], %arg2[symbol(%[[BIDX]]) * 64 + symbol(%[[TIDX]])]
#pragma gpuopt domain(w) array(a: w, w) array(b: w) array(c: w) output(c)
extern "C" __global__ void mv(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= w) return;
  float sum = 0;
  for (int i = 0; i < w; i++) sum += a[idx * w + i] * b[i];
  c[idx] = sum;
}
