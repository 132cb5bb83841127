// Parts of tiles whose size, or whose threads, are known when a kernel runs; pairs of halves by their constructor.
// RUN: gpuopt cc -std=c++17 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

__device__ int sumOf(cg::thread_group group, int *scratch, int value) {
  for (unsigned n = group.size() / 2; n > 0; n /= 2) {
    scratch[group.thread_rank()] = value;
    group.sync();
    if (group.thread_rank() < n)
      value += scratch[group.thread_rank() + n];
    group.sync();
  }
  return value;
}

__global__ void parts(int *sums, int *odd, int *buckets, float *halves) {
  __shared__ int scratch[64];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_group tile = cg::tiled_partition(block, 16);
  int sum = sumOf(tile, scratch + threadIdx.x / 16 * 16, threadIdx.x);
  if (tile.thread_rank() == 0)
    sums[threadIdx.x / 16] = sum;
  auto subgroup = cg::tiled_partition<32>(block);
  auto same = cg::binary_partition(subgroup, threadIdx.x & 1);
  odd[threadIdx.x] = cg::reduce(same, (int)threadIdx.x, cg::plus<int>());
  auto bucket = cg::labeled_partition(cg::coalesced_threads(), threadIdx.x / 10);
  buckets[threadIdx.x] = bucket.size();
  half2 pair(1.5f, threadIdx.x);
  halves[threadIdx.x] = float(pair.x) + float(pair.y);
}

int main() {
  int *sums, *odd, *buckets;
  float *halves;
  cudaMallocManaged(&sums, 4 * sizeof(int));
  cudaMallocManaged(&odd, 64 * sizeof(int));
  cudaMallocManaged(&buckets, 64 * sizeof(int));
  cudaMallocManaged(&halves, 64 * sizeof(float));
  parts<<<1, 64>>>(sums, odd, buckets, halves);
  cudaDeviceSynchronize();
  // CHECK: sums 120 376 632 888, even 240, odd 256, later 752, buckets 10 2, half 4.5
  printf("sums %d %d %d %d, even %d, odd %d, later %d, buckets %d %d, half %g\n", sums[0], sums[1], sums[2], sums[3], odd[0], odd[1], odd[32], buckets[5], buckets[31],
         halves[3]);
  // CHECK: parts(int*, int*, int*, float*) {{ *}}1 {{ *}}{{[01]}} {{ *}}1
}
