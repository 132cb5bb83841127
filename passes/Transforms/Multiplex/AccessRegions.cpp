//===- AccessRegions.cpp - where a kernel uses workgroup memory -----------===//

#include "passes/Transforms/Multiplex/AccessRegions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

SmallVector<Operation *> AccessRegion::operations() const {
  SmallVector<Operation *> all;
  for (Operation *op = first; op != last; op = op->getNextNode())
    all.push_back(op);
  all.push_back(last);
  return all;
}

bool gpuopt::synchronises(Operation *op) {
  return op->walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {
class RegionFinder {
public:
  RegionFinder(WorkgroupLiveness &ofKernel,
               llvm::function_ref<bool(Operation *)> getsTogether)
      : liveness(ofKernel), isTogether(getsTogether) {}

  void find(Block &block);
  std::vector<AccessRegion> regions;

private:
  void add(ArrayRef<Operation *> accesses);
  bool hasRegionsOfItsOwn(Operation *op);

  WorkgroupLiveness &liveness;
  llvm::function_ref<bool(Operation *)> isTogether;
};
} // namespace

/// The first operation of `block` that accesses workgroup memory; null where
/// there is none.
static Operation *firstAccess(Block &block, const WorkgroupLiveness &liveness) {
  for (Operation &op : block)
    if (liveness.accesses(&op))
      return &op;
  return nullptr;
}

/// Whether the bodies of `op`, at the start of which memory is dead, can be
/// looked at on their own.
bool RegionFinder::hasRegionsOfItsOwn(Operation *op) {
  if (!isa<scf::IfOp, LoopLikeOpInterface>(op) || !synchronises(op))
    return false;
  return llvm::all_of(op->getRegions(), [&](Region &body) {
    if (body.empty())
      return true;
    Operation *first =
        body.hasOneBlock() ? firstAccess(body.front(), liveness) : nullptr;
    return body.hasOneBlock() && isTogether(&body.front().front()) &&
           (!first || liveness.isDeadBefore(first));
  });
}

/// Adds the region that has `accesses`, or those inside of it.
void RegionFinder::add(ArrayRef<Operation *> accesses) {
  Operation *only = accesses.front();
  if (accesses.size() == 1 && hasRegionsOfItsOwn(only)) {
    for (Region &body : only->getRegions())
      if (!body.empty())
        find(body.front());
    return;
  }
  regions.push_back({accesses.front(), accesses.back()});
}

void RegionFinder::find(Block &block) {
  SmallVector<Operation *> accesses;
  for (Operation &op : block) {
    if (!liveness.accesses(&op))
      continue;
    if (!accesses.empty() && liveness.isDeadBefore(&op)) {
      add(accesses);
      accesses.clear();
    }
    accesses.push_back(&op);
  }
  if (!accesses.empty())
    add(accesses);
}

std::vector<AccessRegion>
gpuopt::findAccessRegions(gpu::GPUFuncOp kernel, WorkgroupLiveness &liveness,
                          llvm::function_ref<bool(Operation *)> isTogether) {
  RegionFinder finder(liveness, isTogether);
  finder.find(kernel.getBody().front());
  return std::move(finder.regions);
}
