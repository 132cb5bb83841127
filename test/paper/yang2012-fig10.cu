// Yang et al. 2012, figure 10: the matrix product of figure 8 after merging the
// threads of 32 blocks along y into one (section 3.5.2). Elements of b do not
// depend on idy: each is loaded once, into a register, for 32 sums.
//
//   sum_0 … sum_31 = 0
//   for i in 0, 16, … w:
//     shared0_0 … shared0_31: 16 floats each
//     if tidx < 16:
//       shared0_r[tidx] = a[32*idy + r][i + tidx]       for r = 0 … 31
//     barrier
//     for k in [0, 16):
//       r0 = b[i + k][idx]
//       sum_r += shared0_r[k] * r0                      for r = 0 … 31
//     barrier
//   c[32*idy + r][idx] = sum_r                          for r = 0 … 31
//
// Here idy is the merged block's id, since blocks have one row of threads. The
// first and the last of 32 are spelled out below, those between them counted.
// As in figure 8 the condition is tidx / 16 < 1.
//
// DEFINE: %{figure} = --gpuopt-assign-geometry="block=16,1" --gpuopt-coalesce-accesses --gpuopt-merge-blocks="dim=x factor=16" \
// DEFINE:   --gpuopt-merge-threads="dim=y factor=32" --gpuopt-version-guards --gpuopt-distribute-tiles --canonicalize --cse
// RUN: gpuopt compile %s --target nvidia-gtx285 --emit mlir --no-opt -ffp-contract=off -o %t.naive.mlir
// RUN: gpuopt-opt %t.naive.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{figure} --mlir-print-local-scope \
// RUN:   | FileCheck %s
//
// Executed, the same to the last bit for any size: 259 is a block of 256 columns and a
// rest, 8 blocks of 32 rows and a rest.
// RUN: gpuopt-opt %t.naive.mlir %{figure} | gpuopt-translate --mlir-to-kernel-llvmir --target=nvidia-gtx285 -o %t.ll
// DEFINE: %{run} = gpuopt-run-ll %t.ll --arg 'f32[67081]=rand' --arg 'f32[67081]=rand' --arg 'f32[67081]=zero' \
// DEFINE:   --arg i32=259 --print 2
// RUN: %{run} --kernel mm__original --grid 33,33 --block 8,8 > %t.naive
// RUN: %{run} --kernel mm --grid 2,9 --block 256,1 --races > %t.merged
// RUN: cmp %t.naive %t.merged
// RUN: gpuopt check %s --target nvidia-gtx285 --size w=131

