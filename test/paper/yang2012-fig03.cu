// Yang et al. 2012, figure 3: the three ways to make accesses wide, each on its
// own example, with pairs as the AMD devices of the paper want them.
//
// Read each kernel below beside the figure's left half and the lines under it
// beside the right half. Sizes are given, and are multiples of the block as the
// paper has them, so that no guard and no rest of a loop is in the way.
// Not as in the figure: an array of the caller may begin at any element, so each
// kernel has the wide version under a test of the addresses.
//
// DEFINE: %{figure} = --gpuopt-assign-geometry=block=64 --gpuopt-merge-for-target --gpuopt-version-guards --canonicalize --cse \
// DEFINE:   --gpuopt-version-alignment --gpuopt-vectorize-accesses --canonicalize --cse
// RUN: gpuopt compile %s --target amd-hd5870 --emit mlir --no-opt -ffp-contract=off -o %t.amd.mlir
// RUN: gpuopt-opt %t.amd.mlir --gpuopt-specialize-sizes="sizes=n=4096,w=2048" %{figure} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefixes=CHECK,AMD
//
// Figure 4 decides: of the three, NVIDIA's devices of that time get (a) alone.
// RUN: gpuopt compile %s --target nvidia-gtx285 --emit mlir --no-opt -ffp-contract=off -o %t.nvidia.mlir
// RUN: gpuopt-opt %t.nvidia.mlir --gpuopt-specialize-sizes="sizes=n=4096,w=2048" %{figure} --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefixes=CHECK,NVIDIA
//
// Executed, the same to the last bit for any size: 301 items fill some blocks, not the last.
// RUN: gpuopt-opt %t.amd.mlir %{figure} | gpuopt-translate --mlir-to-kernel-llvmir --target=amd-hd5870 -o %t.ll
// DEFINE: %{run} = gpuopt-run-ll %t.ll --subgroup 64 --arg 'f32[602]=rand' --arg 'f32[301]=zero' --arg i32=301 \
// DEFINE:   --print 1
// RUN: %{run} --kernel intra_thread__original --grid 16 --block 20 > %t.naive
// RUN: %{run} --kernel intra_thread --grid 5 --block 64 --races > %t.wide
// RUN: cmp %t.naive %t.wide
// RUN: %{run} --kernel inter_thread__original --grid 16 --block 20 > %t.naive
// RUN: %{run} --kernel inter_thread --grid 3 --block 64 --races > %t.wide
// RUN: cmp %t.naive %t.wide
// RUN: %{run} --kernel loop_based__original --grid 16 --block 20 --arg i32=131 > %t.naive
// RUN: %{run} --kernel loop_based --grid 5 --block 64 --races --arg i32=131 > %t.wide
// RUN: cmp %t.naive %t.wide
// RUN: gpuopt check %s --target amd-hd5870 --size n=301,w=131
// RUN: gpuopt check %s --target nvidia-gtx285 --size n=301,w=131

// (a) Within a thread: A[2*idx] and A[2*idx + 1] are the two halves of pair idx.
//
//   f2 = pair idx of A;  a = f2.x;  b = f2.y
//
// CHECK-LABEL: gpu.func @intra_thread(
// CHECK-DAG:   %[[BIDX:.*]] = gpu.block_id x
// CHECK-DAG:   %[[TIDX:.*]] = gpu.thread_id x
// AMD:         %[[PAIR:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 128 + s1 * 2)>()[%[[BIDX]], %[[TIDX]]]
// NVIDIA:      %[[PAIR:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 256 + s1 * 2)>()[%[[BIDX]], %[[TIDX]]]
// CHECK-NEXT:  %[[F2:.*]] = vector.load %arg0[%[[PAIR]]] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
// CHECK-NEXT:  %[[a:.*]] = vector.extract %[[F2]][0] : f32
// CHECK-NEXT:  %[[b:.*]] = vector.extract %[[F2]][1] : f32
// CHECK-NEXT:  arith.mulf %[[a]], %[[b]]
// CHECK-NEXT:  affine.store
#pragma gpuopt domain(n) array(A: 2 * n) array(c: n) output(c)
extern "C" __global__ void intra_thread(const float *__restrict__ A, float *__restrict__ c, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  float a = A[2 * idx];
  float b = A[2 * idx + 1];
  c[idx] = a * b;
}

