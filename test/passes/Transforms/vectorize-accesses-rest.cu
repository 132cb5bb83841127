// A loop that ends before it begins has no rest either: `m - (m - x) % 2` is below x - 1 where m is x - 1.
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// RUN: gpuopt check %s --target sm_90 --size m=1,a=33,c=68 --grid 1,1,1 --block 33,1,1
// RUN: gpuopt check %s --target sm_90 --size m=0,a=33,c=68 --grid 1,1,1 --block 33,1,1
// RUN: gpuopt check %s --target sm_90 --size m=40,a=33,c=68 --grid 1,1,1 --block 33,1,1
// CHECK: VectorizeAccesses {{.*}}: the loop is unrolled by 2
__global__ void sums(unsigned short *a, const unsigned short *c, int m) {
  unsigned x = threadIdx.x;
  unsigned sum = 0;
  for (unsigned i = x; i < m; ++i)
    sum += c[2 * x + 1] + c[0u] + c[2 * x];
  a[x] = sum;
}
