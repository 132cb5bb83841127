//===- IndexArithmetic.cpp - integers of the source as indices ------------===//

#include "passes/Raising/IndexArithmetic.h"

#include "passes/Analysis/DominatingFacts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

//===--- Ranges -----------------------------------------------------------===//

/// Whether `polynomial`, where `op` runs, is a number of as many bits as the
/// result of `op` has.
bool IndexArithmetic::fits(Operation *op, const Polynomial &polynomial,
                           bool isSigned) {
  unsigned bits = getBits(op->getResult(0).getType());
  Interval all =
      isSigned ? Interval::ofSigned(bits) : Interval::ofUnsigned(bits);
  Interval range = values.getRange(polynomial);
  if (!range.isFinite() || bits >= 63)
    return false;
  return (range.low >= all.low ||
          provesNonNegative(op, polynomial - all.low, values)) &&
         (range.high <= all.high ||
          provesNonNegative(op, Polynomial(all.high) - polynomial, values));
}

/// Whether `operand`, read as signed or not, is not negative where `op` runs. A
/// number without sign beyond the range of an index is.
bool IndexArithmetic::isNonNegative(Operation *op, Value operand,
                                    bool isSigned) {
  if (!isSigned && getBits(operand.getType()) < 64)
    return true;
  return provesNonNegative(op, values.getExact(operand, false).value, values);
}

//===--- Extension --------------------------------------------------------===//

Value IndexArithmetic::extend(Value value, bool isSigned) {
  // At 64 bits there is nothing to extend.
  isSigned |= value.getType().isInteger(64);
  Value &result = built[{value, isSigned}];
  if (result)
    return result;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  Value made = build(value, isSigned);
  if (!made) {
    Type index = builder.getIndexType();
    builder.setInsertionPointAfterValue(value);
    made = isSigned ? Value(arith::IndexCastOp::create(builder, value.getLoc(),
                                                       index, value))
                    : Value(arith::IndexCastUIOp::create(
                          builder, value.getLoc(), index, value));
  }
  return built[{value, isSigned}] = made;
}

/// Null where the extension stays outside.
Value IndexArithmetic::build(Value value, bool isSigned) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return arith::ConstantIndexOp::create(
        builder, value.getLoc(),
        (isSigned ? constant.sextOrTrunc(64) : constant.zextOrTrunc(64))
            .getSExtValue());
  Operation *op = value.getDefiningOp();
  // Loops and conditionals have several results, of any type.
  if (!op || op->getNumResults() != 1)
    return nullptr;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Value lhs = extend(select.getTrueValue(), isSigned);
    Value rhs = extend(select.getFalseValue(), isSigned);
    builder.setInsertionPointAfterValue(value);
    return arith::SelectOp::create(builder, op->getLoc(), select.getCondition(),
                                   lhs, rhs);
  }
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op))
    return buildSum(op, isSigned);
  if (isa<arith::AndIOp, arith::XOrIOp>(op))
    return buildBits(op, isSigned);
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp,
          arith::ShRUIOp>(op))
    return buildQuotient(op, isSigned);
  return buildFromCast(op, isSigned);
}

Value IndexArithmetic::buildFromCast(Operation *op, bool isSigned) {
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    Polynomial number = values.getExact(cast.getIn(), false).value;
    return width >= 64 || fits(op, number, isSigned) ? cast.getIn() : Value();
  }
  if (auto extension = dyn_cast<arith::ExtSIOp>(op)) {
    if (isSigned || width >= 64)
      return extend(extension.getIn(), true);
    return nullptr;
  }
  if (auto extension = dyn_cast<arith::ExtUIOp>(op))
    return extend(extension.getIn(), false);
  if (auto truncation = dyn_cast<arith::TruncIOp>(op)) {
    auto flag = isSigned ? arith::IntegerOverflowFlags::nsw
                         : arith::IntegerOverflowFlags::nuw;
    if (truncation.getIn().getType().getIntOrFloatBitWidth() <= 64 &&
        bitEnumContainsAny(truncation.getOverflowFlags(), flag))
      return extend(truncation.getIn(), isSigned);
  }
  return nullptr;
}

/// Sums, differences and products.
Value IndexArithmetic::buildSum(Operation *op, bool isSigned) {
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op)
                   .getOverflowAttr()
                   .getValue();
  bool nsw = bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw);
  bool nuw = bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nuw);
  // Operands are read with the sign that the flag speaks of. Without flags the
  // range decides, and a negative constant subtracts.
  bool isLeftSigned = width >= 64 || isSigned || (!nuw && nsw);
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  APInt amount;
  bool isShift = isa<arith::ShLIOp>(op);
  bool isConstant = matchPattern(rhs, m_ConstantInt(&amount));
  if (isShift && (!isConstant || amount.uge(std::min(width, 63u)) ||
                  (width < 64 && amount.uge(width - 1))))
    return nullptr;
  bool isRightSigned = isLeftSigned || (!nuw && isConstant);
  Polynomial left = values.getExact(lhs, !isLeftSigned).value;
  Polynomial right = isShift ? Polynomial(int64_t(1) << amount.getZExtValue())
                             : values.getExact(rhs, !isRightSigned).value;
  Polynomial exactResult = isa<arith::AddIOp>(op)   ? left + right
                           : isa<arith::SubIOp>(op) ? left - right
                                                    : left * right;
  // Without a negative operand a sum that does not wrap as a signed number is
  // not negative, so both extensions agree.
  bool isExact = width >= 64 || (isSigned ? nsw : nuw) ||
                 fits(op, exactResult, isSigned) ||
                 (nsw && !isSigned && !isa<arith::SubIOp>(op) &&
                  isNonNegative(op, lhs, isLeftSigned) &&
                  (isShift || isNonNegative(op, rhs, isRightSigned)));
  if (!isExact)
    return nullptr;
  if (!isShift)
    rhs = extend(rhs, isRightSigned);
  lhs = extend(lhs, isLeftSigned);
  builder.setInsertionPointAfterValue(op->getResult(0));
  Location loc = op->getLoc();
  if (isShift)
    rhs = arith::ConstantIndexOp::create(builder, loc,
                                         int64_t(1) << amount.getZExtValue());
  // Of narrower numbers the ranges tell that nothing wraps. A tuned launch may
  // have threads with greater ids, for which something does.
  bool isUniform = values.isParameter(left) && values.isParameter(right);
  auto kept = width == 64 && nsw && isUniform
                  ? arith::IntegerOverflowFlags::nsw
                  : arith::IntegerOverflowFlags::none;
  if (isa<arith::AddIOp>(op))
    return arith::AddIOp::create(builder, loc, lhs, rhs, kept);
  if (isa<arith::SubIOp>(op))
    return arith::SubIOp::create(builder, loc, lhs, rhs, kept);
  return arith::MulIOp::create(builder, loc, lhs, rhs, kept);
}

