// A program that takes the number of a kernel, and compares itself.
#include <cstdio>
#include <cstdlib>

static const int n = 1 << 30;

__global__ void scaleByBlocks(float *a, float factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    a[i] *= factor;
}
__global__ void scaleByStrides(float *a, float factor, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    a[i] *= factor;
}

int main(int argc, char **argv) {
  int number = argc > 1 ? atoi(argv[1]) : 1;
  float *a;
  cudaMallocManaged(&a, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    a[i] = i;
  switch (number) {
  case 1:
    scaleByBlocks<<<(n + 127) / 128, 128>>>(a, 2, n);
    break;
  case 2:
    scaleByStrides<<<4, 128>>>(a, 2, n);
    break;
  default:
    puts("no such kernel");
    return 1;
  }
  for (int i = 0; i < n; ++i)
    if (a[i] != 2.0f * i)
      return puts("wrong");
  puts("right");
}
