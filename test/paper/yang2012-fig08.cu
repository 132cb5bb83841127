// Yang et al. 2012, figure 8: the matrix product of figure 6 (a) after merging
// blocks along x (section 3.5.1). Blocks side by side share a row of a, which one
// larger block loads once: 16 blocks, as section 5.1 finds best for the GTX 285.
//
//       sum = 0
//   S0  for i in 0, 16, … w:
//   S1    shared0: 16 floats of workgroup memory, as before
//         if tidx < 16:                 // new: others have nothing to load
//   S2      shared0[tidx] = a[idy][i + tidx]
//   S3    barrier
//   S4    for k in [0, 16):
//   S5      sum += shared0[k] * b[i + k][idx]
//   S7    barrier
//   S9  c[idy][idx] = sum
//
// Not as in the figure: blocks are merged while the block as a whole fills the
// tile. That leaves the loop of figure 6 as it is, and the condition appears when
// the 16 elements are given to 256 threads, as tidx / 16 < 1 with tidx mod 16.
//
// DEFINE: %{figure} = --gpuopt-assign-geometry="block=16,1" --gpuopt-coalesce-accesses \
// DEFINE:   --gpuopt-merge-blocks="dim=x factor=16" --gpuopt-version-guards --gpuopt-distribute-tiles --canonicalize --cse
// RUN: gpuopt compile %s --target nvidia-gtx285 --emit mlir --no-opt -ffp-contract=off -o %t.naive.mlir
// RUN: gpuopt-opt %t.naive.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{figure} --mlir-print-local-scope \
// RUN:   | FileCheck %s
//
// Executed, the same to the last bit for any size: 259 is a block of 256 columns and a rest.
// RUN: gpuopt-opt %t.naive.mlir %{figure} | gpuopt-translate --mlir-to-kernel-llvmir --target=nvidia-gtx285 -o %t.ll
// DEFINE: %{run} = gpuopt-run-ll %t.ll --arg 'f32[67081]=rand' --arg 'f32[67081]=rand' --arg 'f32[67081]=zero' \
// DEFINE:   --arg i32=259 --print 2
// RUN: %{run} --kernel mm__original --grid 33,33 --block 8,8 > %t.naive
// RUN: %{run} --kernel mm --grid 2,259 --block 256,1 --races > %t.merged
// RUN: cmp %t.naive %t.merged
// RUN: gpuopt check %s --target nvidia-gtx285 --size w=131

// CHECK-LABEL:  gpu.func @mm(
// S1
// CHECK-SAME:     workgroup(%[[SHARED0:[a-z0-9]+]] : memref<16xf32, #gpu.address_space<workgroup>>) kernel
// CHECK-SAME:     block = [256, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [256, 1, 1]
// CHECK-DAG:    %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:    %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-DAG:    %[[TIDX:.*]] = gpu.thread_id x
// CHECK-DAG:    %[[BIDX:.*]] = gpu.block_id x
// CHECK-DAG:    %[[IDY:.*]] = gpu.block_id y
// CHECK-DAG:    %[[TIDY:.*]] = gpu.thread_id y
// CHECK-DAG:    %[[A:.*]] = memref.reinterpret_cast %arg0
// CHECK-DAG:    %[[B:.*]] = memref.reinterpret_cast %arg1
// CHECK-DAG:    %[[C:.*]] = memref.reinterpret_cast %arg2
// S0
// CHECK:        %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to 2048 step 16 iter_args(%[[S:.*]] = %[[ZERO]]) -> (f32) {
// The condition that merging brings.
// CHECK-NEXT:     %[[PART:.*]] = affine.apply affine_map<()[s0] -> (s0 floordiv 16)>()[%[[TIDX]]]
// CHECK-NEXT:     %[[LOADS:.*]] = arith.cmpi slt, %[[PART]], %[[ONE]]
// CHECK-NEXT:     scf.if %[[LOADS]] {
// S2
// CHECK-NEXT:       %[[V:.*]] = affine.load %[[A]][symbol(%[[IDY]]), %[[I]] + symbol(%[[TIDX]]) mod 16]
// CHECK-NEXT:       affine.store %[[V]], %[[SHARED0]][symbol(%[[TIDX]]) mod 16]
// CHECK-NEXT:     }
// S3
// CHECK-NEXT:     gpu.barrier
// S4
// CHECK-NEXT:     %[[SUMS:.*]] = affine.for %[[K:.*]] = 0 to 16 iter_args(%[[T:.*]] = %[[S]]) -> (f32) {
// S5
// CHECK-NEXT:       %[[X:.*]] = affine.load %[[SHARED0]][%[[K]]]
// CHECK-NEXT:       %[[Y:.*]] = affine.load %[[B]][%[[I]] + %[[K]], symbol(%[[BIDX]]) * 256 + symbol(%[[TIDX]])]
// CHECK-NEXT:       %[[XY:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT:       %[[U:.*]] = arith.addf %[[T]], %[[XY]]
// CHECK-NEXT:       affine.yield %[[U]]
// CHECK-NEXT:     }
// S7
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     affine.yield %[[SUMS]]
// CHECK-NEXT:   }
// S9
// CHECK-NEXT:   affine.store %[[SUM]], %[[C]][symbol(%[[IDY]]) + symbol(%[[TIDY]]),
// CHECK-SAME:     symbol(%[[BIDX]]) * 256 + symbol(%[[TIDX]])]
#pragma gpuopt domain(w, w) array(a: w, w) array(b: w, w) array(c: w, w) output(c)
extern "C" __global__ void mm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int idy = blockIdx.y * blockDim.y + threadIdx.y;
  if (idx >= w || idy >= w) return;
  float sum = 0;
  for (int i = 0; i < w; i++) sum += a[idy * w + i] * b[i * w + idx];
  c[idy * w + idx] = sum;
}
