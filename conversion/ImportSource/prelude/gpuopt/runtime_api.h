// Functions of the runtime API. Host bodies are mostly skipped, so the few that
// are parsed (to find instantiations of kernels) are all that need these; an
// unknown function there is no error.

#pragma once

// What Clang asks for behind `<<<…>>>`.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0, void *stream = nullptr);
extern "C" unsigned __hipPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0, void *stream = nullptr);
extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t bytes = 0, cudaStream_t stream = nullptr);
extern "C" hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t bytes = 0, hipStream_t stream = nullptr);

#define __GPUOPT_HOST_API__(NAME) template <class... Ts> cudaError_t NAME(Ts &&...)
#define __GPUOPT_BOTH_APIS__(NAME)                                             \
  __GPUOPT_HOST_API__(cuda##NAME);                                             \
  __GPUOPT_HOST_API__(hip##NAME);
__GPUOPT_BOTH_APIS__(Malloc)
__GPUOPT_BOTH_APIS__(MallocHost)
__GPUOPT_BOTH_APIS__(MallocManaged)
__GPUOPT_BOTH_APIS__(MallocPitch)
__GPUOPT_BOTH_APIS__(MallocArray)
__GPUOPT_BOTH_APIS__(Malloc3D)
__GPUOPT_BOTH_APIS__(Malloc3DArray)
__GPUOPT_BOTH_APIS__(MallocAsync)
__GPUOPT_BOTH_APIS__(HostAlloc)
__GPUOPT_BOTH_APIS__(HostRegister)
__GPUOPT_BOTH_APIS__(HostUnregister)
__GPUOPT_BOTH_APIS__(HostMalloc)
__GPUOPT_BOTH_APIS__(HostFree)
__GPUOPT_BOTH_APIS__(HostGetDevicePointer)
__GPUOPT_BOTH_APIS__(Free)
__GPUOPT_BOTH_APIS__(FreeHost)
__GPUOPT_BOTH_APIS__(FreeArray)
__GPUOPT_BOTH_APIS__(FreeAsync)
__GPUOPT_BOTH_APIS__(Memcpy)
__GPUOPT_BOTH_APIS__(MemcpyAsync)
__GPUOPT_BOTH_APIS__(Memcpy2D)
__GPUOPT_BOTH_APIS__(Memcpy2DAsync)
__GPUOPT_BOTH_APIS__(Memcpy3D)
__GPUOPT_BOTH_APIS__(MemcpyToArray)
__GPUOPT_BOTH_APIS__(Memcpy2DToArray)
__GPUOPT_BOTH_APIS__(MemcpyFromArray)
__GPUOPT_BOTH_APIS__(MemcpyToSymbol)
__GPUOPT_BOTH_APIS__(MemcpyToSymbolAsync)
__GPUOPT_BOTH_APIS__(MemcpyFromSymbol)
__GPUOPT_BOTH_APIS__(MemcpyPeer)
__GPUOPT_BOTH_APIS__(Memset)
__GPUOPT_BOTH_APIS__(MemsetAsync)
__GPUOPT_BOTH_APIS__(Memset2D)
__GPUOPT_BOTH_APIS__(MemGetInfo)
__GPUOPT_BOTH_APIS__(MemPrefetchAsync)
__GPUOPT_BOTH_APIS__(MemAdvise)
__GPUOPT_BOTH_APIS__(GetSymbolAddress)
__GPUOPT_BOTH_APIS__(GetSymbolSize)
__GPUOPT_BOTH_APIS__(GetLastError)
__GPUOPT_BOTH_APIS__(PeekAtLastError)
__GPUOPT_BOTH_APIS__(DeviceSynchronize)
__GPUOPT_BOTH_APIS__(DeviceReset)
__GPUOPT_BOTH_APIS__(DeviceGetAttribute)
__GPUOPT_BOTH_APIS__(DeviceSetCacheConfig)
__GPUOPT_BOTH_APIS__(DeviceSetSharedMemConfig)
__GPUOPT_BOTH_APIS__(DeviceSetLimit)
__GPUOPT_BOTH_APIS__(DeviceCanAccessPeer)
__GPUOPT_BOTH_APIS__(DeviceEnablePeerAccess)
__GPUOPT_BOTH_APIS__(ThreadSynchronize)
__GPUOPT_BOTH_APIS__(ThreadExit)
__GPUOPT_BOTH_APIS__(ThreadSetCacheConfig)
__GPUOPT_BOTH_APIS__(GetDevice)
__GPUOPT_BOTH_APIS__(SetDevice)
__GPUOPT_BOTH_APIS__(SetDeviceFlags)
__GPUOPT_BOTH_APIS__(GetDeviceCount)
__GPUOPT_BOTH_APIS__(GetDeviceProperties)
__GPUOPT_BOTH_APIS__(ChooseDevice)
__GPUOPT_BOTH_APIS__(EventCreate)
__GPUOPT_BOTH_APIS__(EventCreateWithFlags)
__GPUOPT_BOTH_APIS__(EventDestroy)
__GPUOPT_BOTH_APIS__(EventRecord)
__GPUOPT_BOTH_APIS__(EventQuery)
__GPUOPT_BOTH_APIS__(EventSynchronize)
__GPUOPT_BOTH_APIS__(EventElapsedTime)
__GPUOPT_BOTH_APIS__(StreamCreate)
__GPUOPT_BOTH_APIS__(StreamCreateWithFlags)
__GPUOPT_BOTH_APIS__(StreamCreateWithPriority)
__GPUOPT_BOTH_APIS__(StreamDestroy)
__GPUOPT_BOTH_APIS__(StreamQuery)
__GPUOPT_BOTH_APIS__(StreamSynchronize)
__GPUOPT_BOTH_APIS__(StreamWaitEvent)
__GPUOPT_BOTH_APIS__(StreamAddCallback)
__GPUOPT_BOTH_APIS__(FuncSetCacheConfig)
__GPUOPT_BOTH_APIS__(FuncSetAttribute)
__GPUOPT_BOTH_APIS__(FuncGetAttributes)
__GPUOPT_BOTH_APIS__(OccupancyMaxActiveBlocksPerMultiprocessor)
__GPUOPT_BOTH_APIS__(OccupancyMaxPotentialBlockSize)
__GPUOPT_BOTH_APIS__(LaunchKernel)
__GPUOPT_BOTH_APIS__(LaunchCooperativeKernel)
__GPUOPT_BOTH_APIS__(BindTexture)
__GPUOPT_BOTH_APIS__(BindTexture2D)
__GPUOPT_BOTH_APIS__(BindTextureToArray)
__GPUOPT_BOTH_APIS__(UnbindTexture)
__GPUOPT_BOTH_APIS__(CreateTextureObject)
__GPUOPT_BOTH_APIS__(DestroyTextureObject)
__GPUOPT_BOTH_APIS__(CreateSurfaceObject)
__GPUOPT_BOTH_APIS__(DestroySurfaceObject)
__GPUOPT_BOTH_APIS__(RuntimeGetVersion)
__GPUOPT_BOTH_APIS__(DriverGetVersion)
__GPUOPT_BOTH_APIS__(ProfilerStart)
__GPUOPT_BOTH_APIS__(ProfilerStop)
__GPUOPT_BOTH_APIS__(PointerGetAttributes)
#undef __GPUOPT_HOST_API__
#undef __GPUOPT_BOTH_APIS__

const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
const char *hipGetErrorString(hipError_t error);
const char *hipGetErrorName(hipError_t error);
cudaExtent make_cudaExtent(size_t w, size_t h, size_t d);
cudaPos make_cudaPos(size_t x, size_t y, size_t z);
cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz);
