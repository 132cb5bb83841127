// Yang et al. 2012, figure 6: the kernels of figure 2 after section 3.3 has made
// their accesses coalesced, for the GTX 285 in blocks of one half warp, 16x1.
//
// Lines are numbered as in the figure. Sizes are those of the paper, so that, as
// it assumes, rows are multiples of 16 and no guard is needed.
// Not as in the figure: which thread fills which element of a tile is decided by
// a pass of its own, gpuopt-distribute-tiles; one test keeps surplus blocks out.
//
// DEFINE: %{figure} = --gpuopt-assign-geometry="block=16,1" --gpuopt-coalesce-accesses --gpuopt-version-guards \
// DEFINE:   --gpuopt-distribute-tiles --gpuopt-eliminate-bank-conflicts --canonicalize --cse
// RUN: gpuopt compile %s --target nvidia-gtx285 --emit mlir --no-opt -ffp-contract=off -o %t.naive.mlir
// RUN: gpuopt-opt %t.naive.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{figure} --mlir-print-local-scope \
// RUN:   | FileCheck %s
//
// Executed, the same to the last bit for any size: 37 is two blocks and tiles, and a rest.
// RUN: gpuopt-opt %t.naive.mlir %{figure} | gpuopt-translate --mlir-to-kernel-llvmir --target=nvidia-gtx285 -o %t.ll
// DEFINE: %{mm} = gpuopt-run-ll %t.ll --arg 'f32[1369]=rand' --arg 'f32[1369]=rand' --arg 'f32[1369]=zero' \
// DEFINE:   --arg i32=37 --print 2
// RUN: %{mm} --kernel mm__original --grid 5,5 --block 8,8 > %t.naive
// RUN: %{mm} --kernel mm --grid 3,37 --block 16,1 --races > %t.coalesced
// RUN: cmp %t.naive %t.coalesced
// DEFINE: %{mv} = gpuopt-run-ll %t.ll --arg 'f32[1369]=rand' --arg 'f32[37]=rand' --arg 'f32[37]=zero' \
// DEFINE:   --arg i32=37 --print 2
// RUN: %{mv} --kernel mv__original --grid 5 --block 8 > %t.naive
// RUN: %{mv} --kernel mv --grid 3 --block 16 --races > %t.coalesced
// RUN: cmp %t.naive %t.coalesced
// RUN: gpuopt check %s --target nvidia-gtx285 --size w=37

// (a) All threads of a block read the same a[idy][i]: 16 of them, for 16
// iterations, are fetched by 16 threads. b[i][idx] is coalesced already.
//
//   S0    for i in 0, 16, … w:
//   S1      shared0: 16 floats of workgroup memory
//   S2      shared0[tidx] = a[idy][i + tidx]
//   S3      barrier
//   S4      for k in [0, 16):
//   S5        sum += shared0[k] * b[i + k][idx]
//   S7      barrier
//   S9    c[idy][idx] = sum
//
// CHECK-LABEL:  gpu.func @mm(
// S1
// CHECK-SAME:     workgroup(%[[SHARED0:.*]] : memref<16xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:     block = [16, 1, 1], items_per_thread = [1, 1, 1]
// CHECK-DAG:    %[[TIDX:.*]] = gpu.thread_id x
// CHECK-DAG:    %[[BIDX:.*]] = gpu.block_id x
// CHECK-DAG:    %[[IDY:.*]] = gpu.block_id y
// CHECK-DAG:    %[[TIDY:.*]] = gpu.thread_id y
// CHECK-DAG:    %[[A:.*]] = memref.reinterpret_cast %arg0
// CHECK-DAG:    %[[B:.*]] = memref.reinterpret_cast %arg1
// CHECK-DAG:    %[[C:.*]] = memref.reinterpret_cast %arg2
// S0
// CHECK:        %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to 2048 step 16 iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// S2
// CHECK-NEXT:     %[[V:.*]] = affine.load %[[A]][symbol(%[[IDY]]), %[[I]] + symbol(%[[TIDX]])]
// CHECK-NEXT:     affine.store %[[V]], %[[SHARED0]][symbol(%[[TIDX]])]
// S3
// CHECK-NEXT:     gpu.barrier
// S4
// CHECK-NEXT:     %[[SUMS:.*]] = affine.for %[[K:.*]] = 0 to 16 iter_args(%[[T:.*]] = %[[S]]) -> (f32) {
// S5
// CHECK-NEXT:       %[[X:.*]] = affine.load %[[SHARED0]][%[[K]]]
// CHECK-NEXT:       %[[Y:.*]] = affine.load %[[B]][%[[I]] + %[[K]], symbol(%[[BIDX]]) * 16 + symbol(%[[TIDX]])]
// CHECK-NEXT:       %[[XY:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT:       %[[U:.*]] = arith.addf %[[T]], %[[XY]]
// CHECK-NEXT:       affine.yield %[[U]]
// CHECK-NEXT:     }
// S7
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     affine.yield %[[SUMS]]
// CHECK-NEXT:   }
// S9: the block has one row of threads, so tidy is 0.
// CHECK-NEXT:   affine.store %[[SUM]], %[[C]][symbol(%[[IDY]]) + symbol(%[[TIDY]]),
// CHECK-SAME:     symbol(%[[BIDX]]) * 16 + symbol(%[[TIDX]])]
#pragma gpuopt domain(w, w) array(a: w, w) array(b: w, w) array(c: w, w) output(c)
extern "C" __global__ void mm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int idy = blockIdx.y * blockDim.y + threadIdx.y;
  if (idx >= w || idy >= w) return;
  float sum = 0;
  for (int i = 0; i < w; i++) sum += a[idy * w + i] * b[i * w + idx];
  c[idy * w + idx] = sum;
}

