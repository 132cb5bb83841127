// What programs use beside kernels: pitched and managed memory, streams,
// callbacks, events, properties, attributes, occupancy.
// RUN: gpuopt cc -std=c++17 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s

#include <cstdio>
#include <vector>

__global__ void scale(float *a, size_t pitch, int width, int height, float s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float *row = (float *)((char *)a + y * pitch);
    row[x] *= s;
  }
}

__global__ void sums(const int *a, int *total) {
  extern __shared__ int partial[];
  partial[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(total, partial[0]);
}

static void whenDone(cudaStream_t, cudaError_t error, void *data) {
  printf("callback %s %d\n", cudaGetErrorName(error), *(int *)data);
}

int main() {
  // A matrix with rows that begin at multiples of what the device wants.
  const int width = 37, height = 5;
  std::vector<float> matrix(width * height, 2.0f);
  float *device;
  size_t pitch;
  cudaMallocPitch(&device, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(device, pitch, matrix.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  scale<<<dim3(2, 1), dim3(32, 8)>>>(device, pitch, width, height, 1.5f);
  cudaMemcpy2D(matrix.data(), width * sizeof(float), device, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
  bool equal = true;
  for (float value : matrix)
    equal &= value == 3.0f;
  // CHECK: pitched 512 equal 1
  printf("pitched %zu equal %d\n", pitch, equal);

  // Memory that host and device share, dynamic workgroup memory, streams.
  int *a, *total;
  cudaMallocManaged(&a, 256 * sizeof(int));
  cudaMallocManaged(&total, sizeof(int));
  for (int i = 0; i < 256; ++i)
    a[i] = i;
  *total = 0;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventRecord(start, stream);
  sums<<<4, 64, 64 * sizeof(int), stream>>>(a, total);
  cudaEventRecord(end, stream);
  // CHECK: callback cudaSuccess 32640
  cudaStreamAddCallback(stream, whenDone, total, 0);
  cudaStreamSynchronize(stream);
  float milliseconds = -1;
  cudaEventElapsedTime(&milliseconds, start, end);
  // CHECK: total 32640 timed 1
  printf("total %d timed %d\n", *total, milliseconds >= 0);

  // The same kernel through a pointer to it.
  void *arguments[] = {&a, &total};
  cudaLaunchKernel(sums, dim3(4), dim3(64), arguments, 64 * sizeof(int), stream);
  cudaStreamSynchronize(stream);
  // CHECK: total 65280
  printf("total %d\n", *total);
  // By a structure, whose attributes allow what is so anyhow, or ask for clusters, which there are not.
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {dim3(4), dim3(64), 64 * sizeof(int), stream, &attribute, 1};
  cudaLaunchKernelEx(&config, sums, a, total);
  cudaStreamSynchronize(stream);
  // CHECK: total 97920
  printf("total %d\n", *total);
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  // CHECK: clusters: cudaErrorNotSupported
  printf("clusters: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, sums, a, total)));
  cudaGetLastError();
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, a);
  // CHECK: managed 1
  printf("managed %d\n", attributes.type == cudaMemoryTypeManaged);

  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  // CHECK: gpuopt CPU executor (sm_90), compute capability 9.0, 132 multiprocessors, 1024 threads
  printf("%s, compute capability %d.%d, %d multiprocessors, %d threads\n", properties.name, properties.major,
         properties.minor, properties.multiProcessorCount, properties.maxThreadsPerBlock);
  int mode = -1;
  cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0);
  // CHECK: for all processes: 1
  printf("for all processes: %d\n", mode == cudaComputeModeDefault);
  int blocks = 0, smallestGrid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0);
  cudaOccupancyMaxPotentialBlockSize(&smallestGrid, &block, scale, 0, 0);
  // CHECK: 8 blocks of 256 threads; 264 blocks of 1024
  printf("%d blocks of 256 threads; %d blocks of %d\n", blocks, smallestGrid, block);

  // More workgroup memory than by default has to be asked for.
  sums<<<1, 64, 64 << 10>>>(a, total);
  // CHECK: too much workgroup memory: cudaErrorInvalidConfiguration
  printf("too much workgroup memory: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
  sums<<<1, 64, 64 << 10>>>(a, total);
  // CHECK: asked for: cudaSuccess
  printf("asked for: %s\n", cudaGetErrorName(cudaGetLastError()));
}
