// What programs ask the device, streams and memory beside their work.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t slowly | FileCheck %s

#include <atomic>
#include <cstdio>
#include <cstring>

__global__ void set(int *a, int value) { a[threadIdx.x] = value; }

static void say(const char *what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }

static void askDevice() {
  char text[32] = "";
  int device = -1;
  unsigned flags = 0;
  cudaSharedMemConfig config;
  cudaDeviceGetPCIBusId(text, sizeof text, 0);
  cudaDeviceGetByPCIBusId(&device, text);
  // CHECK: bus 12 0
  printf("bus %zu %d\n", strlen(text), device);
  // CHECK: short: cudaErrorInvalidValue
  say("short", cudaDeviceGetPCIBusId(text, 4, 0));
  // CHECK: none: cudaErrorInvalidDevice
  say("none", cudaDeviceGetByPCIBusId(&device, "00ff:ff:1f.0"));
  cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
  cudaGetDeviceFlags(&flags);
  cudaDeviceGetSharedMemConfig(&config);
  // CHECK: flags 12, banks 1
  printf("flags %u, banks %d\n", flags, config);
  // CHECK: init: cudaSuccess
  say("init", cudaInitDevice(0, 0, 0));
  // CHECK: no flags: cudaErrorInvalidValue
  say("no flags", cudaSetDeviceFlags(0x1000));
}

static void askMemory() {
  int *pinned, *device;
  unsigned flags = 0;
  cudaHostAlloc(&pinned, 64, cudaHostAllocWriteCombined);
  cudaHostGetFlags(&flags, pinned);
  // CHECK: pinned 6
  printf("pinned %u\n", flags);
  cudaMalloc(&device, 64);
  // CHECK: device's: cudaErrorInvalidValue
  say("device's", cudaHostGetFlags(&flags, device));
  cudaFreeHost(pinned);
  cudaFree(device);

  // A box of a larger one, on a stream.
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaPitchedPtr box;
  cudaMalloc3D(&box, make_cudaExtent(8, 4, 3));
  cudaMemset3D(box, 1, make_cudaExtent(8, 4, 3));
  cudaMemset3DAsync(box, 2, make_cudaExtent(4, 2, 2), stream);
  cudaStreamSynchronize(stream);
  unsigned char rows[12][8];
  cudaMemcpy2D(rows, 8, box.ptr, box.pitch, 8, 12, cudaMemcpyDeviceToHost);
  // CHECK: box 2 1 1 2 1
  printf("box %d %d %d %d %d\n", rows[0][3], rows[0][4], rows[2][0], rows[5][3], rows[8][0]);

  // From array to array.
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t from, to;
  int numbers[4][4], back[4][4] = {};
  for (int i = 0; i < 16; ++i)
    numbers[i / 4][i % 4] = i;
  cudaMallocArray(&from, &format, 4, 4);
  cudaMallocArray(&to, &format, 4, 4);
  cudaMemcpy2DToArray(from, 0, 0, numbers, 16, 16, 4, cudaMemcpyHostToDevice);
  cudaMemcpy2DToArray(to, 0, 0, back, 16, 16, 4, cudaMemcpyHostToDevice);
  cudaMemcpy2DArrayToArray(to, 4, 1, from, 8, 2, 8, 2);
  cudaMemcpy2DFromArray(back, 16, to, 0, 0, 16, 4, cudaMemcpyDeviceToHost);
  // CHECK: arrays 0 10 11 14 15
  printf("arrays %d %d %d %d %d\n", back[0][0], back[1][1], back[1][2], back[2][1], back[2][2]);
  // CHECK: outside: cudaErrorInvalidValue
  say("outside", cudaMemcpy2DArrayToArray(to, 8, 0, from, 0, 0, 16, 1));
}

// Memory that is freed on a stream is the stream's until then, and nobody waits.
static std::atomic<bool> isFreed = false;
static void freeOnStream(bool isSlow) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *memory, *result, value = 0;
  cudaMalloc(&result, 128);
  cudaMallocAsync(&memory, 128, stream);
  auto wait = [](void *) {
    while (!isFreed) {
    }
  };
  if (isSlow)
    cudaLaunchHostFunc(stream, wait, nullptr);
  set<<<1, 32, 0, stream>>>(memory, 9);
  cudaMemcpyAsync(result, memory, 128, cudaMemcpyDeviceToDevice, stream);
  cudaError_t error = cudaFreeAsync(memory, stream);
  isFreed = true;
  // CHECK: freed: cudaSuccess
  say("freed", error);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  // CHECK: value 9
  printf("value %d\n", value);
  // CHECK: twice: cudaErrorInvalidValue
  say("twice", cudaFreeAsync(memory, stream));
}

// Streams and events end with the device.
static void reset() {
  cudaStream_t stream, other;
  cudaEvent_t event;
  unsigned long long number = 0;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaStreamGetId(stream, &number);
  cudaStreamAttrValue value;
  // CHECK: stream 1
  printf("stream %d\n", number != 0);
  // CHECK: attribute: cudaSuccess
  // CHECK: record: cudaSuccess
  // CHECK: reset: cudaSuccess
  say("attribute", cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &value));
  say("record", cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
  say("reset", cudaDeviceReset());
  // CHECK: stream: cudaErrorInvalidResourceHandle
  say("stream", cudaStreamSynchronize(stream));
  // CHECK: event: cudaErrorInvalidResourceHandle
  say("event", cudaEventSynchronize(event));
  // CHECK: again: cudaSuccess
  say("again", cudaStreamCreate(&other));
}

int main(int count, char **) {
  askDevice();
  askMemory();
  freeOnStream(count > 1);
  reset();
}
