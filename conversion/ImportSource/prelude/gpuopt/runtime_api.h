// The runtime API as host code calls it: the functions of runtime_functions.h,
// what C++ adds to them, and the names of others, which no program can link.

#pragma once

#include "gpuopt/runtime_functions.h"

// Arrays of any type, kernels as functions, variables by name.
#define __GPUOPT_HOST__ static inline __attribute__((unused))
template <class T> __GPUOPT_HOST__ cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return ::cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned flags = 0) {
  return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags) {
  return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}

template <class T> __GPUOPT_HOST__ cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t bytes = 0, cudaStream_t stream = nullptr) {
  return ::cudaLaunchKernel((const void *)kernel, grid, block, arguments, bytes, stream);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t bytes = 0, cudaStream_t stream = nullptr) {
  return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, bytes, stream);
}
/// Arguments are converted to the kernel's parameters.
template <class... Parameters, class... Arguments> __GPUOPT_HOST__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...), Arguments &&...arguments) {
  return [&](Parameters... converted) {
    void *pointers[] = {(void *)&converted..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
  }(static_cast<Arguments &&>(arguments)...);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel) {
  return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int blockSize, size_t bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, blockSize, bytes);
}
/// The largest block that fills a multiprocessor best, and the grid that fills the device with it; the launch's bytes depend on the block.
template <class Bytes, class T> __GPUOPT_HOST__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T kernel, Bytes bytesOf, int limit = 0) {
  int multiprocessors = 0, most = 0;
  cudaFuncAttributes attributes;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
  int largest = limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
  for (int threads = largest; error == cudaSuccess && threads > 0; threads -= 32) {
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, threads, bytesOf(threads));
    if (blocks * threads > most) {
      most = blocks * threads;
      *block = threads;
      *grid = blocks * multiprocessors;
    }
  }
  return error;
}
template <class Bytes, class T> __GPUOPT_HOST__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, T kernel, Bytes bytesOf, int limit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, bytesOf, limit);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel, size_t bytes = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, [=](int) { return bytes; }, limit);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T kernel, size_t bytes = 0, int limit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, bytes, limit);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *kernel, int blockSize, size_t bytes, unsigned flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, blockSize, bytes, flags);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, blockSize);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T, class Pointer> __GPUOPT_HOST__ cudaError_t cudaGetSymbolAddress(Pointer **pointer, const T &symbol) {
  return ::cudaGetSymbolAddress((void **)(void *)pointer, (const void *)&symbol);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}
/// As they are from CUDA 13 on.
__GPUOPT_HOST__ cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  return ::cudaMemAdvise(pointer, bytes, advice, location.id);
}
__GPUOPT_HOST__ cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, cudaMemLocation location, unsigned, cudaStream_t stream = nullptr) {
  return ::cudaMemPrefetchAsync(pointer, bytes, location.id, stream);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T> __GPUOPT_HOST__ cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
/// As they were before CUDA 12.
__GPUOPT_HOST__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, cudaGraphNode_t *, char *, size_t) {
  return ::cudaGraphInstantiate(executable, graph, 0);
}
__GPUOPT_HOST__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t *node, cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t error = ::cudaGraphExecUpdate(executable, graph, &info);
  *node = nullptr;
  *result = info.result;
  return error;
}
/// What programs that else call the runtime ask the driver.
__GPUOPT_HOST__ CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
__GPUOPT_HOST__ CUresult cuMemGetInfo(size_t *free, size_t *all) { return (CUresult)::cudaMemGetInfo(free, all); }
__GPUOPT_HOST__ cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
__GPUOPT_HOST__ cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
__GPUOPT_HOST__ cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height) { return {pointer, pitch, width, height}; }
#undef __GPUOPT_HOST__

