// Shuffles and votes, with and without a mask.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK-LABEL: @_Z1fPiPfPd
// CHECK-DAG: llvm.call @__gpuopt_shuffle_down(
// CHECK-DAG: llvm.call @__gpuopt_shuffle_xor(
// CHECK-DAG: llvm.call @__gpuopt_shuffle_idx(
// CHECK-DAG: llvm.call @__gpuopt_shuffle_up(
// CHECK-DAG: llvm.call @__gpuopt_ballot(
// CHECK-DAG: llvm.call @__gpuopt_subgroup_barrier(
// CHECK-DAG: llvm.call @__gpuopt_active_mask(
// CHECK-DAG: llvm.call @__gpuopt_subgroup_size(
__global__ void f(int *i, float *x, double *y) {
  i[0] = __shfl_down_sync(0xffffffff, i[threadIdx.x], 1);
  x[0] = __shfl_xor_sync(0xffffffff, x[threadIdx.x], 16, 32);
  y[0] = __shfl(y[threadIdx.x], 3);
  x[1] = __shfl_up(x[threadIdx.x], 2);
  i[1] = __ballot_sync(0xffffffff, i[0] > 0) + __any(i[2]) + __all_sync(0xffffffff, i[3]);
  __syncwarp();
  i[4] = warpSize;
}

// A tile of a block is one of its size, whatever it is a part of.
// CHECK-LABEL: @_Z4tilePKfPf
// CHECK:       llvm.call @__gpuopt_shuffle_down(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tile(const float *a, float *c) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  float value = a[block.thread_rank()];
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    value += tile.shfl_down(value, offset);
  if (tile.thread_rank() == 0)
    c[tile.meta_group_rank()] = value;
}
