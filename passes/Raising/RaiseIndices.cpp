//===- RaiseIndices.cpp - integer arithmetic to index arithmetic ----------===//

#include "passes/Raising/IndexArithmetic.h"
#include "passes/Raising/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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
  for (Operation *op : casts)
    op->getResult(0).replaceAllUsesWith(
        arithmetic.extend(op->getOperand(0), isa<arith::IndexCastOp>(op)));
}

/// Whether `op` is a remainder that may not be defined: upstream takes it for
/// pure whatever the divisor.
static bool mayDivideByZero(Operation *op) {
  llvm::APInt divisor;
  return isa<arith::RemSIOp, arith::RemUIOp>(op) &&
         (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
          divisor.isZero());
}

/// Integer arithmetic that only needs values of the kernel's top level moves
/// there: it is then a symbol for affine maps.
void hoistToTopLevel(gpu::GPUFuncOp kernel) {
  Block *top = &kernel.getBody().front();
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getBlock() == top || !isa<arith::ArithDialect>(op->getDialect()) ||
        op->getNumResults() != 1 ||
        !op->getResult(0).getType().isIntOrIndex() || !isPure(op) ||
        mayDivideByZero(op))
      return;
    auto isOnTop = [&](Value value) { return value.getParentBlock() == top; };
    if (llvm::all_of(op->getOperands(), isOnTop))
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
