// Groups of threads are arithmetic on ids: no object of them is left.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// A thread's rank counts x first; a tile of eight is the low three bits of it, and the rest numbers the tiles.
// CHECK-LABEL: @_Z5ranksPj(
// CHECK-NOT: llvm.alloca
// CHECK-DAG: %[[X:.*]] = llvm.call @__gpuopt_thread_id_x()
// CHECK-DAG: %[[WIDTH:.*]] = llvm.call @__gpuopt_block_dim_x()
// CHECK:     %[[ROWS:.*]] = llvm.mul %[[WIDTH]], %{{.*}} : i32
// CHECK:     %[[RANK:.*]] = llvm.add %[[X]], %[[ROWS]] : i32
// CHECK:     llvm.store %[[RANK]]
// CHECK:     %[[IN_TILE:.*]] = llvm.and %[[RANK]], %{{.*}} : i32
// CHECK:     llvm.store %[[IN_TILE]]
// CHECK:     %[[TILE:.*]] = llvm.lshr %[[RANK]], %{{.*}} : i32
// CHECK:     llvm.store %[[TILE]]
__global__ void ranks(unsigned *a) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  a[0] = block.thread_rank();
  a[1] = tile.thread_rank();
  a[2] = tile.meta_group_rank();
}

// Each group has the barrier of its size. That of a tile names its threads: 16 bits, moved to where the tile lies.
// CHECK-LABEL: @_Z12synchronisedPi(
// CHECK-DAG: %[[MASK:.*]] = llvm.mlir.constant(65535 : i64)
// CHECK:     llvm.store
// CHECK:     llvm.call @__gpuopt_barrier()
// CHECK:     llvm.store
// CHECK:     %[[THREADS:.*]] = llvm.shl %[[MASK]], %{{.*}} : i64
// CHECK:     llvm.call @__gpuopt_subgroup_barrier(%[[THREADS]])
// CHECK:     llvm.store
// CHECK:     llvm.call @__gpuopt_global_sync()
// CHECK:     llvm.store
__global__ void synchronised(int *a) {
  cg::thread_block block = cg::this_thread_block();
  a[0] = 1;
  block.sync();
  a[1] = 2;
  cg::tiled_partition<16>(block).sync();
  a[2] = 3;
  cg::this_grid().sync();
  a[3] = 4;
}

// A sum over a tile exchanges with threads that are 2 and then 1 away.
// CHECK-LABEL: @_Z7reducedPKfPf(
// CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK:     llvm.br ^[[AGAIN:bb[0-9]+]](%[[TWO]], %{{.*}} : i32, f32)
// CHECK:     ^[[AGAIN]](%[[AWAY:.*]]: i32, %[[SUM:.*]]: f32):
// CHECK:     %[[OWN:.*]] = llvm.bitcast %[[SUM]] : f32 to i32
// CHECK:     %[[BITS:.*]] = llvm.call @__gpuopt_shuffle_xor(%{{.*}}, %[[OWN]], %[[AWAY]], %{{.*}})
// CHECK:     %[[OTHER:.*]] = llvm.bitcast %[[BITS]] : i32 to f32
// CHECK:     llvm.fadd %[[SUM]], %[[OTHER]]
// CHECK:     llvm.lshr %[[AWAY]], %{{.*}} : i32
__global__ void reduced(const float *a, float *b) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  b[0] = cg::reduce(tile, a[threadIdx.x], cg::plus<float>());
}

// Whether any thread of a tile says yes: whether any of their bits is set.
// CHECK-LABEL: @_Z5votedPi(
// CHECK:     %[[VOTES:.*]] = llvm.call @__gpuopt_ballot(
// CHECK:     llvm.icmp "ne" %[[VOTES]], %{{.*}} : i64
__global__ void voted(int *a) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  a[0] = tile.any(a[threadIdx.x] > 0);
}

// A value of a structure goes to another thread word by word, the one of its padding, too.
// CHECK-LABEL: @_Z5pairsPdPf(
// CHECK-NOT:     llvm.alloca
// CHECK-COUNT-4: llvm.call @__gpuopt_shuffle_idx(
// CHECK-NOT:     llvm.call @__gpuopt_shuffle_idx(
struct Pair {
  double value;
  float weight;
};
__global__ void pairs(double *a, float *b) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  Pair first = tile.shfl(Pair{a[threadIdx.x], b[threadIdx.x]}, 0);
  a[threadIdx.x] = first.value;
  b[threadIdx.x] = first.weight;
}

// In a group of the threads that are here a rank counts those of lower lanes.
// CHECK-LABEL: @_Z9coalescedPi(
// CHECK-DAG:     %[[HERE:.*]] = llvm.call @__gpuopt_active_mask()
// CHECK-DAG:     %[[LANE:.*]] = llvm.call @__gpuopt_lane_id()
// CHECK:         %[[LOWER:.*]] = llvm.and %{{.*}}, %{{.*}} : i64
// CHECK:         llvm.intr.ctpop(%[[LOWER]])
__global__ void coalesced(int *a) {
  if (a[threadIdx.x] > 0)
    a[threadIdx.x] = cg::coalesced_threads().thread_rank();
}
