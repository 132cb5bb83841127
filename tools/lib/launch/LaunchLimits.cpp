//===- LaunchLimits.cpp - launches that a GPU takes -----------------------===//

#include "tools/lib/launch/LaunchLimits.h"

#include "dialects/GPUOpt/LargestBlock.h"
#include "passes/Analysis/Occupancy.h"

#include "llvm/Support/MathExtras.h"

using namespace gpuopt;
using llvm::Error;

/// Whether the number of blocks, and a block's extent along z, are what a GPU
/// of NVIDIA's takes.
static Error checkShapes(const LaunchConfig &config) {
  constexpr int64_t mostThreadsAlongZ = 64;
  if (config.block[2] > mostThreadsAlongZ)
    return llvm::createStringError(
        "a block of " + llvm::Twine(config.block[2]) +
        " threads along z is too large: no GPU of NVIDIA's takes more than " +
        llvm::Twine(mostThreadsAlongZ));
  for (unsigned dim : {1, 2})
    if (config.grid[dim] > kMostBlocksAlongYOrZ)
      return llvm::createStringError(
          "a grid of " + llvm::Twine(config.grid[dim]) + " blocks along " +
          llvm::Twine("xyz"[dim]) +
          " is too large: no GPU of NVIDIA's takes more than " +
          llvm::Twine(kMostBlocksAlongYOrZ));
  return Error::success();
}

static Error checkBlock(const Dim3 &block, TargetAttr target) {
  int64_t most = std::max(kMostThreadsOfBlock, target.getThreadsPerWorkgroup());
  bool isTooLarge = false;
  for (int64_t threads = 1, dim = 0; dim < 3; ++dim)
    isTooLarge |=
        llvm::MulOverflow(threads, block[dim], threads) || threads > most;
  if (!isTooLarge)
    return Error::success();
  return llvm::createStringError(
      "a block of " + llvm::Twine(block[0]) + "x" + llvm::Twine(block[1]) +
      "x" + llvm::Twine(block[2]) + " threads is too large: no GPU takes " +
      "more than " + llvm::Twine(most));
}

Error gpuopt::checkDynamicMemory(int64_t bytes, TargetAttr target) {
  int64_t most = target.getWorkgroupMemoryPerWorkgroupBytes();
  if (bytes <= most)
    return Error::success();
  return llvm::createStringError(
      "--shared-bytes asks for " + llvm::Twine(bytes) + " bytes; a block of " +
      target.getTargetName() + " has at most " + llvm::Twine(most));
}

/// Of a kernel that is not raised it is not known what it declares.
static Error checkWorkgroupMemory(mlir::gpu::GPUFuncOp kernel,
                                  int64_t dynamicBytes, TargetAttr target) {
  if (Error error = checkDynamicMemory(dynamicBytes, target))
    return error;
  int64_t most = target.getWorkgroupMemoryPerWorkgroupBytes();
  int64_t declaredBytes = kernel ? declaredWorkgroupBytes(kernel) : 0;
  if (declaredBytes + dynamicBytes <= most)
    return Error::success();
  return llvm::createStringError(
      "a block needs " + llvm::Twine(declaredBytes + dynamicBytes) +
      " bytes of workgroup memory; one of " + target.getTargetName() +
      " has at most " + llvm::Twine(most));
}

Error gpuopt::checkLaunch(const Compilation &compilation,
                          const KernelInfo &kernel,
                          const LaunchConfig &config) {
  TargetAttr target = compilation.target();
  if (target.getVendor() == Vendor::NVIDIA)
    if (Error error = checkShapes(config))
      return error;
  if (Error error = checkBlock(config.block, target))
    return error;
  return checkWorkgroupMemory(compilation.raisedKernel(kernel),
                              config.dynamicSharedBytes, target);
}
