//===- Poison.cpp - arithmetic that runs where it did not -----------------===//

#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

void gpuopt::dropPoisonFlags(Operation *op) {
  using namespace mlir::arith;
  llvm::TypeSwitch<Operation *>(op)
      .Case<DivSIOp, DivUIOp, ShRSIOp, ShRUIOp, LLVM::ExactFlagInterface>(
          [](auto division) { division.setIsExact(false); })
      .Case([&](ArithIntegerOverflowFlagsInterface arithmetic) {
        op->setAttr(arithmetic.getIntegerOverflowAttrName(),
                    IntegerOverflowFlagsAttr::get(op->getContext(),
                                                  IntegerOverflowFlags::none));
      })
      .Case([](LLVM::IntegerOverflowFlagsInterface arithmetic) {
        arithmetic.setOverflowFlags(LLVM::IntegerOverflowFlags::none);
      })
      .Case([](LLVM::DisjointFlagInterface either) {
        either.setIsDisjoint(false);
      })
      .Case([](LLVM::NonNegFlagInterface cast) { cast.setNonNeg(false); })
      .Case([](LLVM::GEPOp address) {
        address.setNoWrapFlags(LLVM::GEPNoWrapFlags::none);
      });
  if (auto math = dyn_cast<ArithFastMathInterface>(op);
      math && math.getFastMathFlagsAttr()) {
    FastMathFlags flags = math.getFastMathFlagsAttr().getValue();
    op->setAttr(math.getFastMathAttrName(),
                FastMathFlagsAttr::get(op->getContext(), flags & ~kPoisonMath));
  }
  if (auto math = dyn_cast<LLVM::FastmathFlagsInterface>(op))
    op->setAttr(math.getFastmathAttrName(),
                LLVM::FastmathFlagsAttr::get(op->getContext(),
                                             LLVM::FastmathFlags::none));
}

void gpuopt::dropPoisonFlagsBehind(ValueRange values) {
  llvm::for_each(arithmeticBehind(values), dropPoisonFlags);
}

Value gpuopt::createConjunction(OpBuilder &builder, Location loc, Value left,
                                Value right) {
  if (!mayBePoison(right))
    return arith::AndIOp::create(builder, loc, left, right);
  Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
  return arith::SelectOp::create(builder, loc, left, right, no);
}
