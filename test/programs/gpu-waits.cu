// What waits for a GPU and what does not, and what others can do until then; what is given back; errors that stay.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s

#include <atomic>
#include <cstdio>
#include <thread>

__global__ void set(int *a, int value) { a[threadIdx.x] = value; }

static void say(const char *what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }

int main() {
  // Memory that the host may touch is set when the call returns.
  int *managed, *pinned;
  cudaMallocManaged(&managed, 64);
  cudaMallocHost(&pinned, 64);
  managed[0] = pinned[0] = 7;
  cudaMemset(managed, 0, 64);
  cudaMemset(pinned, 0, 64);
  // CHECK: set 0 0
  printf("set %d %d\n", managed[0], pinned[0]);

  // Another thread allocates while a copy waits for a function of the host that waits for that thread.
  static std::atomic<bool> isAsked = false, isDone = false;
  std::thread other([] {
    while (!isAsked)
      std::this_thread::yield();
    int *p;
    cudaMalloc(&p, 4);
    cudaFree(p);
    isDone = true;
  });
  int *device, host[16];
  cudaMalloc(&device, 64);
  auto ask = [](void *) {
    isAsked = true;
    while (!isDone)
      std::this_thread::yield();
  };
  cudaLaunchHostFunc(0, ask, nullptr);
  set<<<1, 16>>>(device, 5);
  cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost);
  other.join();
  // CHECK: copied 5
  printf("copied %d\n", host[3]);

  // Of two streams the second one's work comes behind the first one's only where an event says so.
  cudaStream_t first, second;
  cudaEvent_t ready;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreate(&ready);
  set<<<1, 16, 0, first>>>(device, 1);
  cudaEventRecord(ready, first);
  cudaStreamWaitEvent(second, ready, 0);
  set<<<1, 16, 0, second>>>(device, 2);
  cudaDeviceSynchronize();
  cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost);
  // CHECK: second 2
  printf("second %d\n", host[0]);

  // Rows of arrays, over their ends.
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  float in[16], out[16];
  for (int i = 0; i < 16; ++i)
    in[i] = i;
  cudaMallocArray(&array, &format, 4, 4);
  // CHECK: to: cudaSuccess
  say("to", cudaMemcpy2DToArray(array, 0, 0, in, 16, 16, 4, cudaMemcpyHostToDevice));
  // CHECK: from: cudaSuccess
  say("from", cudaMemcpyFromArray(out, array, 4, 0, 56, cudaMemcpyDeviceToHost));
  // CHECK: elements 1 14
  printf("elements %g %g\n", out[0], out[13]);
  // CHECK: direction: cudaErrorInvalidMemcpyDirection
  say("direction", cudaMemcpyFromArray(out, array, 0, 0, 4, cudaMemcpyKind(17)));

  // What is wrong with copies of boxes is found before anything is copied.
  cudaPitchedPtr box;
  cudaMalloc3D(&box, make_cudaExtent(30, 20, 10));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(in, 4, 4, 4);
  copy.dstPtr = box;
  copy.extent = make_cudaExtent(4, 4, 1);
  copy.kind = cudaMemcpyHostToDevice;
  // CHECK: box: cudaSuccess
  say("box", cudaMemcpy3D(&copy));
  copy.extent.depth = 1000;
  // CHECK: too deep: cudaErrorInvalidValue
  say("too deep", cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(5, 4, 1);
  // CHECK: too wide: cudaErrorInvalidPitchValue
  say("too wide", cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(4, 4, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  // CHECK: other way: cudaErrorInvalidValue
  say("other way", cudaMemcpy3D(&copy));
  copy.srcPtr.ptr = nullptr;
  copy.kind = cudaMemcpyHostToDevice;
  // CHECK: from nowhere: cudaErrorInvalidValue
  say("from nowhere", cudaMemcpy3D(&copy));

  // Memory of graphs goes with the last of them.
  size_t before, after, all;
  cudaMemGetInfo(&before, &all);
  for (int round = 0; round < 3; ++round) {
    void *p;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&p, 1 << 20, first);
    cudaFreeAsync(p, first);
    cudaStreamEndCapture(first, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, first);
    cudaStreamSynchronize(first);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
  }
  cudaMemGetInfo(&after, &all);
  // CHECK: kept 0
  printf("kept %zu\n", before - after);
  size_t heap = 0;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 30);
  cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
  // CHECK: heap 1073741824
  printf("heap %zu\n", heap);

  // All blocks at the same time.
  int value = 3;
  void *arguments[] = {&device, &value};
  // CHECK: together: cudaSuccess
  say("together", cudaLaunchCooperativeKernel((void *)set, dim3(2), dim3(16), arguments, 0, 0));
  // CHECK: too many: cudaErrorCooperativeLaunchTooLarge
  say("too many", cudaLaunchCooperativeKernel((void *)set, dim3(1000000), dim3(16), arguments, 0, 0));

  // Nothing can be done behind what a kernel has done wrong.
  set<<<1, 1>>>(nullptr, 1);
  // CHECK: wait: cudaErrorIllegalAddress
  say("wait", cudaDeviceSynchronize());
  // CHECK: last: cudaErrorIllegalAddress
  // CHECK: last again: cudaErrorIllegalAddress
  say("last", cudaGetLastError());
  say("last again", cudaGetLastError());
  // CHECK: free: cudaErrorIllegalAddress
  say("free", cudaFree(device));
}
