// Sums of floats with doubles in between: conversions have no flags that anybody
// could ask for.
//
// RUN: gpuopt compile %s --target sm_90 --emit mlir -o - | FileCheck %s
// CHECK: gpu.func @{{.*}}sum
// RUN: gpuopt check %s --target sm_90 --size n=70,k=37,a=37,c=70 | FileCheck %s --check-prefix=CHECKED
// CHECKED: passed

__global__ void sum(const double *__restrict__ a, float *__restrict__ c, int n,
                    int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n)
    return;
  float sum = 2;
  for (int i = 0; i < k; ++i)
    sum += a[i];
  c[x] = sum;
}
