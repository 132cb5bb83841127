//===- Poison.cpp - arithmetic that runs where it did not -----------------===//

#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

/// The promises of fast math that make poison; the others only allow rewrites.
constexpr arith::FastMathFlags kPoisonMath =
    arith::FastMathFlags::nnan | arith::FastMathFlags::ninf;

static arith::FastMathFlags fastMathOf(Operation *op) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr flags =
      math ? math.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  return flags ? flags.getValue() : arith::FastMathFlags::none;
}

static bool isExact(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto division) { return division.getIsExact(); })
      .Default(false);
}

static void dropExact(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto division) { division.setIsExact(false); });
}

void gpuopt::dropPoisonFlags(Operation *op) {
  MLIRContext *context = op->getContext();
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(flags.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    context, arith::IntegerOverflowFlags::none));
  if (bitEnumContainsAny(fastMathOf(op), kPoisonMath))
    op->setAttr(
        cast<arith::ArithFastMathInterface>(op).getFastMathAttrName(),
        arith::FastMathFlagsAttr::get(context, fastMathOf(op) & ~kPoisonMath));
  dropExact(op);
}

/// The pure operations without regions that `values` are computed from.
static llvm::SetVector<Operation *> arithmeticBehind(ValueRange values) {
  llvm::SetVector<Operation *> behind;
  auto add = [&](ValueRange operands) {
    for (Value operand : operands)
      if (Operation *op = operand.getDefiningOp();
          op && op->getNumRegions() == 0 && isMemoryEffectFree(op))
        behind.insert(op);
  };
  add(values);
  for (size_t i = 0; i < behind.size(); ++i)
    add(behind[i]->getOperands());
  return behind;
}

void gpuopt::dropPoisonFlagsBehind(ValueRange values) {
  llvm::for_each(arithmeticBehind(values), dropPoisonFlags);
}

/// Whether `op` may make poison whatever it promises: shifts by as many bits as
/// there are, floating-point numbers that no integer can hold.
static bool isPartial(Operation *op) {
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return true;
  if (!isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return false;
  Type type = getElementTypeOrSelf(op->getResult(0));
  llvm::APInt amount;
  return !type.isIntOrIndex() ||
         !matchPattern(op->getOperand(1), m_ConstantInt(&amount)) ||
         amount.uge(type.isIndex() ? IndexType::kInternalStorageBitWidth
                                   : type.getIntOrFloatBitWidth());
}

static bool hasFlags(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
      flags &&
      flags.getOverflowAttr().getValue() != arith::IntegerOverflowFlags::none)
    return true;
  return isExact(op) || bitEnumContainsAny(fastMathOf(op), kPoisonMath);
}

bool gpuopt::mayBePoison(ValueRange values) {
  return llvm::any_of(arithmeticBehind(values), [](Operation *op) {
    return isPartial(op) || hasFlags(op);
  });
}

bool gpuopt::mayBePoisonWithoutFlags(ValueRange values) {
  return llvm::any_of(arithmeticBehind(values), isPartial);
}

Value gpuopt::createConjunction(OpBuilder &builder, Location loc, Value left,
                                Value right) {
  if (!mayBePoison(right))
    return arith::AndIOp::create(builder, loc, left, right);
  Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
  return arith::SelectOp::create(builder, loc, left, right, no);
}
