// A variable with one extent whose subscripts were taken apart into two: it is printed with the one that it is declared
// with. What is printed computes the same, from the same numbers.
// RUN: rm -rf %t && mkdir -p %t
// RUN: gpuopt compile %s --target sm_90 --emit cuda -o %t/conv.cu && FileCheck %s < %t/conv.cu
// RUN: gpuopt compile %s --target sm_90 --emit opencl -o %t/conv.cl && FileCheck %s --check-prefix=OPENCL < %t/conv.cl
// RUN: gpuopt check %s --size w=40,h=30,a=1200,b=1200 --seed 7 --inputs ordinary --output-dir %t/written
// RUN: gpuopt check %t/conv.cu --kernel conv --no-opt --allow-fallback --size w=40,h=30,a=1200,b=1200 --seed 7 --inputs ordinary \
// RUN:   --grid 2,1 --block 32,8 --output-dir %t/printed
// RUN: cmp %t/written/b.npy %t/printed/b.npy
// CHECK: __constant__ float filt[9];
// CHECK: filt[i + first]
// OPENCL: filt[{{[^]]+}}]
__constant__ float filt[9];

__global__ void conv(const float *a, float *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w - 2 || y >= h - 2)
    return;
  float s = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      s += filt[j * 3 + i] * a[(y + j) * w + x + i];
  b[y * w + x] = s;
}
