//===- ExpandIndexCasts.cpp - casts of indices that drop bits -------------===//

#include "passes/Raising/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gpuopt {
#define GEN_PASS_DEF_EXPANDINDEXCASTS
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;

/// `type` with elements of `element`, if it has any.
static Type withElement(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(element) : element;
}

namespace {
struct ExpandIndexCastsPass
    : gpuopt::impl::ExpandIndexCastsBase<ExpandIndexCastsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
        return;
      Type type = op->getResult(0).getType();
      auto number = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
      if (!number || number.getWidth() >= 64)
        return;
      OpBuilder builder(op);
      Value wide = arith::IndexCastOp::create(
          builder, op->getLoc(), withElement(type, builder.getI64Type()),
          op->getOperand(0));
      Value narrow = arith::TruncIOp::create(builder, op->getLoc(), type, wide);
      op->getResult(0).replaceAllUsesWith(narrow);
      op->erase();
      ++numExpandedCasts;
    });
  }
};
} // namespace
