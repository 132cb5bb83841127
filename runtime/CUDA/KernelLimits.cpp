//===- KernelLimits.cpp - what a launch of a kernel may have --------------===//

#include "runtime/CUDA/KernelLimits.h"

using namespace gpuopt;
using namespace gpuopt::cuda;

int64_t cuda::mostSharedBytes(Program &program) {
  const DeviceDescription &device = program.device();
  const GPU *gpu = program.gpu();
  std::optional<int> most =
      gpu ? gpu->attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)
          : std::nullopt;
  return most.value_or(device.workgroupMemoryPerWorkgroupBytes);
}

int64_t cuda::mostDynamicBytes(const Kernel &kernel, const LaunchRules &rules) {
  return kernel.maxDynamicSharedBytes.value_or(
      std::max<int64_t>(kOrdinarySharedBytes - rules.workgroupBytes, 0));
}

int64_t cuda::residentBlocks(const DeviceDescription &device, int64_t threads,
                             int64_t bytes) {
  if (threads > device.threadsPerWorkgroup)
    return 0;
  int64_t most = std::min(device.workgroupsPerMultiprocessor,
                          device.threadsPerMultiprocessor / threads);
  return bytes ? std::min(most,
                          device.workgroupMemoryPerMultiprocessorBytes / bytes)
               : most;
}

const LaunchRules *cuda::rulesOf(const Kernel &kernel) {
  if (llvm::Error error = kernel.code->load()) {
    report(std::move(error), cudaErrorInvalidKernelImage);
    return nullptr;
  }
  return kernel.code->rules(kernel.symbol);
}
