//===- KernelAttributes.cpp - what programs ask of kernels ----------------===//

#include "runtime/CUDA/KernelLimits.h"

using namespace gpuopt;
using namespace gpuopt::cuda;

/// The kernel as it is written: what a program asks for is about its own
/// launch.
static llvm::Expected<Handle> originalOf(GPU &gpu, Kernel &kernel,
                                         const LaunchRules &rules) {
  auto function = kernel.code->function(gpu, rules.fallback);
  if (function && kernel.maxDynamicSharedBytes)
    gpu.setMostDynamicBytes(*function, *kernel.maxDynamicSharedBytes);
  return function;
}

/// What only the driver knows of a kernel.
static void addFromDriver(GPU &gpu, Kernel &kernel, const LaunchRules &rules,
                          cudaFuncAttributes &attributes) {
  constexpr int mostThreads = 0, localBytes = 3, registers = 4;
  constexpr int binaryVersion = 6;
  auto function = originalOf(gpu, kernel, rules);
  if (!function) {
    report(function.takeError(), cudaErrorInvalidKernelImage);
    return;
  }
  auto set = [&](auto &member, int attribute) {
    if (auto value = gpu.functionAttribute(*function, attribute))
      member = *value;
  };
  set(attributes.maxThreadsPerBlock, mostThreads);
  set(attributes.localSizeBytes, localBytes);
  set(attributes.numRegs, registers);
  set(attributes.binaryVersion, binaryVersion);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                  const void *stub) {
  return call([&](Program &program) {
    const DeviceDescription &device = program.device();
    Kernel *kernel = program.findKernel(stub);
    if (!attributes || !kernel)
      return kernel ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction;
    const LaunchRules *rules = rulesOf(*kernel);
    if (!rules)
      return cudaErrorInvalidDeviceFunction;
    *attributes = {};
    attributes->maxThreadsPerBlock =
        int(std::min(device.threadsPerWorkgroup,
                     rules->mostThreads.value_or(device.threadsPerWorkgroup)));
    // Not known without an assembler.
    attributes->numRegs = 0;
    attributes->ptxVersion = attributes->binaryVersion =
        10 * device.capability().first + device.capability().second;
    attributes->sharedSizeBytes = rules->workgroupBytes;
    if (GPU *gpu = program.gpu())
      addFromDriver(*gpu, *kernel, *rules, *attributes);
    attributes->maxDynamicSharedSizeBytes =
        int(mostDynamicBytes(*kernel, *rules));
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void *stub, cudaFuncAttribute attribute,
                                 int value) {
  return call([&](Program &program) {
    Kernel *kernel = program.findKernel(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
      return cudaSuccess;
    const LaunchRules *rules = rulesOf(*kernel);
    int64_t taken = rules ? rules->workgroupBytes : 0;
    if (value < 0 || value > mostSharedBytes(program) - taken)
      return cudaErrorInvalidValue;
    kernel->maxDynamicSharedBytes = value;
    return cudaSuccess;
  });
}

/// Wishes about caches have no effect, as on chips without the choice.
static cudaError_t findOnly(const void *stub) {
  return call([&](Program &program) {
    return program.findKernel(stub) ? cudaSuccess
                                    : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void *stub, cudaFuncCache) {
  return findOnly(stub);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *stub, cudaSharedMemConfig) {
  return findOnly(stub);
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

/// Blocks of such threads that a multiprocessor runs at a time.
static cudaError_t findOccupancy(Program &program, int *blocks, Kernel &kernel,
                                 const LaunchRules &rules, int blockSize,
                                 size_t bytes) {
  if (GPU *gpu = program.gpu()) {
    auto function = originalOf(*gpu, kernel, rules);
    return function ? gpu->occupancy(blocks, *function, blockSize, bytes)
                    : report(function.takeError(), cudaErrorInvalidKernelImage);
  }
  bool isTooLarge = rules.mostThreads && blockSize > *rules.mostThreads;
  *blocks = isTooLarge ? 0
                       : int(residentBlocks(program.device(), blockSize,
                                            bytes + rules.workgroupBytes));
  return cudaSuccess;
}

/// Calls `use` with a kernel and its rules where `stub` is one.
template <class Use>
static cudaError_t withKernel(const void *stub, Use use) {
  return call([&](Program &program) {
    Kernel *kernel = program.findKernel(stub);
    const LaunchRules *rules = kernel ? rulesOf(*kernel) : nullptr;
    return rules ? use(program, *kernel, *rules)
                 : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *stub,
                                                          int blockSize,
                                                          size_t bytes) {
  return withKernel(stub, [&](Program &program, Kernel &kernel,
                              const LaunchRules &rules) {
    return blocks && blockSize > 0
               ? findOccupancy(program, blocks, kernel, rules, blockSize, bytes)
               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *stub, int blockSize, size_t bytes,
    unsigned flags) {
  if (flags > cudaOccupancyDisableCachingOverride)
    return remember(cudaErrorInvalidValue);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, blockSize,
                                                       bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                      const void *stub,
                                                      int blocks,
                                                      int blockSize) {
  return withKernel(stub, [&](Program &program, Kernel &kernel,
                              const LaunchRules &rules) {
    if (!bytes || blocks <= 0 || blockSize <= 0)
      return cudaErrorInvalidValue;
    int most = 0;
    cudaError_t error =
        findOccupancy(program, &most, kernel, rules, blockSize, /*bytes=*/0);
    if (error != cudaSuccess || blocks > most)
      return error == cudaSuccess ? cudaErrorInvalidValue : error;
    int64_t share =
        program.device().workgroupMemoryPerMultiprocessorBytes / blocks;
    int64_t all = std::min(share, mostSharedBytes(program));
    *bytes = size_t(std::max<int64_t>(all - rules.workgroupBytes, 0));
    return cudaSuccess;
  });
}
