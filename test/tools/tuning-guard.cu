// What passes make of a kernel is taken where it is no worse than the kernel as
// it is written.
//
// Rows of few elements: threads that share one would each load a weight of a
// sector of its own. The tiles stay.
// RUN: gpuopt compile %s --kernel smooth --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=SMOOTH
// SMOOTH-NOT: lanes share each row
// SMOOTH: - Pipeline at [[#@LINE+11]]: sharing rows among threads is left out, as it would make the kernel slower: a work item would move 37.00 sectors of global memory instead of 8.38, and take {{[0-9.]+}} times as long by the model
// SMOOTH: + CoalesceAccesses
// RUN: gpuopt check %s --kernel smooth --target sm_90 --size n=1003,taps=5 | FileCheck %s --check-prefixes=CHECK,FEWER
// RUN: gpuopt check %s --kernel smooth --target sm_90 --size n=1003,taps=0 | FileCheck %s
// CHECK: out: 1003 elements, equal, bit for bit
// FEWER: global memory sectors: {{.*}} fewer)
//
// What is asked for is done.
// RUN: gpuopt compile %s --kernel smooth --target sm_90 --design width=4 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED-NOT: Pipeline
// ASKED: lanes share each row
__global__ void smooth(unsigned *__restrict__ out,
                       const unsigned *__restrict__ in,
                       const unsigned *__restrict__ weights, int n, int taps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    unsigned sum = 0;
    for (int i = 0; i < min(taps, 8); ++i)
      sum += weights[i * 16] * in[x * 8 + i];
    out[x] = sum;
  }
}

// So few that a tile for them would be no good either.
// RUN: gpuopt compile %s --kernel triples --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=TRIPLES
// TRIPLES: - Pipeline at {{[0-9]+}}: staging in workgroup memory is left out, as it would make the kernel slower: a work item would move 6.22 sectors of global memory instead of 0.78
// TRIPLES-NOT: goes through a tile
// RUN: gpuopt check %s --kernel triples --target sm_90 --size n=1003,taps=5 | FileCheck %s --check-prefixes=CHECK,AS-MANY
// AS-MANY: global memory sectors: {{.*}} (as many)
__global__ void triples(unsigned *__restrict__ out,
                        const unsigned short *__restrict__ in,
                        const unsigned *__restrict__ weights, int n, int taps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    unsigned sum = 0;
    for (int i = 0; i < min(taps, 3); ++i)
      sum += weights[i * 16] * in[x * 3 + i];
    out[x] = sum;
  }
}

// Threads that share long rows move more sectors, too, but there are more of
// them at once: the model says that this is quicker.
// RUN: gpuopt compile %s --kernel longRows --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=LONG
// LONG-NOT: Pipeline
// LONG: lanes share each row
__global__ void longRows(unsigned *__restrict__ out,
                         const unsigned *__restrict__ in,
                         const unsigned *__restrict__ weights, int n,
                         int taps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    unsigned sum = 0;
    for (int i = 0; i < taps; ++i)
      sum += weights[i * 16] * in[x * taps + i];
    out[x] = sum;
  }
}

// Merging that is good stays.
// RUN: gpuopt compile %s --kernel product --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT-NOT: Pipeline
// PRODUCT: each block covers 128 x 128 x 1 work items
__global__ void product(float *c, const float *a, const float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
  }
}

// The same beside other kernels.
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: smooth
// ALL: sharing rows among threads is left out
// ALL: longRows
// ALL: lanes share each row

// Where no transform can be left out that helps, the kernel stays as it is.
// RUN: gpuopt compile %s --kernel enlarge --target gfx942 --explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: - Pipeline at {{[0-9]+}}: the kernel stays as it is written, as what passes make of it is slower: a work item would move 0.09 sectors of global memory instead of 0.08
// KEPT: = keeps its original launch: a work item would move
// RUN: gpuopt check %s --kernel enlarge --target gfx942 --size h=9,w=50,a=450,b=1800 | FileCheck %s --check-prefix=SAME
// SAME: passed
__global__ void enlarge(const float *__restrict__ a, float *__restrict__ b,
                        int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 * w && y < 2 * h)
    b[y * 2 * w + x] = a[(y >> 1) * w + (x >> 1)];
}
