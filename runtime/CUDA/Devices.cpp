//===- Devices.cpp - the one device that there is -------------------------===//

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/Program.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <cstring>

using namespace gpuopt;
using namespace gpuopt::cuda;

/// The version of the API that the prelude declares.
static constexpr int kVersion = 12040;

/// Succeeds where `device` is the one that there is.
static cudaError_t find(int device) {
  return call([&](Program &) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

/// Gives a number where there is a place for it.
template <class T>
static cudaError_t give(T *place, T value) {
  return call([&](Program &) {
    if (!place)
      return cudaErrorInvalidValue;
    *place = value;
    return cudaSuccess;
  });
}

/// Does nothing, with success: the device has no such choice, as the API
/// allows.
static cudaError_t nothing() {
  return call([](Program &) { return cudaSuccess; });
}

cudaError_t cudaGetDeviceCount(int *count) { return give(count, 1); }
cudaError_t cudaGetDevice(int *device) { return give(device, 0); }
cudaError_t cudaSetDevice(int device) { return find(device); }

/// What the program has asked for by cudaSetDeviceFlags.
static unsigned deviceFlags = cudaDeviceScheduleAuto;

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call([&](Program &) {
    constexpr unsigned all = 0x3f;
    if (flags & ~all)
      return cudaErrorInvalidValue;
    deviceFlags = flags;
    return cudaSuccess;
  });
}
// As the API has it, memory of the host's can always be mapped.
cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  return give(flags, deviceFlags | unsigned(cudaDeviceMapHost));
}
cudaError_t cudaInitDevice(int device, unsigned flags, unsigned isWithFlags) {
  cudaError_t error = find(device);
  return error == cudaSuccess && isWithFlags ? cudaSetDeviceFlags(flags)
                                             : error;
}
cudaError_t cudaSetValidDevices(int *devices, int count) {
  return devices && count == 1 ? find(devices[0])
                               : remember(cudaErrorInvalidValue);
}
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) {
  return give(device, 0);
}

static void setName(cudaDeviceProp &properties, llvm::StringRef name) {
  std::fill(std::begin(properties.name), std::end(properties.name), '\0');
  llvm::copy(name.take_front(sizeof properties.name - 1), properties.name);
}

static cudaDeviceProp propertiesOf(const DeviceDescription &device,
                                   uint64_t bytes) {
  cudaDeviceProp properties = {};
  setName(properties, "gpuopt CPU executor (" + device.name + ")");
  properties.totalGlobalMem = bytes;
  properties.sharedMemPerBlock = 48 << 10;
  properties.sharedMemPerBlockOptin = device.workgroupMemoryPerWorkgroupBytes;
  properties.sharedMemPerMultiprocessor =
      device.workgroupMemoryPerMultiprocessorBytes;
  properties.regsPerBlock = properties.regsPerMultiprocessor =
      int(device.registersPerMultiprocessor);
  properties.warpSize = int(device.subgroupSize);
  properties.memPitch = INT32_MAX;
  properties.maxThreadsPerBlock = int(device.threadsPerWorkgroup);
  properties.maxThreadsPerMultiProcessor = int(device.threadsPerMultiprocessor);
  properties.maxBlocksPerMultiProcessor =
      int(device.workgroupsPerMultiprocessor);
  llvm::copy(std::array{int(device.threadsPerWorkgroup),
                        int(device.threadsPerWorkgroup), 64},
             properties.maxThreadsDim);
  llvm::copy(std::array{INT32_MAX, int(kMostBlocksAlongYOrZ),
                        int(kMostBlocksAlongYOrZ)},
             properties.maxGridSize);
  properties.totalConstMem = 64 << 10;
  std::tie(properties.major, properties.minor) = device.capability();
  properties.textureAlignment = 512;
  properties.multiProcessorCount = int(device.multiprocessors);
  properties.clockRate = properties.memoryClockRate = 1000000;
  properties.memoryBusWidth = 256;
  properties.l2CacheSize = int(device.l2Bytes);
  properties.canMapHostMemory = properties.unifiedAddressing = 1;
  properties.managedMemory = properties.concurrentManagedAccess = 1;
  properties.cooperativeLaunch = 1;
  // As every device described can, and some programs want.
  properties.deviceOverlap = properties.asyncEngineCount =
      properties.concurrentKernels = 1;
  return properties;
}

