// On a GPU: the driver, of which this is a stand-in, has memory that the host cannot touch, and does nothing before somebody
// waits for it. Kernels are those of the PTX.
// RUN: gpuopt cc -std=c++17 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 %s -o %t
// RUN: %on_gpu %t 2>&1 | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: env GPUOPT_PTX_DRIVER_CAPABILITY=86 %on_gpu %t 2>&1 | FileCheck %s --check-prefixes=CHECK,SM86
// Without a wish the GPU is taken where there is one.
// RUN: env -u GPUOPT_DEVICE GPUOPT_DRIVER=%gpuopt_build/lib/libgpuopt-ptx-driver.so %t 2>&1 | FileCheck %s --check-prefixes=CHECK,SM90

// One that is too old, a driver that is none, a wish that nobody knows, and no driver.
// RUN: env GPUOPT_PTX_DRIVER_CAPABILITY=75 GPUOPT_DRIVER=%gpuopt_build/lib/libgpuopt-ptx-driver.so %t 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: gpuopt: kernels run on the CPU (GPUOPT_DEVICE=cpu says so in advance): there are kernels for sm_80, which gpuopt PTX driver, an sm_75, cannot run
// OLD: gpuopt CPU executor
// RUN: not env GPUOPT_PTX_DRIVER_CAPABILITY=75 %on_gpu %t 2>&1 | FileCheck %s --check-prefix=TOO-OLD
// TOO-OLD: gpuopt: GPUOPT_DEVICE=gpu: there are kernels for sm_80, which
// TOO-OLD: stream: cudaErrorNoDevice
// RUN: env GPUOPT_DRIVER=%t %t 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: kernels run on the CPU ({{.*}}): {{.*}}gpu.cu.tmp
// RUN: env GPUOPT_DEVICE=tpu %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: gpuopt: GPUOPT_DEVICE: 'tpu' is neither 'cpu' nor 'gpu'; kernels run on the CPU

// What becomes of each launch is looked at on the CPU.
// RUN: not %on_gpu gpuopt run --check -- %t 2>&1 | FileCheck %s --check-prefix=LOOKED
// LOOKED: gpuopt CPU executor
// LOOKED: step(float*, int, float) {{.*}}

#include <cstdio>
#include <vector>

__constant__ float factor;
__device__ int launches;
static __device__ float offsets[2];

__global__ void step(float *a, int n, float add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] * factor + add + offsets[1];
  if (i == 0)
    atomicAdd(&launches, 1);
}

__global__ void stray(int *a) { a[1 << 20] = 1; }

