//===- RaiseIndices.cpp - integer arithmetic to index arithmetic ----------===//

#include "passes/Analysis/Speculation.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Raising/IndexArithmetic.h"
#include "passes/Raising/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISEINDICES
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;

namespace {

/// Rebuilds what is cast to `index`.
void raiseCasts(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> casts;
  kernel.walk([&](Operation *op) {
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
        op->getResult(0).getType().isIndex())
      casts.push_back(op);
  });
  gpuopt::IndexArithmetic arithmetic(kernel);
  for (Operation *op : casts) {
    if (!gpuopt::hasTime(kernel.getContext()))
      return;
    op->getResult(0).replaceAllUsesWith(
        arithmetic.extend(op->getOperand(0), isa<arith::IndexCastOp>(op)));
  }
}

/// Integer arithmetic that only needs values of the kernel's top level moves
/// there: it is then a symbol for affine maps.
void hoistToTopLevel(gpu::GPUFuncOp kernel) {
  Block *top = &kernel.getBody().front();
  // Where a value is computed does not change its range.
  gpuopt::LazyRanges ranges(kernel);
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getBlock() == top || !isa<arith::ArithDialect>(op->getDialect()) ||
        op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrIndex())
      return;
    auto isOnTop = [&](Value value) { return value.getParentBlock() == top; };
    if (llvm::all_of(op->getOperands(), isOnTop) && gpuopt::isTotal(op, ranges))
      op->moveBefore(top->findAncestorOpInBlock(*op));
  });
}

class RaiseIndicesPass
    : public gpuopt::impl::RaiseIndicesBase<RaiseIndicesPass> {
  void runOnOperation() override {
    raiseCasts(getOperation());
    hoistToTopLevel(getOperation());
  }
};

} // namespace
