// Yang et al. 2012, figure 5: the kernels of figure 2 with pairs, for the global
// memory of AMD's devices (section 3.1). The compiler does this first there, so
// nothing else is done to them.
//
// Sizes are those of the paper: rows of 2048 elements are whole pairs.
// Not as in the figure: arrays of the caller may begin at any element, so the wide
// version stands under a test of the addresses; loops still count in elements.
//
// DEFINE: %{then} = --gpuopt-version-guards --canonicalize --cse \
// DEFINE:   --gpuopt-version-alignment --gpuopt-vectorize-accesses --canonicalize --cse
// DEFINE: %{a} = --gpuopt-assign-geometry="block=16,16" \
// DEFINE:   --gpuopt-merge-threads="dim=x factor=2 ownership=contiguous" %{then}
// DEFINE: %{b} = --gpuopt-assign-geometry=block=64 %{then}
// RUN: gpuopt compile %s --kernel mm --target amd-hd5870 --emit mlir --no-opt -ffp-contract=off -o %t.mm.mlir
// RUN: gpuopt-opt %t.mm.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{a} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=MM
// RUN: gpuopt compile %s --kernel mv --target amd-hd5870 --emit mlir --no-opt -ffp-contract=off -o %t.mv.mlir
// RUN: gpuopt-opt %t.mv.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{b} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=MV
//
// Executed, the same to the last bit for any size: rows of 70 elements in pairs, of
// 71 one by one.
// RUN: gpuopt-opt %t.mm.mlir %{a} | gpuopt-translate --mlir-to-kernel-llvmir --target=amd-hd5870 -o %t.mm.ll
// DEFINE: %{size} = 70
// DEFINE: %{elements} = 5041
// DEFINE: %{mm} = gpuopt-run-ll %t.mm.ll --subgroup 64 --arg 'f32[%{elements}]=rand' --arg 'f32[%{elements}]=rand' \
// DEFINE:   --arg 'f32[%{elements}]=zero' --arg i32=%{size} --print 2
// RUN: %{mm} --kernel mm__original --grid 9,9 --block 8,8 > %t.naive
// RUN: %{mm} --kernel mm --grid 3,5 --block 16,16 --races > %t.wide
// RUN: cmp %t.naive %t.wide
// RUN: gpuopt-opt %t.mv.mlir %{b} | gpuopt-translate --mlir-to-kernel-llvmir --target=amd-hd5870 -o %t.mv.ll
// DEFINE: %{mv} = gpuopt-run-ll %t.mv.ll --subgroup 64 --arg 'f32[%{elements}]=rand' --arg 'f32[%{size}]=rand' \
// DEFINE:   --arg 'f32[%{size}]=zero' --arg i32=%{size} --print 2
// RUN: %{mv} --kernel mv__original --grid 9 --block 8 > %t.naive
// RUN: %{mv} --kernel mv --grid 2 --block 64 --races > %t.wide
// RUN: cmp %t.naive %t.wide
// REDEFINE: %{size} = 71
// RUN: %{mm} --kernel mm__original --grid 9,9 --block 8,8 > %t.naive
// RUN: %{mm} --kernel mm --grid 3,5 --block 16,16 --races > %t.wide
// RUN: cmp %t.naive %t.wide
// RUN: %{mv} --kernel mv__original --grid 9 --block 8 > %t.naive
// RUN: %{mv} --kernel mv --grid 2 --block 64 --races > %t.wide
// RUN: cmp %t.naive %t.wide
// RUN: gpuopt check %s --target amd-hd5870 --size w=70
// RUN: gpuopt check %s --target amd-hd5870 --size w=71

