// Kernels whose lanes exchange values, in larger blocks and with several items a
// thread: equal to the kernels as they are written, bit for bit.
//
// RUN: gpuopt compile %s --kernel rows --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: for launches in blocks of 64x1x1 only
// RUN: gpuopt check %s --kernel ranks --target sm_90 --design blocks=4 --size n=777,a=777,mask=25,rank=777 --grid 13 --block 64 | FileCheck %s --check-prefixes=FOUR,CHECK
// FOUR: original launch 13x1x1 blocks of 64x1x1; tuned 4x1x1 blocks of 256x1x1
// RUN: gpuopt check %s --kernel ranks --target sm_90 --design threads=2 --size n=777,a=777,mask=25,rank=777 --grid 13 --block 64 | FileCheck %s --check-prefixes=TWO,CHECK
// TWO: original launch 13x1x1 blocks of 64x1x1; tuned 7x1x1 blocks of 64x1x1
// RUN: gpuopt check %s --kernel ranks --target gfx942 --design "threads=2 blocks=2" --size n=777,a=777,mask=25,rank=777 --grid 13 --block 64 | FileCheck %s
// RUN: gpuopt check %s --kernel loops --target sm_90 --design "threads=2 blocks=2" --size n=500,a=500,c=500 --grid 8 --block 64 | FileCheck %s --check-prefixes=LOOPS,CHECK
// LOOPS: original launch 8x1x1 blocks of 64x1x1; tuned 2x1x1 blocks of 128x1x1
// RUN: gpuopt check %s --kernel rows --target sm_90 --design threads=2 --size n=16,m=70,a=1120,sums=16 --grid 8 --block 64 | FileCheck %s --check-prefixes=EVEN,CHECK
// EVEN: original launch 8x1x1 blocks of 64x1x1; tuned 4x1x1 blocks of 64x1x1
//
// No sizes: those of the launch in host code are taken.
// RUN: gpuopt check %s --target sm_90 | FileCheck %s --check-prefixes=CHOSEN,CHECK
// CHOSEN: rows: original launch {{.*}} blocks of 64x1x1; tuned {{.*}} blocks of 64x1x1
// CHOSEN: ranks: original launch {{.*}} blocks of 64x1x1; tuned {{[0-9]}}
// CHOSEN-NOT: not tuned
//
// CHECK: passed

__global__ void rows(const float *a, float *sums, int n, int m) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= n)
    return;
  float sum = 0;
  for (int i = threadIdx.x % 32; i < m; i += 32)
    sum += a[row * m + i];
  for (int distance = 16; distance > 0; distance >>= 1)
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0)
    sums[row] = sum;
}

__global__ void ranks(const int *a, unsigned *mask, int *rank, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned positive = __ballot_sync(0xffffffffu, i < n && a[i] > 0);
  if (i < n) {
    rank[i] = __popc(positive & ((1u << (threadIdx.x % 32)) - 1));
    if (threadIdx.x % 32 == 0)
      mask[i / 32] = positive;
  }
}

// Some lanes exchange values among themselves, halves of subgroups too.
__global__ void loops(const int *a, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 64 * 64)
    return;
  int sum = a[i];
  for (int k = 0; k < (a[i / 64 * 64] & 3); ++k) {
    sum += __shfl_up_sync(0xffffffffu, sum, k + 1, 16);
    unsigned odd = __ballot_sync(0xffffffffu, sum % 2);
    if (sum % 2)
      sum += __shfl_sync(odd, sum, __ffs(odd) - 1);
  }
  c[i] = sum;
}

void launch(const float *a, float *sums, const int *b, unsigned *mask, int *rank, int n, int m) {
  rows<<<(n + 1) / 2, 64>>>(a, sums, n, m);
  ranks<<<(n + 63) / 64, 64>>>(b, mask, rank, n);
  loops<<<(n + 63) / 64, 64>>>(b, rank, n);
}
