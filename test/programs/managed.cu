// Variables that the host and kernels share: `__managed__`.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s

// Launches are checked with what they hold.
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECKED

// PTX says so, and the source that is printed.
// RUN: gpuopt compile %s --kernel count --target sm_90 -o - | FileCheck %s --check-prefix=PTX
// RUN: gpuopt compile %s --kernel count --target sm_90 --emit cuda -o - | FileCheck %s --check-prefix=SOURCE
// PTX: .global .attribute(.managed) .align 4 .u32 counter = 5;
// SOURCE: __managed__ int counter = 5;

// An address is not known before the program runs.
// RUN: not gpuopt cc -DADDRESSES -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not ls %t.o
// ADDRESS: managed.cu:[[#@LINE+28]]:18: error: the address of managed variable 'counter', with which 'early' is initialised, is not known before the program runs
// ADDRESS: managed.cu:[[#@LINE+29]]:{{[0-9]+}}: error: the address of managed variable 'values', with which 'once' is initialised

#include <cstdio>

__device__ __managed__ int counter = 5;
__managed__ float values[256];
static __managed__ int hidden = 2;
namespace inner {
__managed__ double scale = 0.5;
}
struct Held {
  static __managed__ int member;
};
__managed__ int Held::member = 40;
__managed__ int *shared;
__device__ int ordinary = 1;

__global__ void count() { ++counter; }
__global__ void fill(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = float(i * inner::scale + hidden + Held::member + ordinary);
}
__global__ void follow() { *shared += 1; }
__global__ void read(const float *a, float *sum) { *sum = a[0] + a[255]; }

#ifdef ADDRESSES
int *early[] = {&counter};
template <class T> T *find() {
  static T *once = &values[3];
  return once;
}
float *found() { return find<float>(); }
#endif

int main() {
  // The host may keep an address before anything is called.
  int *kept = &counter;
  *kept += 1;
  count<<<1, 1>>>();
  cudaDeviceSynchronize();
  // CHECK: counter 7 7
  printf("counter %d %d\n", counter, *kept);

  hidden = 3;
  inner::scale = 2;
  fill<<<2, 128>>>(256);
  cudaDeviceSynchronize();
  // CHECK: values 44 554
  printf("values %g %g\n", values[0], values[255]);

  // As arguments, and by pointers of their own.
  shared = &counter;
  follow<<<1, 1>>>();
  values[0] = 1;
  float *sum;
  cudaMallocManaged(&sum, sizeof *sum);
  read<<<1, 1>>>(values, sum);
  cudaDeviceSynchronize();
  // CHECK: followed 8, read 555
  printf("followed %d, read %g\n", counter, *sum);

  // By the API.
  int number = 70, other = 0;
  cudaMemcpyToSymbol(counter, &number, sizeof number);
  count<<<1, 1>>>();
  cudaMemcpyFromSymbol(&other, counter, sizeof other);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, values);
  void *address = nullptr;
  cudaGetSymbolAddress(&address, values);
  // CHECK: symbol 71, managed 1, its own address 1
  printf("symbol %d, managed %d, its own address %d\n", other, attributes.type == cudaMemoryTypeManaged, address == values);
  cudaMemset(values, 0, sizeof values);
  cudaMemcpy(&values[1], &counter, sizeof(float), cudaMemcpyDefault);
  cudaDeviceSynchronize();
  // CHECK: set 0 71
  printf("set %g %d\n", values[0], *(int *)&values[1]);

  // They begin again with the device.
  cudaDeviceReset();
  // CHECK: reset 5 0
  printf("reset %d %g\n", counter, values[1]);
  count<<<1, 1>>>();
  cudaDeviceSynchronize();
  // CHECK: counter 6
  printf("counter %d\n", counter);
}
// CHECKED: count() {{ *}}3 {{ *}}0 {{ *}}3
// CHECKED: fill(int) {{ *}}1 {{ *}}1 {{ *}}1
// CHECKED: checked: all 6 launches