// (b) Neither access is coalesced. b[i] is treated as a[idy][i] above; for
// a[idx][i] an introduced loop fetches 16 elements of the row of each thread, row
// by row. Rows of that tile are one element longer: a column of it is read at once.
//
//   S0    for i in 0, 16, … w:
//   S1      shared2: 16 floats
//   S2      shared1: 16 rows of 17 floats
//   S3      shared2[tidx] = b[i + tidx]
//   S4      for l in [0, 16):
//   S5        shared1[l][tidx] = a[idx - tidx + l][i + tidx]
//   S6      barrier
//   S7      for k in [0, 16):
//   S8        sum += shared1[tidx][k] * shared2[k]
//   S10     barrier
//   S12   c[idx] = sum
//
// The first row of the block, idx - tidx, is bidx * 16. S3 comes after S5.
//
// CHECK-LABEL:  gpu.func @mv(
// S1, S2
// CHECK-SAME:     workgroup(%[[SHARED1:.*]] : memref<16x17xf32, {{.*}}>, %[[SHARED2:.*]] : memref<16xf32, {{[^,]*}}>)
// CHECK-SAME:     block = [16, 1, 1], items_per_thread = [1, 1, 1]
// CHECK-DAG:    %[[TIDX:.*]] = gpu.thread_id x
// CHECK-DAG:    %[[BIDX:.*]] = gpu.block_id x
// CHECK-DAG:    %[[A:.*]] = memref.reinterpret_cast %arg0
// S0
// CHECK:        %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to 2048 step 16 iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// S4
// CHECK-NEXT:     affine.for %[[L:.*]] = 0 to 16 {
// S5
// CHECK-NEXT:       %[[V:.*]] = affine.load %[[A]][%[[L]] + symbol(%[[BIDX]]) * 16, %[[I]] + symbol(%[[TIDX]])]
// CHECK-NEXT:       affine.store %[[V]], %[[SHARED1]][%[[L]], symbol(%[[TIDX]])]
// CHECK-NEXT:     }
// S3
// CHECK-NEXT:     %[[W:.*]] = affine.load %arg1[%[[I]] + symbol(%[[TIDX]])]
// CHECK-NEXT:     affine.store %[[W]], %[[SHARED2]][symbol(%[[TIDX]])]
// S6
// CHECK-NEXT:     gpu.barrier
// S7
// CHECK-NEXT:     %[[SUMS:.*]] = affine.for %[[K:.*]] = 0 to 16 iter_args(%[[T:.*]] = %[[S]]) -> (f32) {
// S8
// CHECK-NEXT:       %[[X:.*]] = affine.load %[[SHARED1]][symbol(%[[TIDX]]), %[[K]]]
// CHECK-NEXT:       %[[Y:.*]] = affine.load %[[SHARED2]][%[[K]]]
// CHECK-NEXT:       %[[XY:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT:       %[[U:.*]] = arith.addf %[[T]], %[[XY]]
// CHECK-NEXT:       affine.yield %[[U]]
// CHECK-NEXT:     }
// S10
// CHECK-NEXT:     gpu.barrier
// CHECK-NEXT:     affine.yield %[[SUMS]]
// CHECK-NEXT:   }
// S12
// CHECK-NEXT:   affine.store %[[SUM]], %arg2[symbol(%[[BIDX]]) * 16 + symbol(%[[TIDX]])]
#pragma gpuopt domain(w) array(a: w, w) array(b: w) array(c: w) output(c)
extern "C" __global__ void mv(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= w) return;
  float sum = 0;
  for (int i = 0; i < w; i++) sum += a[idx * w + i] * b[i];
  c[idx] = sum;
}
