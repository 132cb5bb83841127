//===- BlockItems.cpp - blocks that stand for work items ------------------===//

#include "passes/Analysis/BlockItems.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

std::array<bool, 3> gpuopt::findBlockItems(gpu::GPUFuncOp kernel) {
  std::array<bool, 3> hasBlock = {}, hasThread = {};
  if (std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize())
    for (auto [dim, size] : llvm::enumerate(*known))
      hasThread[dim] = size != 1;
  kernel.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](gpu::BlockIdOp id) {
          hasBlock[static_cast<unsigned>(id.getDimension())] = true;
        })
        .Case<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::GlobalIdOp>([&](auto id) {
          hasThread[static_cast<unsigned>(id.getDimension())] = true;
        });
  });
  std::array<bool, 3> items;
  for (unsigned dim = 0; dim < 3; ++dim)
    items[dim] = hasBlock[dim] && !hasThread[dim];
  return items;
}
