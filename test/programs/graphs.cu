// Graphs, captured and built node by node, and pools of memory.
// RUN: gpuopt cc -std=c++14 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECKED

#include <cstdio>

struct Step {
  int add;
  float factor;
};

__global__ void advance(int *a, Step step, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = int((a[i] + step.add) * step.factor);
}

static void ask(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

static constexpr int n = 100;

static void print(const char *what, const int *device) {
  int host[n];
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s: %d %d\n", what, host[0], host[n - 1]);
}

static void say(void *text) { printf("host: %s\n", (const char *)text); }

// Work of two streams, which does nothing before the graph is launched.
static void capture(int *device) {
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaStreamCaptureStatus status;
  Step step = {1, 2};
  ask(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal), "begin");
  ask(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal), "again");
  cudaMemsetAsync(device, 0, n * sizeof(int), first);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  advance<<<1, 128, 0, second>>>(device, step, n);
  cudaEventRecord(join, second);
  cudaStreamIsCapturing(second, &status);
  cudaStreamWaitEvent(first, join, 0);
  advance<<<1, 128, 0, first>>>(device, step, n);
  int *scratch;
  cudaMallocAsync(&scratch, n * sizeof(int), first);
  cudaMemcpyAsync(scratch, device, n * sizeof(int), cudaMemcpyDeviceToDevice, first);
  cudaFreeAsync(scratch, first);
  cudaLaunchHostFunc(first, say, (void *)"done");
  cudaGraph_t graph;
  ask(cudaStreamEndCapture(first, &graph), "end");
  // The arguments are those of the launch, whatever becomes of them.
  step = {100, 100};
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  // CHECK: again: cudaErrorIllegalState
  // CHECK-NEXT: 7 nodes, captured 1
  printf("%zu nodes, captured %d\n", nodes, status == cudaStreamCaptureStatusActive);
  // CHECK-NEXT: before: 7 7
  print("before", device);
  cudaGraphExec_t executable;
  ask(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0), "instantiate");
  ask(cudaGraphDestroy(graph), "destroy");
  // CHECK-NEXT: host: done
  // CHECK-NEXT: host: done
  // CHECK-NEXT: after: 6 6
  for (int i = 0; i < 2; ++i)
    ask(cudaGraphLaunch(executable, first), "launch");
  ask(cudaStreamSynchronize(first), "wait");
  print("after", device);
  ask(cudaGraphExecDestroy(executable), "destroy");
  // CHECK-NEXT: gone: cudaErrorInvalidValue
  ask(cudaGraphLaunch(executable, first), "gone");
  // CHECK-NEXT: no capture: cudaErrorIllegalState
  ask(cudaStreamEndCapture(first, &graph), "no capture");
  // CHECK-NEXT: default: cudaErrorStreamCaptureUnsupported
  ask(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), "default");
}

// Nodes by hand; what comes first is what others depend on.
static void build(int *device) {
  cudaGraph_t graph;
  cudaGraphNode_t fill, kernel, copy;
  ask(cudaGraphCreate(&graph, 0), "create");
  int count = n, host[n];
  Step step = {2, 1};
  void *arguments[] = {&device, &step, &count};
  cudaKernelNodeParams launch = {};
  launch.func = (void *)advance;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(128);
  launch.kernelParams = arguments;
  ask(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &launch), "kernel");
  cudaMemsetParams zeros = {};
  zeros.dst = device;
  zeros.value = 5;
  zeros.elementSize = 4;
  zeros.width = n;
  zeros.height = 1;
  ask(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros), "fill");
  ask(cudaGraphAddDependencies(graph, &fill, &kernel, 1), "depend");
  ask(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, device, sizeof host, cudaMemcpyDeviceToHost), "copy");
  cudaGraphExec_t executable;
  ask(cudaGraphInstantiate(&executable, graph, 0), "instantiate");
  ask(cudaGraphLaunch(executable, 0), "launch");
  // CHECK-NEXT: built: 7 7
  printf("built: %d %d\n", host[0], host[n - 1]);
  step = {10, 1};
  ask(cudaGraphExecKernelNodeSetParams(executable, kernel, &launch), "set");
  ask(cudaGraphLaunch(executable, 0), "launch");
  // CHECK-NEXT: changed: 15 15
  printf("changed: %d %d\n", host[0], host[n - 1]);
  ask(cudaGraphAddDependencies(graph, &copy, &fill, 1), "depend");
  // CHECK-NEXT: circle: cudaErrorInvalidValue
  ask(cudaGraphInstantiate(&executable, graph, 0), "circle");
}

// What a graph allocates and the program frees is there again, at the same place.
static void allocate() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  int *memory;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&memory, n * sizeof(int), stream);
  cudaMemsetAsync(memory, 0, n * sizeof(int), stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 2; ++i) {
    ask(cudaGraphLaunch(executable, stream), "launch");
    // CHECK-NEXT: allocated: 0 0
    print("allocated", memory);
    ask(cudaFreeAsync(memory, stream), "free");
  }
  // CHECK-NEXT: allocated: 0 0
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

static void usePools() {
  cudaMemPool_t pool, own;
  ask(cudaDeviceGetDefaultMemPool(&pool, 0), "default");
  unsigned long long threshold = ~0ull, found = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &found);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  ask(cudaMemPoolCreate(&own, &properties), "create");
  int *a;
  ask(cudaMallocFromPoolAsync(&a, n * sizeof(int), own, 0), "from pool");
  cudaMemset(a, 0, n * sizeof(int));
  // CHECK-NEXT: pool 1: 0 0
  printf("pool %d", found == threshold);
  print("", a);
  ask(cudaFreeAsync(a, 0), "free");
  ask(cudaMemPoolDestroy(own), "destroy");
  // CHECK-NEXT: twice: cudaErrorInvalidValue
  ask(cudaMemPoolDestroy(own), "twice");
}

int main() {
  int *device, sevens[n];
  cudaMalloc(&device, n * sizeof(int));
  for (int &number : sevens)
    number = 7;
  cudaMemcpy(device, sevens, sizeof sevens, cudaMemcpyHostToDevice);
  capture(device);
  build(device);
  allocate();
  usePools();
  // CHECKED: advance(int*, Step, int) {{ *}}6 {{ *}}{{[0-9]+}} {{ *}}6
}
