// Yang's thesis, figure 3.8: data prefetching (section 3.3.6) in the matrix product
// that figure 6 (a) of Yang et al. 2012 made coalesced. The next tile is on its way
// to a register while the threads compute with this one.
//
//       tmp = a[idy][tidx]                   // new
//   S0  for i in 0, 16, … w:
//   S1    shared0: 16 floats of workgroup memory
//   S2    shared0[tidx] = tmp                // was a[idy][i + tidx]
//   S3    barrier
//         if i + 16 < w:                     // new: load no more than before
//           tmp = a[idy][i + 16 + tidx]
//   S4    for k in [0, 16):
//   S5      sum += shared0[k] * b[i + k][idx]
//   S7    barrier
//       c[idy][idx] = sum                    // not in the figure
//
// Not as in the figure: tmp is a value that the loop carries; where the next tile
// does not exist, it has no value. stages=1 asks for registers; by itself the pass
// gives the tile two stages, which saves a barrier (test/passes/Transforms/prefetch-tiles.mlir).
//
// DEFINE: %{before} = --gpuopt-assign-geometry="block=16,1" --gpuopt-coalesce-accesses --gpuopt-version-guards \
// DEFINE:   --gpuopt-distribute-tiles --canonicalize --cse
// DEFINE: %{after} = %{before} --gpuopt-prefetch-tiles=stages=1 --canonicalize --cse
// RUN: gpuopt compile %s --target nvidia-gtx285 --emit mlir --no-opt -ffp-contract=off -o %t.naive.mlir
// RUN: gpuopt-opt %t.naive.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{before} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefixes=CHECK,BEFORE
// RUN: gpuopt-opt %t.naive.mlir --gpuopt-specialize-sizes="sizes=w=2048" %{after} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefixes=CHECK,AFTER
//
// Executed, the same to the last bit for any size: 37 is two blocks and tiles, and a rest.
// RUN: gpuopt-opt %t.naive.mlir %{after} | gpuopt-translate --mlir-to-kernel-llvmir --target=nvidia-gtx285 -o %t.ll
// DEFINE: %{run} = gpuopt-run-ll %t.ll --arg 'f32[1369]=rand' --arg 'f32[1369]=rand' --arg 'f32[1369]=zero' \
// DEFINE:   --arg i32=37 --print 2
// RUN: %{run} --kernel mm__original --grid 5,5 --block 8,8 > %t.naive
// RUN: %{run} --kernel mm --grid 3,37 --block 16,1 --races > %t.prefetched
// RUN: cmp %t.naive %t.prefetched
// RUN: gpuopt check %s --target nvidia-gtx285 --size w=37

// CHECK-LABEL:  gpu.func @mm(
// S1
// CHECK-SAME:     workgroup(%[[SHARED0:.*]] : memref<16xf32, #gpu.address_space<workgroup>>)
// CHECK-DAG:    %[[TIDX:.*]] = gpu.thread_id x
// CHECK-DAG:    %[[BIDX:.*]] = gpu.block_id x
// CHECK-DAG:    %[[IDY:.*]] = gpu.block_id y
// CHECK-DAG:    %[[A:.*]] = memref.reinterpret_cast %arg0
// CHECK-DAG:    %[[B:.*]] = memref.reinterpret_cast %arg1
// AFTER-DAG:    %[[W:.*]] = arith.constant 2048 : index
// The first tile.
// AFTER:        %[[FIRST:.*]] = affine.load %[[A]][symbol(%[[IDY]]), symbol(%[[TIDX]])]
// S0
// BEFORE:       affine.for %[[I:.*]] = 0 to 2048 step 16 iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// AFTER-NEXT:   affine.for %[[I:.*]] = 0 to 2048 step 16
// AFTER-SAME:     iter_args(%[[S:[a-z0-9]+]] = %{{[^,]*}}, %[[TMP:[a-z0-9]+]] = %[[FIRST]]) -> (f32, f32) {
// S2
// BEFORE-NEXT:    %[[TMP:.*]] = affine.load %[[A]][symbol(%[[IDY]]), %[[I]] + symbol(%[[TIDX]])]
// CHECK-NEXT:     affine.store %[[TMP]], %[[SHARED0]][symbol(%[[TIDX]])]
// S3
// CHECK-NEXT:     gpu.barrier
// The tile of the next iteration.
// AFTER-NEXT:     %[[NEXT:.*]] = affine.apply affine_map<(d0) -> (d0 + 16)>(%[[I]])
// AFTER-NEXT:     %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[W]]
// AFTER-NEXT:     %[[LOADED:.*]] = scf.if %[[MORE]] -> (f32) {
// AFTER-NEXT:       %[[V:.*]] = affine.load %[[A]][symbol(%[[IDY]]), %[[I]] + symbol(%[[TIDX]]) + 16]
// AFTER-NEXT:       scf.yield %[[V]]
// AFTER-NEXT:     } else {
// AFTER-NEXT:       scf.yield
// AFTER-NEXT:     }
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
// BEFORE-NEXT:    affine.yield %[[SUMS]]
// AFTER-NEXT:     affine.yield %[[SUMS]], %[[LOADED]]
// CHECK-NEXT:   }
#pragma gpuopt domain(w, w) array(a: w, w) array(b: w, w) array(c: w, w) output(c)
extern "C" __global__ void mm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int idy = blockIdx.y * blockDim.y + threadIdx.y;
  if (idx >= w || idy >= w) return;
  float sum = 0;
  for (int i = 0; i < w; i++) sum += a[idy * w + i] * b[i * w + idx];
  c[idy * w + idx] = sum;
}