// CHECK-LABEL:  gpu.func @mm(
// The tiles.
// CHECK-SAME:     workgroup(%[[SHARED0:[a-z0-9]+]] : memref<16xf32, #gpu.address_space<workgroup>>,
// CHECK-SAME:     , %[[SHARED31:[a-z0-9]+]] : memref<16xf32, #gpu.address_space<workgroup>>) kernel
// CHECK-SAME:     block = [256, 1, 1], items_per_thread = [1, 32, 1], items_per_block = [256, 32, 1]
// CHECK-DAG:    %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:    %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-DAG:    %[[TIDX:.*]] = gpu.thread_id x
// CHECK-DAG:    %[[BIDX:.*]] = gpu.block_id x
// CHECK-DAG:    %[[IDY:.*]] = gpu.block_id y
// CHECK-DAG:    %[[TIDY:.*]] = gpu.thread_id y
// CHECK-DAG:    %[[A:.*]] = memref.reinterpret_cast %arg0
// CHECK-DAG:    %[[B:.*]] = memref.reinterpret_cast %arg1
// CHECK-DAG:    %[[C:.*]] = memref.reinterpret_cast %arg2
// The loop over tiles and its 32 sums.
// CHECK:        %[[SUM:.*]]:32 = affine.for %[[I:.*]] = 0 to 2048 step 16
// CHECK-SAME:     iter_args(%[[S0:[a-z0-9]+]] = %[[ZERO]], {{.*}}, %[[S31:[a-z0-9]+]] = %[[ZERO]]) -> (f32,
// CHECK-NEXT:     %[[PART:.*]] = affine.apply affine_map<()[s0] -> (s0 floordiv 16)>()[%[[TIDX]]]
// CHECK-NEXT:     %[[LOADS:.*]] = arith.cmpi slt, %[[PART]], %[[ONE]]
// CHECK-NEXT:     scf.if %[[LOADS]] {
// Rows of a into their tiles.
// CHECK-NEXT:       %[[V0:.*]] = affine.load %[[A]][symbol(%[[IDY]]) * 32, %[[I]] + symbol(%[[TIDX]]) mod 16]
// CHECK-NEXT:       affine.store %[[V0]], %[[SHARED0]][symbol(%[[TIDX]]) mod 16]
// CHECK-COUNT-30:   affine.store %{{.*}}, %{{.*}}[symbol(%[[TIDX]]) mod 16] : memref<16xf32, #gpu
// CHECK-NEXT:       %[[V31:.*]] = affine.load %[[A]][symbol(%[[IDY]]) * 32 + 31, %[[I]] + symbol(%[[TIDX]]) mod 16]
// CHECK-NEXT:       affine.store %[[V31]], %[[SHARED31]][symbol(%[[TIDX]]) mod 16]
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     %[[SUMS:.*]]:32 = affine.for %[[K:.*]] = 0 to 16
// CHECK-SAME:       iter_args(%[[T0:[a-z0-9]+]] = %[[S0]], {{.*}}, %[[T31:[a-z0-9]+]] = %[[S31]]) -> (f32,
// Elements of a from the tiles, the one element of b, and the products with it.
// CHECK-NEXT:       %[[X0:.*]] = affine.load %[[SHARED0]][%[[K]]]
// CHECK-COUNT-30:   affine.load %{{.*}}[%[[K]]] : memref<16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       %[[X31:.*]] = affine.load %[[SHARED31]][%[[K]]]
// CHECK-NEXT:       %[[R0:.*]] = affine.load %[[B]][%[[I]] + %[[K]], symbol(%[[BIDX]]) * 256 + symbol(%[[TIDX]])]
// CHECK-NEXT:       %[[P0:.*]] = arith.mulf %[[X0]], %[[R0]]
// CHECK-COUNT-30:   arith.mulf %{{.*}}, %[[R0]]
// CHECK-NEXT:       %[[P31:.*]] = arith.mulf %[[X31]], %[[R0]]
// CHECK-NEXT:       %[[U0:.*]] = arith.addf %[[T0]], %[[P0]]
// CHECK-COUNT-30:   arith.addf
// CHECK-NEXT:       %[[U31:.*]] = arith.addf %[[T31]], %[[P31]]
// CHECK-NEXT:       affine.yield %[[U0]], {{.*}}, %[[U31]] : f32,
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     affine.yield %[[SUMS]]#0, {{.*}}, %[[SUMS]]#31 : f32,
// CHECK-NEXT:   }
// CHECK-NEXT:   affine.store %[[SUM]]#0, %[[C]][symbol(%[[TIDY]]) + symbol(%[[IDY]]) * 32,
// CHECK-SAME:     symbol(%[[BIDX]]) * 256 + symbol(%[[TIDX]])]
// CHECK-COUNT-30: affine.store %[[SUM]]#
// CHECK-NEXT:   affine.store %[[SUM]]#31, %[[C]][symbol(%[[TIDY]]) + symbol(%[[IDY]]) * 32 + 31,
// CHECK-SAME:     symbol(%[[BIDX]]) * 256 + symbol(%[[TIDX]])]
// CHECK-NEXT: }
#pragma gpuopt domain(w, w) array(a: w, w) array(b: w, w) array(c: w, w) output(c)
extern "C" __global__ void mm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int idy = blockIdx.y * blockDim.y + threadIdx.y;
  if (idx >= w || idy >= w) return;
  float sum = 0;
  for (int i = 0; i < w; i++) sum += a[idy * w + i] * b[i * w + idx];
  c[idy * w + idx] = sum;
}
