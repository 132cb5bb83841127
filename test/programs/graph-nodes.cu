// Nodes of graphs: graphs as nodes, what nodes are asked for and given, the order between them; what ends a capture.
// RUN: gpuopt cc -std=c++14 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t %t.dot | FileCheck %s
// RUN: FileCheck %s --check-prefix=DOT < %t.dot
// RUN: %on_gpu %t %t.dot | FileCheck %s

#include <cstdio>

__global__ void add(int *a, int value) { a[threadIdx.x] += value; }

static constexpr int n = 32;
static int *device;

static void ask(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

static int first() {
  int value;
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

static int run(cudaGraphExec_t executable) {
  ask(cudaGraphLaunch(executable, 0), "launch");
  ask(cudaStreamSynchronize(0), "wait");
  return first();
}

static cudaKernelNodeParams launchOf(int **array, int *value) {
  static void *arguments[2];
  arguments[0] = array;
  arguments[1] = value;
  cudaKernelNodeParams launch = {};
  launch.func = (void *)add;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(n);
  launch.kernelParams = arguments;
  return launch;
}

static void build(const char *picture) {
  cudaGraph_t graph, inner, found;
  cudaGraphNode_t fill, kernel, again, child, nodes[8], ends[8];
  size_t count = 8;
  int value = 1;
  cudaMemsetParams zeros = {device, 0, 0, 4, n, 1};
  cudaGraphCreate(&inner, 0);
  cudaGraphCreate(&graph, 0);
  ask(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros), "fill");
  cudaKernelNodeParams launch = launchOf(&device, &value);
  ask(cudaGraphAddKernelNode(&kernel, inner, nullptr, 0, &launch), "kernel");
  value = 10;
  ask(cudaGraphAddKernelNode(&again, inner, &kernel, 1, &launch), "kernel");
  ask(cudaGraphAddChildGraphNode(&child, graph, &fill, 1, inner), "child");
  // Its own copy: this is not part of it.
  ask(cudaGraphAddKernelNode(&again, inner, &again, 1, &launch), "kernel");

  cudaGraphGetRootNodes(graph, nodes, &count);
  // CHECK: roots 1: 1
  printf("roots %zu: %d\n", count, nodes[0] == fill);
  count = 8;
  cudaGraphGetEdges(graph, nodes, ends, &count);
  // CHECK: edges 1: 1 1
  printf("edges %zu: %d %d\n", count, nodes[0] == fill, ends[0] == child);
  cudaGraphNodeGetDependentNodes(fill, nodes, &count);
  cudaGraphNodeGetDependencies(child, ends, &count);
  // CHECK: neighbours 1 1
  printf("neighbours %d %d\n", nodes[0] == child, ends[0] == fill);
  // DOT: digraph
  // DOT-DAG: label="0 set"
  // DOT-DAG: label="1 graph"
  // DOT: node_0 -> node_1;
  ask(cudaGraphDebugDotPrint(graph, picture, 0), "picture");

  cudaGraphExec_t executable;
  ask(cudaGraphInstantiate(&executable, graph, 0), "instantiate");
  // CHECK: child 11
  printf("child %d\n", run(executable));

  // Of the executable graph a node of the child is changed, and of the graph what it fills with.
  ask(cudaGraphChildGraphNodeGetGraph(child, &found), "graph");
  count = 8;
  cudaGraphGetNodes(found, nodes, &count);
  value = 100;
  ask(cudaGraphExecKernelNodeSetParams(executable, nodes[0], &launch), "set");
  // CHECK: changed 110
  printf("changed %d\n", run(executable));
  ask(cudaGraphNodeSetEnabled(executable, nodes[1], 0), "disable");
  unsigned isEnabled = 1;
  cudaGraphNodeGetEnabled(executable, nodes[1], &isEnabled);
  // CHECK: disabled 0: 100
  printf("disabled %u: %d\n", isEnabled, run(executable));
  cudaMemsetParams kept = {};
  ask(cudaGraphMemsetNodeGetParams(fill, &kept), "get");
  kept.value = 7;
  ask(cudaGraphMemsetNodeSetParams(fill, &kept), "set");
  cudaKernelNodeParams asked = {};
  ask(cudaGraphKernelNodeGetParams(nodes[1], &asked), "get");
  // CHECK: asked 32: 10
  printf("asked %u: %d\n", asked.blockDim.x, *(int *)asked.kernelParams[1]);
  cudaGraphExec_t other;
  ask(cudaGraphInstantiate(&other, graph, 0), "instantiate");
  // CHECK: filled 18
  printf("filled %d\n", run(other));
  // CHECK: no kernel: cudaErrorInvalidValue
  ask(cudaGraphKernelNodeGetParams(fill, &asked), "no kernel");
  // CHECK: a node's: cudaErrorInvalidValue
  ask(cudaGraphDestroy(found), "a node's");
  ask(cudaGraphDestroyNode(child), "destroy");
  count = 8;
  cudaGraphGetNodes(graph, nodes, &count);
  // CHECK: left 1
  printf("left %zu\n", count);
}

static void record() {
  // Events of a graph are for those who wait for it.
  cudaStream_t stream;
  cudaEvent_t start, end;
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaGraph_t graph;
  cudaGraphNode_t before, kernel, after;
  int value = 5;
  cudaKernelNodeParams launch = launchOf(&device, &value);
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEventRecordNode(&before, graph, nullptr, 0, start);
  cudaGraphAddKernelNode(&kernel, graph, &before, 1, &launch);
  cudaGraphAddEventRecordNode(&after, graph, &kernel, 1, end);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  ask(cudaEventSynchronize(end), "wait");
  float milliseconds = -1;
  ask(cudaEventElapsedTime(&milliseconds, start, end), "elapsed");
  // CHECK: recorded 1: 23
  printf("recorded %d: %d\n", milliseconds >= 0, first());
}

// What cannot be while a stream is captured ends the capture.
static void invalidate() {
  cudaStream_t stream, other;
  cudaEvent_t event;
  cudaGraph_t graph = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEventCreate(&event);
  cudaStreamCaptureStatus status;

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, n, 0, stream>>>(device, 1);
  // CHECK: synchronize: cudaErrorStreamCaptureUnsupported
  ask(cudaStreamSynchronize(stream), "synchronize");
  cudaStreamIsCapturing(stream, &status);
  // CHECK: invalidated 1
  printf("invalidated %d\n", status == cudaStreamCaptureStatusInvalidated);
  // CHECK: behind: cudaErrorStreamCaptureInvalidated
  ask(cudaMemsetAsync(device, 0, 4, stream), "behind");
  // CHECK: end: cudaErrorStreamCaptureInvalidated
  ask(cudaStreamEndCapture(stream, &graph), "end");
  // CHECK: no graph 1
  printf("no graph %d\n", graph == nullptr);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  cudaEventRecord(event, stream);
  // CHECK: event: cudaErrorCapturedEvent
  ask(cudaEventQuery(event), "event");
  cudaStreamEndCapture(stream, &graph);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  // CHECK: device: cudaErrorStreamCaptureUnsupported
  ask(cudaDeviceSynchronize(), "device");
  cudaStreamEndCapture(stream, &graph);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  ask(cudaDeviceSynchronize(), "relaxed");
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(other, event, 0);
  add<<<1, n, 0, other>>>(device, 1);
  // CHECK: unmatched: cudaErrorStreamCaptureUnmatched
  ask(cudaStreamEndCapture(other, &graph), "unmatched");
  cudaStreamEndCapture(stream, &graph);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(other, event, 0);
  add<<<1, n, 0, other>>>(device, 1);
  // CHECK: unjoined: cudaErrorStreamCaptureUnjoined
  ask(cudaStreamEndCapture(stream, &graph), "unjoined");

  // Streams work again, and a capture says where it is.
  add<<<1, n, 0, stream>>>(device, 1);
  ask(cudaStreamSynchronize(stream), "wait");
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, n, 0, stream>>>(device, 1);
  const cudaGraphNode_t *last = nullptr;
  size_t count = 0;
  unsigned long long number = 0;
  cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &last, &count);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  cudaGraphNodeGetType(last[0], &type);
  // CHECK: captured 1: 1 1 1
  printf("captured %d: %d %zu %d\n", status == cudaStreamCaptureStatusActive, number > 0, count, type == cudaGraphNodeTypeKernel);
  ask(cudaStreamEndCapture(stream, &graph), "end");
  // CHECK: left alone: 24
  printf("left alone: %d\n", first());
}

int main(int, char **arguments) {
  cudaMalloc(&device, n * sizeof(int));
  build(arguments[1]);
  record();
  invalidate();
}