/// `~x`, and the low bits of a number.
Value IndexArithmetic::buildBits(Operation *op, bool isSigned) {
  APInt mask;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&mask)))
    return nullptr;
  Location loc = op->getLoc();
  if (isa<arith::XOrIOp>(op)) {
    if (!mask.isAllOnes() || (!isSigned && mask.getBitWidth() < 64))
      return nullptr;
    Value value = extend(op->getOperand(0), true);
    builder.setInsertionPointAfterValue(op->getResult(0));
    Value ones = arith::ConstantIndexOp::create(builder, loc, -1);
    return arith::SubIOp::create(builder, loc, ones, value);
  }
  // A mask of k low bits is the remainder by 2^k, of the number itself or, as
  // 2^k divides 2^64, of any extension of it.
  if (!mask.isMask() || mask.getActiveBits() > 31 || mask.isAllOnes())
    return nullptr;
  Value value = extend(op->getOperand(0), true);
  builder.setInsertionPointAfterValue(op->getResult(0));
  Value divisor = arith::ConstantIndexOp::create(
      builder, loc, int64_t(1) << mask.getActiveBits());
  if (isNonNegative(op, op->getOperand(0), true))
    return arith::RemSIOp::create(builder, loc, value, divisor);
  return arith::RemUIOp::create(builder, loc, value, divisor);
}

/// Quotients and remainders by a positive constant.
Value IndexArithmetic::buildQuotient(Operation *op, bool isSigned) {
  APInt divisor;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
      divisor.getSignificantBits() > 63 || !divisor.isStrictlyPositive())
    return nullptr;
  unsigned width = divisor.getBitWidth();
  int64_t number = divisor.getSExtValue();
  if (isa<arith::ShRUIOp>(op)) {
    if (divisor.uge(std::min(width, 62u)))
      return nullptr;
    number = int64_t(1) << number;
  }
  bool unsignedOp = isa<arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp>(op);
  bool isRemainder = isa<arith::RemUIOp, arith::RemSIOp>(op);
  // An unsigned quotient by more than 1, or a remainder, is not negative in
  // either reading; a signed one must be read as signed.
  if (unsignedOp ? (!isRemainder && number == 1) : !isSigned)
    return nullptr;
  Value lhs = extend(op->getOperand(0), !unsignedOp);
  builder.setInsertionPointAfterValue(op->getResult(0));
  Location loc = op->getLoc();
  Value rhs = arith::ConstantIndexOp::create(builder, loc, number);
  if (unsignedOp && !isNonNegative(op, op->getOperand(0), !unsignedOp)) {
    // At 64 bits the dividend may be beyond the signed range.
    if (isRemainder)
      return arith::RemUIOp::create(builder, loc, lhs, rhs);
    return arith::DivUIOp::create(builder, loc, lhs, rhs);
  }
  if (isRemainder)
    return arith::RemSIOp::create(builder, loc, lhs, rhs);
  return arith::DivSIOp::create(builder, loc, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Sinking
//===----------------------------------------------------------------------===//

/// The innermost block that has all users of `op`, but in no loop that `op` is
/// not in; null where that is its own.
static Block *findUseBlock(Operation *op) {
  if (op->use_empty())
    return nullptr;
  Block *block = (*op->user_begin())->getBlock();
  for (Operation *user : op->getUsers())
    while (!block->findAncestorOpInBlock(*user))
      block = block->getParentOp()->getBlock();
  for (Block *outer = block; outer != op->getBlock();
       outer = outer->getParentOp()->getBlock())
    if (isa<LoopLikeOpInterface>(outer->getParentOp()))
      block = outer->getParentOp()->getBlock();
  return block == op->getBlock() ? nullptr : block;
}

void gpuopt::sinkArithmetic(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> operations;
  for (Operation &op : kernel.getBody().front().without_terminator())
    operations.push_back(&op);
  for (Operation *op : llvm::reverse(operations)) {
    if (!isa<arith::ArithDialect>(op->getDialect()) || !isPure(op) ||
        op->getNumResults() != 1 || getBits(op->getResult(0).getType()) < 32 ||
        op->hasTrait<OpTrait::ConstantLike>() ||
        llvm::any_of(op->getUsers(), [](Operation *user) {
          return isa<affine::AffineDialect>(user->getDialect());
        }))
      continue;
    Block *block = findUseBlock(op);
    if (!block)
      continue;
    Operation *earliest = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!earliest || ancestor->isBeforeInBlock(earliest))
        earliest = ancestor;
    }
    op->moveBefore(earliest);
  }
}
