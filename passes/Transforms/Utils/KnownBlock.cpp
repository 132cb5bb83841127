//===- KnownBlock.cpp - the threads of a block, where known ---------------===//

#include "passes/Transforms/Utils/KnownBlock.h"

#include "passes/Transforms/Utils/Kernels.h"

using namespace mlir;
using namespace gpuopt;

std::optional<BlockShape> gpuopt::knownBlockOf(gpu::GPUFuncOp kernel) {
  if (GeometryAttr geometry = geometryOf(kernel))
    return BlockShape{geometry.getBlock()[0], geometry.getBlock()[1],
                      geometry.getBlock()[2]};
  if (std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize())
    return BlockShape{(*known)[0], (*known)[1], (*known)[2]};
  return std::nullopt;
}
