//===- OriginalForm.cpp - a kernel as its source computes it --------------===//

#include "conversion/EmitSource/OriginalForm.h"

#include "dialects/GPUOpt/AttributeNames.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// Leaves what stands in the second branch of `versions`.
static void takeSecondVersion(scf::IfOp versions) {
  SmallVector<Value> results;
  if (Block *block = versions.elseBlock()) {
    llvm::append_range(results, block->getTerminator()->getOperands());
    versions->getBlock()->getOperations().splice(
        versions->getIterator(), block->getOperations(), block->begin(),
        std::prev(block->end()));
  }
  versions.replaceAllUsesWith(results);
  versions.erase();
}

OriginalForm::OriginalForm(gpu::GPUFuncOp original) {
  OpBuilder builder(original);
  copy = cast<gpu::GPUFuncOp>(builder.clone(*original));
  SmallVector<scf::IfOp> all;
  copy.walk([&](scf::IfOp branch) {
    if (branch->hasAttr(kIndexRangeVersionAttrName))
      all.push_back(branch);
  });
  if (all.empty())
    return;
  for (scf::IfOp versions : all)
    takeSecondVersion(versions);
  // The tests of the versions.
  copy.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}