// (b) Between threads: two neighbours along x become one thread, which loads
// A[2*idx + 10] and A[2*idx + 11], pair idx + 5, and computes twice.
//
//   f2 = pair idx + 5 of A
//   compute(f2.x);  compute(f2.y)
//
// The results are neighbours too and are stored as a pair.
//
// CHECK-LABEL: gpu.func @inter_thread(
// AMD-SAME:    block = [64, 1, 1], items_per_thread = [2, 1, 1], items_per_block = [128, 1, 1]
// AMD-DAG:     %[[BIDX:.*]] = gpu.block_id x
// AMD-DAG:     %[[TIDX:.*]] = gpu.thread_id x
// AMD:         %[[PAIR:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 128 + s1 * 2 + 10)>()
// AMD-SAME:      [%[[BIDX]], %[[TIDX]]]
// AMD-NEXT:    %[[F2:.*]] = vector.load %arg0[%[[PAIR]]] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
// AMD-NEXT:    %[[A0:.*]] = vector.extract %[[F2]][0] : f32
// AMD-NEXT:    %[[A1:.*]] = vector.extract %[[F2]][1] : f32
// AMD-NEXT:    %[[C0:.*]] = arith.mulf %[[A0]], %[[A0]]
// AMD-NEXT:    %[[C1:.*]] = arith.mulf %[[A1]], %[[A1]]
// AMD-NEXT:    %[[IDX:.*]] = affine.apply affine_map<()[s0, s1] -> (s0 * 128 + s1 * 2)>()[%[[BIDX]], %[[TIDX]]]
// AMD-NEXT:    %[[C01:.*]] = vector.from_elements %[[C0]], %[[C1]] : vector<2xf32>
// AMD-NEXT:    vector.store %[[C01]], %arg1[%[[IDX]]] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
// NVIDIA-SAME: items_per_thread = [1, 1, 1]
// NVIDIA-NOT:  vector.
#pragma gpuopt domain(n) array(A: n + 10) array(c: n) output(c)
extern "C" __global__ void inter_thread(const float *__restrict__ A, float *__restrict__ c, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  float a = A[idx + 10];
  c[idx] = a * a;
}

// (c) In a loop: an iteration does what two did, for i = 2*k and i = 2*k + 1.
//
//   for k in [0, w/2):
//     f2 = pair k of A
//     the body for f2.x;  the body for f2.y
//
// The loop still counts in elements: i from 0 by 2.
//
// CHECK-LABEL: gpu.func @loop_based(
// AMD:         %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to 2048 step 2 iter_args(%[[S0:.*]] = %{{.*}}) -> (f32) {
// AMD-NEXT:      %[[F2:.*]] = vector.load %arg0[%[[I]]] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
// AMD-NEXT:      %[[A0:.*]] = vector.extract %[[F2]][0] : f32
// AMD-NEXT:      %[[A1:.*]] = vector.extract %[[F2]][1] : f32
// AMD-NEXT:      %[[S1:.*]] = arith.addf %[[S0]], %[[A0]]
// AMD-NEXT:      %[[S2:.*]] = arith.addf %[[S1]], %[[A1]]
// AMD-NEXT:      affine.yield %[[S2]]
// AMD-NEXT:    }
// AMD-NEXT:    affine.store %[[SUM]]
// NVIDIA-NOT:  vector.
// NVIDIA-NOT:  step 2
// CHECK-LABEL: gpu.func @loop_based__original(
#pragma gpuopt domain(n) array(A: w) array(c: n) output(c)
extern "C" __global__ void loop_based(const float *__restrict__ A, float *__restrict__ c, int n, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  float sum = 0;
  for (int i = 0; i < w; i++) {
    float a = A[i];
    sum += a;
  }
  c[idx] = sum;
}
