//===- IndexArithmetic.cpp - integers of the source as indices ------------===//

#include "passes/Raising/IndexArithmetic.h"

#include "passes/Analysis/IntegerValues.h"

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

bool IndexRange::fits(unsigned width, bool isSigned) const {
  if (width >= 64)
    return isSigned || low >= 0;
  if (isSigned)
    return low >= llvm::minIntN(width) && high <= llvm::maxIntN(width);
  return low >= 0 && high <= static_cast<int64_t>(llvm::maxUIntN(width));
}

/// Whole range where an end overflows.
static IndexRange makeRange(bool overflow, int64_t low, int64_t high) {
  return overflow ? IndexRange() : IndexRange{low, high};
}

static IndexRange computeSum(IndexRange a, IndexRange b) {
  int64_t low, high;
  bool overflow = llvm::AddOverflow(a.low, b.low, low);
  overflow |= llvm::AddOverflow(a.high, b.high, high) != 0;
  return makeRange(overflow, low, high);
}

static IndexRange computeDifference(IndexRange a, IndexRange b) {
  int64_t low, high;
  bool overflow = llvm::SubOverflow(a.low, b.high, low);
  overflow |= llvm::SubOverflow(a.high, b.low, high) != 0;
  return makeRange(overflow, low, high);
}

static IndexRange computeProduct(IndexRange a, IndexRange b) {
  int64_t ends[4];
  bool overflow = llvm::MulOverflow(a.low, b.low, ends[0]);
  overflow |= llvm::MulOverflow(a.low, b.high, ends[1]) != 0;
  overflow |= llvm::MulOverflow(a.high, b.low, ends[2]) != 0;
  overflow |= llvm::MulOverflow(a.high, b.high, ends[3]) != 0;
  return makeRange(overflow, *std::min_element(ends, ends + 4),
                   *std::max_element(ends, ends + 4));
}

/// Range of an iteration variable inside its loop.
static IndexRange computeVariableRange(scf::ForOp loop) {
  APInt step;
  if (loop.getUnsignedCmp() ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive())
    return {};
  IndexRange upper = computeIndexRange(loop.getUpperBound());
  return {computeIndexRange(loop.getLowerBound()).low,
          upper.high == INT64_MIN ? INT64_MIN : upper.high - 1};
}

/// Range of `start - t` where t runs from 0 up to, but not to, `start`, plus a
/// constant: what a loop that counts down becomes.
static std::optional<IndexRange> computeDownRange(Value start, Value t) {
  auto argument = dyn_cast<BlockArgument>(t);
  auto loop =
      argument
          ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp())
          : scf::ForOp();
  if (!loop || loop.getInductionVar() != t || loop.getUnsignedCmp() ||
      !matchPattern(loop.getLowerBound(), m_Zero()))
    return std::nullopt;
  // t < start + excess, so start - t > -excess.
  APInt excess(64, 0);
  Value upper = loop.getUpperBound();
  if (upper != start) {
    auto add = upper.getDefiningOp<arith::AddIOp>();
    if (!add || add.getLhs() != start ||
        !matchPattern(add.getRhs(), m_ConstantInt(&excess)) ||
        excess.getSignificantBits() > 32)
      return std::nullopt;
  }
  return IndexRange{1 - excess.getSExtValue(), computeIndexRange(start).high};
}

/// Range of a cast from an integer type by its width.
static IndexRange computeCastRange(Value from, bool isSigned) {
  unsigned width = from.getType().getIntOrFloatBitWidth();
  if (isSigned)
    return {llvm::minIntN(std::min(width, 64u)),
            llvm::maxIntN(std::min(width, 64u))};
  if (width >= 64)
    return {};
  return {0, static_cast<int64_t>(llvm::maxUIntN(width))};
}

IndexRange gpuopt::computeIndexRange(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return {constant.getSExtValue(), constant.getSExtValue()};
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && loop.getInductionVar() == argument)
      return computeVariableRange(loop);
    return {};
  }
  Operation *op = index.getDefiningOp();
  // No target has workgroups of 2^16 threads.
  if (isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
    return {0, UINT16_MAX - 1};
  if (isa<gpu::BlockDimOp, gpu::SubgroupSizeOp>(op))
    return {1, UINT16_MAX};
  if (isa<gpu::BlockIdOp, gpu::GlobalIdOp>(op))
    return {0, INT32_MAX - 1};
  if (isa<gpu::GridDimOp>(op))
    return {1, INT32_MAX};
  if (auto cast = dyn_cast<arith::IndexCastOp>(op))
    return computeCastRange(cast.getIn(), true);
  if (auto cast = dyn_cast<arith::IndexCastUIOp>(op))
    return computeCastRange(cast.getIn(), false);
  if (isa<arith::AddIOp>(op))
    return computeSum(computeIndexRange(op->getOperand(0)),
                      computeIndexRange(op->getOperand(1)));
  if (isa<arith::SubIOp>(op))
    if (auto range = computeDownRange(op->getOperand(0), op->getOperand(1)))
      return *range;
  if (isa<arith::SubIOp>(op))
    return computeDifference(computeIndexRange(op->getOperand(0)),
                             computeIndexRange(op->getOperand(1)));
  if (isa<arith::MulIOp>(op))
    return computeProduct(computeIndexRange(op->getOperand(0)),
                          computeIndexRange(op->getOperand(1)));
  return {};
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
  if (!op)
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
    bool exact =
        width >= 64 || computeIndexRange(cast.getIn()).fits(width, isSigned);
    return exact ? cast.getIn() : Value();
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
  // Operands are read with the sign that the flag speaks of.
  bool operandsSigned = width >= 64 || isSigned || (!nuw && nsw);
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  APInt amount;
  if (isa<arith::ShLIOp>(op)) {
    if (!matchPattern(rhs, m_ConstantInt(&amount)) ||
        amount.uge(std::min(width, 63u)) ||
        (width < 64 && amount.uge(width - 1)))
      return nullptr;
  } else {
    // Without flags the range decides, and a negative constant subtracts.
    rhs = extend(rhs, operandsSigned ||
                          (!nuw && matchPattern(rhs, m_ConstantInt(&amount))));
  }
  lhs = extend(lhs, operandsSigned);
  builder.setInsertionPointAfterValue(op->getResult(0));
  Value result;
  Location loc = op->getLoc();
  if (isa<arith::ShLIOp>(op))
    rhs = arith::ConstantIndexOp::create(builder, loc,
                                         int64_t(1) << amount.getZExtValue());
  if (isa<arith::AddIOp>(op))
    result = arith::AddIOp::create(builder, loc, lhs, rhs);
  else if (isa<arith::SubIOp>(op))
    result = arith::SubIOp::create(builder, loc, lhs, rhs);
  else
    result = arith::MulIOp::create(builder, loc, lhs, rhs);
  bool exact = width >= 64 || (isSigned ? nsw : nuw) ||
               computeIndexRange(result).fits(width, isSigned);
  // Without a negative operand a sum that does not wrap as a signed number is
  // not negative, so both extensions agree.
  if (!exact && nsw && !isSigned && !isa<arith::SubIOp>(op))
    exact = computeIndexRange(lhs).isNonNegative() &&
            computeIndexRange(rhs).isNonNegative();
  if (exact)
    return result;
  result.getDefiningOp()->erase();
  return nullptr;
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
  if (computeIndexRange(value).isNonNegative())
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
  bool nonNegative = computeIndexRange(lhs).isNonNegative();
  if (unsignedOp && !nonNegative) {
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
