//===- InferNoWrap.cpp - sums that guards keep from wrapping --------------===//

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Raising/IndexArithmetic.h"
#include "passes/Raising/Passes.h"

#include "mlir/IR/Matchers.h"

namespace gpuopt {
#define GEN_PASS_DEF_INFERNOWRAP
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

static bool isArithmetic(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op);
}

/// The operations whose results subscripts and bounds are made of.
static llvm::DenseSet<Operation *> findFeedersOfIndices(gpu::GPUFuncOp kernel) {
  llvm::DenseSet<Operation *> feeders;
  SmallVector<Value> reached;
  kernel.walk([&](Operation *op) {
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
      reached.push_back(op->getOperand(0));
  });
  while (!reached.empty()) {
    Operation *op = reached.pop_back_val().getDefiningOp();
    if (op && (isa<arith::ExtSIOp, arith::ExtUIOp>(op) || isArithmetic(op)) &&
        feeders.insert(op).second)
      llvm::append_range(reached, op->getOperands());
  }
  return feeders;
}

/// `a + ~b`, as LLVM writes `a - 1 - b`, becomes `a - (b + 1)`: as unsigned
/// numbers neither wraps where b < a.
static void subtractComplements(gpu::GPUFuncOp kernel) {
  kernel.walk([](arith::AddIOp add) {
    auto complement = add.getRhs().getDefiningOp<arith::XOrIOp>();
    APInt mask;
    if (!complement ||
        !matchPattern(complement.getRhs(), m_ConstantInt(&mask)) ||
        !mask.isAllOnes() || mask.getBitWidth() == 1 ||
        bitEnumContainsAny(add.getOverflowFlags(),
                           arith::IntegerOverflowFlags::nsw))
      return;
    OpBuilder builder(add);
    Location loc = add.getLoc();
    Value one = arith::ConstantIntOp::create(builder, loc, add.getType(), 1);
    Value next = arith::AddIOp::create(builder, loc, complement.getLhs(), one);
    Value difference = arith::SubIOp::create(builder, loc, add.getLhs(), next);
    add.replaceAllUsesWith(difference);
    add.erase();
  });
}

/// Adds `flag` to `op` if the guards around it keep its value, of operands read
/// as signed or unsigned numbers, within what its type holds.
static bool markIfExact(Operation *op, arith::IntegerOverflowFlags flag,
                        IntegerValues &values) {
  auto arithmetic = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  arith::IntegerOverflowFlags known = arithmetic.getOverflowAttr().getValue();
  unsigned bits = getBits(op->getResult(0).getType());
  if (bitEnumContainsAny(known, flag) || bits > 32)
    return false;
  bool isUnsigned = flag == arith::IntegerOverflowFlags::nuw;
  Polynomial left = values.getExact(op->getOperand(0), isUnsigned).value;
  Polynomial right = values.getExact(op->getOperand(1), isUnsigned).value;
  Polynomial value = isa<arith::AddIOp>(op)   ? left + right
                     : isa<arith::SubIOp>(op) ? left - right
                                              : left * right;
  if (value.isUnknown())
    return false;
  Interval whole =
      isUnsigned ? Interval::ofUnsigned(bits) : Interval::ofSigned(bits);
  if (!provesNonNegative(op, value - whole.low, values) ||
      !provesNonNegative(op, Polynomial(whole.high) - value, values))
    return false;
  op->setAttr(
      arithmetic.getIntegerOverflowAttrName(),
      arith::IntegerOverflowFlagsAttr::get(op->getContext(), known | flag));
  return true;
}

namespace {
class InferNoWrapPass : public gpuopt::impl::InferNoWrapBase<InferNoWrapPass> {
  void runOnOperation() override {
    gpu::GPUFuncOp kernel = getOperation();
    subtractComplements(kernel);
    sinkArithmetic(kernel);
    llvm::DenseSet<Operation *> feeders = findFeedersOfIndices(kernel);
    SmallVector<Operation *> sums;
    kernel.walk([&](Operation *op) {
      // On top there are no guards.
      if (isArithmetic(op) && op->getParentOp() != kernel && feeders.contains(op))
        sums.push_back(op);
    });
    std::optional<IntegerValues> values(kernel);
    for (Operation *op : sums)
      for (auto flag :
           {arith::IntegerOverflowFlags::nsw, arith::IntegerOverflowFlags::nuw})
        if (markIfExact(op, flag, *values)) {
          ++numMarked;
          // What it had said of sums of this one no longer holds.
          values.emplace(kernel);
        }
  }
};
} // namespace