// (a) b is vectorized between threads, so a thread computes two neighbours of a
// row of c; a is vectorized in the loop; what c is left with are two neighbouring
// stores of one thread.
//
//   sum_0 = sum_1 = 0
//   for k in [0, w/2):
//     a0 = pair k of row idy of a
//     b0 = pair idx of row 2*k of b
//       sum_0 += a0.x * b0.x;  sum_1 += a0.x * b0.y
//     b0 = pair idx of row 2*k + 1 of b
//       sum_0 += a0.y * b0.x;  sum_1 += a0.y * b0.y
//   pair idx of row idy of c = sum_0, sum_1
//
// MM-LABEL: gpu.func @mm(
// MM-SAME:    block = [16, 16, 1], items_per_thread = [2, 1, 1], items_per_block = [32, 16, 1]
// MM-DAG:   %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// MM-DAG:   %[[TIDX:.*]] = gpu.thread_id x
// MM-DAG:   %[[BIDX:.*]] = gpu.block_id x
// MM-DAG:   %[[TIDY:.*]] = gpu.thread_id y
// MM-DAG:   %[[BIDY:.*]] = gpu.block_id y
// MM-DAG:   %[[A:.*]] = memref.reinterpret_cast %arg0
// MM-DAG:   %[[B:.*]] = memref.reinterpret_cast %arg1
// MM-DAG:   %[[C:.*]] = memref.reinterpret_cast %arg2
// MM:       %[[SUM:.*]]:2 = affine.for %[[I:.*]] = 0 to 2048 step 2
// MM-SAME:    iter_args(%[[S0:[a-z0-9]+]] = %[[ZERO]], %[[S1:[a-z0-9]+]] = %[[ZERO]]) -> (f32, f32) {
// MM-NEXT:    %[[IDY:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%[[BIDY]], %[[TIDY]]]
// MM-NEXT:    %[[A0:.*]] = vector.load %[[A]][%[[IDY]], %[[I]]] {alignment = 8 : i64} : {{.*}}, vector<2xf32>
// MM-NEXT:    %[[AX:.*]] = vector.extract %[[A0]][0]
// MM-NEXT:    %[[AY:.*]] = vector.extract %[[A0]][1]
// Row 2*k of b.
// MM-NEXT:    %[[PAIR:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1 * 2)>()[%[[BIDX]], %[[TIDX]]]
// MM-NEXT:    %[[B0:.*]] = vector.load %[[B]][%[[I]], %[[PAIR]]] {alignment = 8 : i64} : {{.*}}, vector<2xf32>
// MM-NEXT:    %[[BX:.*]] = vector.extract %[[B0]][0]
// MM-NEXT:    %[[BY:.*]] = vector.extract %[[B0]][1]
// MM-NEXT:    %[[P0:.*]] = arith.mulf %[[AX]], %[[BX]]
// MM-NEXT:    %[[P1:.*]] = arith.mulf %[[AX]], %[[BY]]
// MM-NEXT:    %[[T0:.*]] = arith.addf %[[S0]], %[[P0]]
// MM-NEXT:    %[[T1:.*]] = arith.addf %[[S1]], %[[P1]]
// Row 2*k + 1 of b.
// MM-NEXT:    %[[ROW:.*]] = affine.apply affine_map<(d0) -> (d0 + 1)>(%[[I]])
// MM-NEXT:    %[[B1:.*]] = vector.load %[[B]][%[[ROW]], %[[PAIR]]] {alignment = 8 : i64} : {{.*}}, vector<2xf32>
// MM-NEXT:    %[[BX:.*]] = vector.extract %[[B1]][0]
// MM-NEXT:    %[[BY:.*]] = vector.extract %[[B1]][1]
// MM-NEXT:    %[[P0:.*]] = arith.mulf %[[AY]], %[[BX]]
// MM-NEXT:    %[[P1:.*]] = arith.mulf %[[AY]], %[[BY]]
// MM-NEXT:    %[[U0:.*]] = arith.addf %[[T0]], %[[P0]]
// MM-NEXT:    %[[U1:.*]] = arith.addf %[[T1]], %[[P1]]
// MM-NEXT:    affine.yield %[[U0]], %[[U1]]
// MM-NEXT:  }
// MM:       %[[SUMS:.*]] = vector.from_elements %[[SUM]]#0, %[[SUM]]#1 : vector<2xf32>
// MM-NEXT:  vector.store %[[SUMS]], %[[C]][%{{.*}}, %{{.*}}] {alignment = 8 : i64} : {{.*}}, vector<2xf32>
#pragma gpuopt domain(w, w) array(a: w, w) array(b: w, w) array(c: w, w) output(c)
extern "C" __global__ void mm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int idy = blockIdx.y * blockDim.y + threadIdx.y;
  if (idx >= w || idy >= w) return;
  float sum = 0;
  for (int i = 0; i < w; i++) sum += a[idy * w + i] * b[i * w + idx];
  c[idy * w + idx] = sum;
}

// (b) Both loads are vectorized in the loop; c has one access and stays.
//
//   sum = 0
//   for k in [0, w/2):
//     a0 = pair k of row idx of a
//     b0 = pair k of b
//     sum += a0.x * b0.x;  sum += a0.y * b0.y
//   c[idx] = sum
//
// MV-LABEL: gpu.func @mv(
// MV-SAME:    block = [64, 1, 1], items_per_thread = [1, 1, 1]
// MV-DAG:   %[[TIDX:.*]] = gpu.thread_id x
// MV-DAG:   %[[BIDX:.*]] = gpu.block_id x
// MV-DAG:   %[[A:.*]] = memref.reinterpret_cast %arg0
// MV:       %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to 2048 step 2 iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// MV-NEXT:    %[[IDX:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 64 + s1)>()[%[[BIDX]], %[[TIDX]]]
// MV-NEXT:    %[[A0:.*]] = vector.load %[[A]][%[[IDX]], %[[I]]] {alignment = 8 : i64} : {{.*}}, vector<2xf32>
// MV-NEXT:    %[[AX:.*]] = vector.extract %[[A0]][0]
// MV-NEXT:    %[[AY:.*]] = vector.extract %[[A0]][1]
// MV-NEXT:    %[[B0:.*]] = vector.load %arg1[%[[I]]] {alignment = 8 : i64} : {{.*}}, vector<2xf32>
// MV-NEXT:    %[[BX:.*]] = vector.extract %[[B0]][0]
// MV-NEXT:    %[[BY:.*]] = vector.extract %[[B0]][1]
// MV-NEXT:    %[[P0:.*]] = arith.mulf %[[AX]], %[[BX]]
// MV-NEXT:    %[[T:.*]] = arith.addf %[[S]], %[[P0]]
// MV-NEXT:    %[[P1:.*]] = arith.mulf %[[AY]], %[[BY]]
// MV-NEXT:    %[[U:.*]] = arith.addf %[[T]], %[[P1]]
// MV-NEXT:    affine.yield %[[U]]
// MV-NEXT:  }
// MV-NEXT:  affine.store %[[SUM]], %arg2[symbol(%[[BIDX]]) * 64 + symbol(%[[TIDX]])]
#pragma gpuopt domain(w) array(a: w, w) array(b: w) array(c: w) output(c)
extern "C" __global__ void mv(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= w) return;
  float sum = 0;
  for (int i = 0; i < w; i++) sum += a[idx * w + i] * b[i];
  c[idx] = sum;
}