static void say(const char *what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  constexpr int n = 1003, bytes = n * sizeof(float);
  // CHECK: stream: cudaSuccess
  cudaStream_t first, second;
  cudaError_t error = cudaStreamCreate(&first);
  say("stream", error);
  if (error != cudaSuccess)
    return 1;
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  // SM90: gpuopt PTX driver, 9.0, 3 multiprocessors, 3
  // SM86: gpuopt PTX driver, 8.6, 3 multiprocessors, 3
  printf("%s, %d.%d, %d multiprocessors, %d\n", properties.name, properties.major, properties.minor,
         properties.multiProcessorCount, multiprocessors);

  // Variables, pageable and pinned memory, two streams that an event orders, a function of the host between.
  float three = 3, half[2] = {0, 0.5f};
  cudaMemcpyToSymbol(factor, &three, sizeof three);
  cudaMemcpyToSymbol(offsets, half, sizeof half);
  std::vector<float> host(n, 1);
  float *a, *pinned;
  cudaMalloc(&a, bytes);
  cudaMallocHost(&pinned, bytes);
  cudaMemcpyAsync(a, host.data(), bytes, cudaMemcpyHostToDevice, first);
  step<<<(n + 127) / 128, 128, 0, first>>>(a, n, 1);
  static int called = 0;
  cudaLaunchHostFunc(first, [](void *place) { *static_cast<int *>(place) = 1; }, &called);
  cudaEvent_t done, end;
  cudaEventCreate(&done);
  cudaEventCreate(&end);
  cudaEventRecord(done, first);
  // CHECK: asked: cudaErrorNotReady
  say("asked", cudaEventQuery(done));
  cudaStreamWaitEvent(second, done, 0);
  step<<<(n + 127) / 128, 128, 0, second>>>(a, n, 2);
  cudaMemcpyAsync(pinned, a, bytes, cudaMemcpyDeviceToHost, second);
  cudaEventRecord(end, second);
  // CHECK: end: cudaSuccess
  say("end", cudaEventSynchronize(end));
  float milliseconds = -1;
  cudaEventElapsedTime(&milliseconds, done, end);
  // CHECK: (1 * 3 + 1.5) * 3 + 2.5 = 16 16, called 1, timed 1
  printf("(1 * 3 + 1.5) * 3 + 2.5 = %g %g, called %d, timed %d\n", pinned[0], pinned[n - 1], called, milliseconds >= 0);
  int count = 0;
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  // CHECK: 2 launches
  printf("%d launches\n", count);

  // Rows, managed memory, memory of the program's own, copies to a variable by its address.
  size_t pitch;
  float *rows, *managed;
  cudaMallocPitch(&rows, &pitch, 3 * sizeof(float), 4);
  cudaMemset2D(rows, pitch, 0, 3 * sizeof(float), 4);
  cudaMemcpy2D(rows, pitch, pinned, 2 * sizeof(float), 2 * sizeof(float), 4, cudaMemcpyHostToDevice);
  cudaMemcpy2D(host.data(), 3 * sizeof(float), rows, pitch, 3 * sizeof(float), 4, cudaMemcpyDeviceToHost);
  // CHECK: rows 16 16 0 16 16 0
  printf("rows %g %g %g %g %g %g\n", host[0], host[1], host[2], host[9], host[10], host[11]);
  cudaMallocManaged(&managed, bytes);
  std::fill_n(managed, n, 2);
  float zero = 0;
  void *place;
  cudaGetSymbolAddress(&place, offsets);
  cudaMemcpy(static_cast<float *>(place) + 1, &zero, sizeof zero, cudaMemcpyHostToDevice);
  step<<<(n + 127) / 128, 128>>>(managed, n, 1);
  cudaDeviceSynchronize();
  // CHECK: managed 7 7
  printf("managed %g %g\n", managed[0], managed[n - 1]);
  std::fill(host.begin(), host.end(), 1);
  cudaHostRegister(host.data(), bytes, cudaHostRegisterDefault);
  step<<<(n + 127) / 128, 128>>>(host.data(), n, 1);
  cudaDeviceSynchronize();
  // CHECK: registered 4 4
  printf("registered %g %g\n", host[0], host[n - 1]);
  cudaHostUnregister(host.data());
  size_t freeBytes, allBytes;
  cudaMemGetInfo(&freeBytes, &allBytes);
  // CHECK: memory 1, free: cudaSuccess, again: cudaErrorInvalidValue
  printf("memory %d, ", freeBytes < allBytes);
  printf("free: %s, ", cudaGetErrorName(cudaFree(a)));
  say("again", cudaFree(a));
  cudaGetLastError();
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, step);
  // CHECK: 42 registers
  printf("%d registers\n", attributes.numRegs);

  // A reset gives variables their first values back.
  cudaDeviceReset();
  count = -1;
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  // CHECK: 0 launches
  printf("%d launches\n", count);

  // What a kernel does wrong is known when somebody waits, and ends everything.
  int *b;
  cudaMalloc(&b, sizeof(int));
  stray<<<1, 1>>>(b);
  // CHECK: launch: cudaSuccess
  say("launch", cudaGetLastError());
  // CHECK: writes 4 bytes
  // CHECK: wait: cudaErrorIllegalAddress
  say("wait", cudaDeviceSynchronize());
  // CHECK: after: cudaErrorIllegalAddress
  say("after", cudaMemset(b, 0, sizeof(int)));
}
