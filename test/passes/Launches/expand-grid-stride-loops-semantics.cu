// Grid-stride loops whose iterations may depend on each other, for sizes that
// nobody knows: tuned for launches in which a thread has one, equal bit for bit.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// SAID-LABEL: cross (
// SAID: + ExpandGridStrideLoops at {{.*}}: for launches with a work item for each iteration of the grid-stride loops only: n along x; an iteration may write what another one of the same thread accesses
// SAID-LABEL: phases (
// SAID: + ExpandGridStrideLoops at {{.*}}: for launches with a work item for each iteration of the grid-stride loops only: n along x, m along x; a loop stands beside another one
// SAID-LABEL: spread (
// SAID: + ExpandGridStrideLoops at {{.*}}: for launches with a work item for each iteration
//
// RUN: gpuopt check %s --kernel cross --target sm_90 --size n=1003,step=1,a=3009,c=3009 --grid 4 --block 256 | FileCheck %s --check-prefixes=TUNED,CHECK
// RUN: gpuopt check %s --kernel cross --target gfx942 --size n=1003,step=2,a=4000,c=4020 --grid 9 --block 128 | FileCheck %s --check-prefixes=TUNED,CHECK
// RUN: gpuopt check %s --kernel phases --target sm_90 --size n=1000,m=900,a=1000,b=900 --grid 4 --block 256 | FileCheck %s --check-prefixes=TUNED,CHECK
// TUNED-NOT: the original kernel
// RUN: gpuopt check %s --kernel spread --target sm_90 --size n=300,m=5,step=3,a=1500,c=900 --grid 2 --block 256 | FileCheck %s --check-prefixes=TUNED,CHECK
//
// Fewer work items than iterations: their order is that of a thread.
// RUN: gpuopt check %s --kernel cross --target sm_90 --size n=1003,step=1,a=3009,c=3009 --grid 3 --block 256 --allow-fallback | FileCheck %s --check-prefixes=FEW,CHECK
// RUN: gpuopt check %s --kernel phases --target sm_90 --size n=200,m=400,a=200,b=400 --grid 1 --block 256 --allow-fallback | FileCheck %s --check-prefixes=FEW,CHECK
// FEW: tuned: the original kernel, since the tuned one cannot cover the launch: it is for launches with
//
// CHECK: passed

__global__ void cross(const float *a, float *c, int n, int step) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const float *from = a + 3 * i;
    float *to = c + 3 * i;
    to[0] = from[1] - from[2];
    to[step] = from[2] - from[0];
    to[2 * step] = from[0] - from[1];
  }
}

__global__ void phases(float *__restrict__ a, float *__restrict__ b, int n, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    a[i] = a[i] * 2 + 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += blockDim.x * gridDim.x)
    b[i] = b[i] * 3 - 1;
}

// The step is the stride of a view of c.
__global__ void spread(const float *a, float *c, int n, int m, int step) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float sum = 0;
    for (int k = 0; k < m; ++k)
      sum += a[k * n + i];
    c[i * step] = sum;
  }
}