/// Replaces what the driver knows better.
static void setFromDriver(const GPU &gpu, cudaDeviceProp &properties) {
  setName(properties, gpu.name());
  auto set = [&](auto &property, cudaDeviceAttr attribute) {
    if (std::optional<int> value = gpu.attribute(attribute))
      property = *value;
  };
  set(properties.sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
  set(properties.sharedMemPerBlockOptin,
      cudaDevAttrMaxSharedMemoryPerBlockOptin);
  set(properties.sharedMemPerMultiprocessor,
      cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  set(properties.regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
  set(properties.regsPerMultiprocessor,
      cudaDevAttrMaxRegistersPerMultiprocessor);
  set(properties.maxThreadsPerMultiProcessor,
      cudaDevAttrMaxThreadsPerMultiProcessor);
  set(properties.maxBlocksPerMultiProcessor,
      cudaDevAttrMaxBlocksPerMultiprocessor);
  set(properties.totalConstMem, cudaDevAttrTotalConstantMemory);
  set(properties.pciBusID, cudaDevAttrPciBusId);
  set(properties.pciDeviceID, cudaDevAttrPciDeviceId);
  set(properties.pciDomainID, cudaDevAttrPciDomainId);
  set(properties.major, cudaDevAttrComputeCapabilityMajor);
  set(properties.minor, cudaDevAttrComputeCapabilityMinor);
  set(properties.multiProcessorCount, cudaDevAttrMultiProcessorCount);
  set(properties.clockRate, cudaDevAttrClockRate);
  set(properties.memoryClockRate, cudaDevAttrMemoryClockRate);
  set(properties.memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
  set(properties.l2CacheSize, cudaDevAttrL2CacheSize);
  set(properties.managedMemory, cudaDevAttrManagedMemory);
  set(properties.concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess);
  set(properties.cooperativeLaunch, cudaDevAttrCooperativeLaunch);
  set(properties.asyncEngineCount, cudaDevAttrAsyncEngineCount);
  set(properties.deviceOverlap, cudaDevAttrGpuOverlap);
  set(properties.concurrentKernels, cudaDevAttrConcurrentKernels);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  return call([&](Program &program) {
    if (!properties)
      return cudaErrorInvalidValue;
    if (device != 0)
      return cudaErrorInvalidDevice;
    const DeviceDescription &description = program.device();
    *properties = propertiesOf(description, program.memory.allBytes());
    if (const GPU *gpu = program.gpu())
      setFromDriver(*gpu, *properties);
    return cudaSuccess;
  });
}

/// Whether an attribute is one of those that the device has, once.
static bool isWith(cudaDeviceAttr attribute) {
  return llvm::is_contained(
      {cudaDevAttrAsyncEngineCount, cudaDevAttrConcurrentKernels,
       cudaDevAttrGpuOverlap, cudaDevAttrCanMapHostMemory,
       cudaDevAttrUnifiedAddressing, cudaDevAttrManagedMemory,
       cudaDevAttrHostNativeAtomicSupported, cudaDevAttrConcurrentManagedAccess,
       cudaDevAttrCooperativeLaunch, cudaDevAttrMemoryPoolsSupported},
      attribute);
}

/// Whether an attribute is one of those that the device does not have.
static bool isWithout(cudaDeviceAttr attribute) {
  return llvm::is_contained({cudaDevAttrKernelExecTimeout,
                             cudaDevAttrIntegrated, cudaDevAttrEccEnabled,
                             cudaDevAttrStreamPrioritiesSupported,
                             cudaDevAttrComputePreemptionSupported},
                            attribute);
}

/// Where the device is on the bus, and how memory has to lie; nothing for other
/// attributes.
static std::optional<int> placeOf(const cudaDeviceProp &properties,
                                  cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrPciBusId:
    return properties.pciBusID;
  case cudaDevAttrPciDeviceId:
    return properties.pciDeviceID;
  case cudaDevAttrPciDomainId:
    return properties.pciDomainID;
  case cudaDevAttrMaxPitch:
    return int(properties.memPitch);
  case cudaDevAttrTextureAlignment:
    return int(properties.textureAlignment);
  default:
    return std::nullopt;
  }
}

/// The attributes of the device; nothing for others.
static std::optional<int> attributeOf(const cudaDeviceProp &properties,
                                      cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    return properties.maxThreadsPerBlock;
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
  case cudaDevAttrMaxBlockDimZ:
    return properties.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX];
  case cudaDevAttrMaxGridDimX:
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return properties.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return int(properties.sharedMemPerBlock);
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return int(properties.sharedMemPerBlockOptin);
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return int(properties.sharedMemPerMultiprocessor);
  case cudaDevAttrTotalConstantMemory:
    return int(properties.totalConstMem);
  case cudaDevAttrWarpSize:
    return properties.warpSize;
  case cudaDevAttrMaxRegistersPerBlock:
    return properties.regsPerBlock;
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return properties.regsPerMultiprocessor;
  case cudaDevAttrClockRate:
    return properties.clockRate;
  case cudaDevAttrMemoryClockRate:
    return properties.memoryClockRate;
  case cudaDevAttrGlobalMemoryBusWidth:
    return properties.memoryBusWidth;
  case cudaDevAttrMultiProcessorCount:
    return properties.multiProcessorCount;
  case cudaDevAttrL2CacheSize:
    return properties.l2CacheSize;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return properties.maxThreadsPerMultiProcessor;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return properties.maxBlocksPerMultiProcessor;
  case cudaDevAttrComputeCapabilityMajor:
    return properties.major;
  case cudaDevAttrComputeCapabilityMinor:
    return properties.minor;
  case cudaDevAttrComputeMode:
    return properties.computeMode;
  default:
    return isWith(attribute)      ? std::optional<int>(1)
           : isWithout(attribute) ? std::optional<int>(0)
                                  : placeOf(properties, attribute);
  }
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                   int device) {
  cudaDeviceProp properties;
  if (cudaError_t error = cudaGetDeviceProperties(&properties, device))
    return error;
  const GPU *gpu = Program::get().gpu();
  std::optional<int> found =
      gpu ? gpu->attribute(attribute) : attributeOf(properties, attribute);
  if (!value || !found)
    return remember(cudaErrorInvalidValue);
  *value = *found;
  return cudaSuccess;
}

/// Where the device is on the bus, as cudaDeviceProp has it.
static std::string busPosition(const cudaDeviceProp &properties) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0",
                properties.pciDomainID, properties.pciBusID,
                properties.pciDeviceID);
  return text.data();
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
  cudaDeviceProp properties;
  if (cudaError_t error = cudaGetDeviceProperties(&properties, device))
    return error;
  std::string position = busPosition(properties);
  if (!text || size <= int(position.size()))
    return remember(cudaErrorInvalidValue);
  std::strcpy(text, position.c_str());
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  cudaDeviceProp properties;
  if (cudaError_t error = cudaGetDeviceProperties(&properties, 0))
    return error;
  if (!device || !text)
    return remember(cudaErrorInvalidValue);
  // The domain and the function may be left out.
  llvm::StringRef position(text);
  std::string whole = busPosition(properties);
  bool isIt = llvm::StringRef(whole).contains_insensitive(position) &&
              position.contains(':');
  if (isIt)
    *device = 0;
  return isIt ? cudaSuccess : remember(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize(void) {
  if (cudaError_t error = checkNothingCaptured())
    return remember(error);
  return askGPU([](GPU &gpu) { return gpu.wait(); });
}
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaDeviceReset(void) {
  if (cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess)
    return error;
  return call([](Program &program) {
    program.reset();
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return nothing(); }
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return nothing(); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  return give(config, cudaFuncCachePreferNone);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return nothing();
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  return give(config, cudaSharedMemBankSizeFourByte);
}
/// What programs have asked for on the CPU, where nothing is limited so.
static std::map<cudaLimit, size_t> &limits() {
  static auto &all = *new std::map<cudaLimit, size_t>();
  return all;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return callOnDevice([](Program &) { return cudaSuccess; },
                      [&](GPU &gpu) { return gpu.setLimit(limit, value); },
                      [&](Program &) {
                        limits()[limit] = value;
                        return cudaSuccess;
                      });
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  return callOnDevice(
      [&](Program &) { return value ? cudaSuccess : cudaErrorInvalidValue; },
      [&](GPU &gpu) { return gpu.limit(limit, value); },
      [&](Program &) {
        auto asked = limits().find(limit);
        *value = asked == limits().end() ? size_t(8) << 20 : asked->second;
        return cudaSuccess;
      });
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) { return give(can, 0); }
cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int) {
  return remember(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return call([](Program &) { return cudaErrorPeerAccessUnsupported; });
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return call([](Program &) { return cudaErrorPeerAccessNotEnabled; });
}

cudaError_t cudaDriverGetVersion(int *version) {
  return give(version, kVersion);
}
cudaError_t cudaRuntimeGetVersion(int *version) {
  return give(version, kVersion);
}
cudaError_t cudaProfilerStart(void) { return nothing(); }
cudaError_t cudaProfilerStop(void) { return nothing(); }