// Functions that are only named.
extern "C" unsigned __hipPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0, void *stream = nullptr);
extern "C" hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t bytes = 0, hipStream_t stream = nullptr);
#define __GPUOPT_HOST_API__(NAME) template <class... Ts> cudaError_t NAME(Ts &&...)
#define __GPUOPT_HIP_API__(NAME) __GPUOPT_HOST_API__(hip##NAME);
#define __GPUOPT_BOTH_APIS__(NAME)                                             \
  __GPUOPT_HOST_API__(cuda##NAME);                                             \
  __GPUOPT_HOST_API__(hip##NAME);
__GPUOPT_HOST_API__(cudaIpcGetMemHandle);
__GPUOPT_HOST_API__(cudaIpcOpenMemHandle);
__GPUOPT_HOST_API__(cudaIpcCloseMemHandle);
__GPUOPT_HOST_API__(cudaIpcGetEventHandle);
__GPUOPT_HOST_API__(cudaIpcOpenEventHandle);
__GPUOPT_HOST_API__(cudaMallocMipmappedArray);
__GPUOPT_HOST_API__(cudaFreeMipmappedArray);
__GPUOPT_HOST_API__(cudaGetMipmappedArrayLevel);
__GPUOPT_HIP_API__(Malloc)
__GPUOPT_HIP_API__(MallocHost)
__GPUOPT_HIP_API__(MallocManaged)
__GPUOPT_HIP_API__(MallocPitch)
__GPUOPT_HIP_API__(MallocArray)
__GPUOPT_HIP_API__(Malloc3D)
__GPUOPT_HIP_API__(Malloc3DArray)
__GPUOPT_HIP_API__(MallocAsync)
__GPUOPT_HIP_API__(HostAlloc)
__GPUOPT_HIP_API__(HostRegister)
__GPUOPT_HIP_API__(HostUnregister)
__GPUOPT_BOTH_APIS__(HostMalloc)
__GPUOPT_BOTH_APIS__(HostFree)
__GPUOPT_HIP_API__(HostGetDevicePointer)
__GPUOPT_HIP_API__(Free)
__GPUOPT_HIP_API__(FreeHost)
__GPUOPT_HIP_API__(FreeArray)
__GPUOPT_HIP_API__(FreeAsync)
__GPUOPT_HIP_API__(Memcpy)
__GPUOPT_HIP_API__(MemcpyAsync)
__GPUOPT_HIP_API__(Memcpy2D)
__GPUOPT_HIP_API__(Memcpy2DAsync)
__GPUOPT_HIP_API__(Memcpy3D)
__GPUOPT_HIP_API__(MemcpyToArray)
__GPUOPT_HIP_API__(Memcpy2DToArray)
__GPUOPT_HIP_API__(MemcpyFromArray)
__GPUOPT_HIP_API__(MemcpyToSymbol)
__GPUOPT_HIP_API__(MemcpyToSymbolAsync)
__GPUOPT_HIP_API__(MemcpyFromSymbol)
__GPUOPT_HIP_API__(MemcpyPeer)
__GPUOPT_HIP_API__(Memset)
__GPUOPT_HIP_API__(MemsetAsync)
__GPUOPT_HIP_API__(Memset2D)
__GPUOPT_HIP_API__(MemGetInfo)
__GPUOPT_HIP_API__(MemPrefetchAsync)
__GPUOPT_HIP_API__(MemAdvise)
__GPUOPT_HIP_API__(GetSymbolAddress)
__GPUOPT_HIP_API__(GetSymbolSize)
__GPUOPT_HIP_API__(GetLastError)
__GPUOPT_HIP_API__(PeekAtLastError)
__GPUOPT_HIP_API__(DeviceSynchronize)
__GPUOPT_HIP_API__(DeviceReset)
__GPUOPT_HIP_API__(DeviceGetAttribute)
__GPUOPT_HIP_API__(DeviceSetCacheConfig)
__GPUOPT_HIP_API__(DeviceSetSharedMemConfig)
__GPUOPT_HIP_API__(DeviceSetLimit)
__GPUOPT_HIP_API__(DeviceCanAccessPeer)
__GPUOPT_HIP_API__(DeviceEnablePeerAccess)
__GPUOPT_HIP_API__(ThreadSynchronize)
__GPUOPT_HIP_API__(ThreadExit)
__GPUOPT_HIP_API__(ThreadSetCacheConfig)
__GPUOPT_HIP_API__(GetDevice)
__GPUOPT_HIP_API__(SetDevice)
__GPUOPT_HIP_API__(SetDeviceFlags)
__GPUOPT_HIP_API__(GetDeviceCount)
__GPUOPT_HIP_API__(GetDeviceProperties)
__GPUOPT_HIP_API__(ChooseDevice)
__GPUOPT_HIP_API__(EventCreate)
__GPUOPT_HIP_API__(EventCreateWithFlags)
__GPUOPT_HIP_API__(EventDestroy)
__GPUOPT_HIP_API__(EventRecord)
__GPUOPT_HIP_API__(EventQuery)
__GPUOPT_HIP_API__(EventSynchronize)
__GPUOPT_HIP_API__(EventElapsedTime)
__GPUOPT_HIP_API__(StreamCreate)
__GPUOPT_HIP_API__(StreamCreateWithFlags)
__GPUOPT_HIP_API__(StreamCreateWithPriority)
__GPUOPT_HIP_API__(StreamDestroy)
__GPUOPT_HIP_API__(StreamQuery)
__GPUOPT_HIP_API__(StreamSynchronize)
__GPUOPT_HIP_API__(StreamWaitEvent)
__GPUOPT_HIP_API__(StreamAddCallback)
__GPUOPT_HIP_API__(FuncSetCacheConfig)
__GPUOPT_HIP_API__(FuncSetAttribute)
__GPUOPT_HIP_API__(FuncGetAttributes)
__GPUOPT_HIP_API__(OccupancyMaxActiveBlocksPerMultiprocessor)
__GPUOPT_HIP_API__(OccupancyMaxPotentialBlockSize)
__GPUOPT_HIP_API__(LaunchKernel)
__GPUOPT_HIP_API__(LaunchCooperativeKernel)
__GPUOPT_HIP_API__(BindTexture)
__GPUOPT_HIP_API__(BindTexture2D)
__GPUOPT_HIP_API__(BindTextureToArray)
__GPUOPT_HIP_API__(UnbindTexture)
__GPUOPT_HIP_API__(CreateTextureObject)
__GPUOPT_HIP_API__(DestroyTextureObject)
__GPUOPT_HIP_API__(CreateSurfaceObject)
__GPUOPT_HIP_API__(DestroySurfaceObject)
__GPUOPT_HIP_API__(RuntimeGetVersion)
__GPUOPT_HIP_API__(DriverGetVersion)
__GPUOPT_HIP_API__(ProfilerStart)
__GPUOPT_HIP_API__(ProfilerStop)
__GPUOPT_HIP_API__(PointerGetAttributes)
#undef __GPUOPT_HOST_API__
#undef __GPUOPT_HIP_API__
#undef __GPUOPT_BOTH_APIS__

const char *hipGetErrorString(hipError_t error);
const char *hipGetErrorName(hipError_t error);
