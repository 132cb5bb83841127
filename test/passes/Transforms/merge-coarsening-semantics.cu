// Threads with several work items, at sizes that leave some of them none: equal
// to the kernels as they are written, bit for bit.
//
// RUN: gpuopt compile %s --kernel pairs --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAIRS
// PAIRS: a thread does the work of 4 along x
// RUN: gpuopt check %s --kernel pairs --target sm_90 --size n=1 | FileCheck %s
// RUN: gpuopt check %s --kernel pairs --target sm_90 --size n=129 --grid 1 --block 256 | FileCheck %s
// RUN: gpuopt check %s --kernel pairs --target sm_90 --size n=383 --grid 3 --block 128 | FileCheck %s
// RUN: gpuopt check %s --kernel pairs --target sm_90 --size n=700 --grid 11 --block 64 | FileCheck %s
//
// A kernel for its own blocks, of which there may be an odd number.
// RUN: gpuopt compile %s --kernel flags --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAGS
// FLAGS: a thread does the work of {{[24]}} along x
// RUN: gpuopt check %s --kernel flags --target sm_90 --size n=1 --grid 1 --block 512 | FileCheck %s
// RUN: gpuopt check %s --kernel flags --target sm_90 --size n=1025 --grid 3 --block 512 | FileCheck %s --check-prefixes=ODD,CHECK
// ODD: original launch 3x1x1 blocks of 512x1x1; tuned {{[23]}}x1x1 blocks
// RUN: gpuopt check %s --kernel flags --target sm_90 --size n=3000 --grid 7 --block 512 | FileCheck %s
//
// A kernel that reads the number of blocks, which come in multiples or are left
// to the original.
// RUN: gpuopt check %s --kernel counted --target sm_90 --design threads=2 --size a=256,c=256 --grid 4 --block 64 | FileCheck %s --check-prefixes=EVEN,CHECK
// EVEN: original launch 4x1x1 blocks of 64x1x1; tuned 2x1x1 blocks of 64x1x1
// RUN: gpuopt check %s --kernel counted --target sm_90 --design "threads=2 blocks=2" --size a=512,c=512 --grid 8 --block 64 | FileCheck %s --check-prefixes=FOUR,CHECK
// FOUR: original launch 8x1x1 blocks of 64x1x1; tuned 2x1x1 blocks of 128x1x1
// RUN: gpuopt check %s --kernel counted --target sm_90 --design threads=2 --size a=320,c=320 --grid 5 --block 64 --allow-fallback | FileCheck %s
//
// A while loop around barriers.
// RUN: gpuopt check %s --kernel halving --target sm_90 --design threads=2 --size a=256,c=4,first=32 --grid 4 --block 64 | FileCheck %s --check-prefixes=HALVING,CHECK
// HALVING: original launch 4x1x1 blocks of 64x1x1; tuned 2x1x1 blocks of 64x1x1
// CHECK: passed

__global__ void pairs(const float *x, const float *y, const float *z,
                      float *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0, x0 = x[i], y0 = y[i], z0 = z[i];
  for (int j = 0; j < n; ++j) {
    float dx = x[j] - x0, dy = y[j] - y0, dz = z[j] - z0;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    sum += dx * inverse * inverse * inverse;
  }
  sums[i] = sum;
}

__global__ void flags(char *mask, char *updating, char *visited, int n) {
  int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n && updating[i] == 1) {
    mask[i] = 1;
    visited[i] = 1;
    updating[i] = 0;
  }
}

__global__ void counted(const float *a, float *c) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  c[i] = tile[threadIdx.x ^ 1] + gridDim.x;
}

__global__ void halving(const float *a, float *c, int first) {
  __shared__ float tile[64];
  tile[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int step = first; step > 0; step >>= 1) {
    if (threadIdx.x < step)
      tile[threadIdx.x] += tile[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    c[blockIdx.x] = tile[0];
}

void launch(char *mask, char *updating, char *visited, int n, const float *a,
            float *c) {
  flags<<<(n + 511) / 512, 512>>>(mask, updating, visited, n);
  counted<<<4, 64>>>(a, c);
  halving<<<4, 64>>>(a, c, 32);
}
