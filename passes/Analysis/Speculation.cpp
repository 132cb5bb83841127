//===- Speculation.cpp - what may run where it did not --------------------===//

#include "passes/Analysis/Speculation.h"

#include "passes/Analysis/Poison.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

static bool dividesUnsigned(Operation *op) {
  return isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp, LLVM::UDivOp,
             LLVM::URemOp>(op);
}

static bool dividesSigned(Operation *op) {
  return isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
             arith::RemSIOp, LLVM::SDivOp, LLVM::SRemOp>(op);
}

Value gpuopt::getDivisor(Operation *op) {
  return dividesUnsigned(op) || dividesSigned(op) ? op->getOperand(1) : Value();
}

Interval LazyRanges::operator()(Value value, bool isUnsigned) {
  if (!values) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    values.emplace(function ? function
                            : op->getParentOfType<FunctionOpInterface>());
  }
  return values->getExact(value, isUnsigned).range;
}

/// What is known of the range of an operand of `op`, be it poison or not.
static Interval getRange(Operation *op, Value operand, RangeOfValue rangeOf) {
  return getBits(operand.getType()) == 0
             ? Interval()
             : rangeOf(operand, dividesUnsigned(op));
}

/// Whether the divisor of `op` is positive, or a constant other than 0 and -1,
/// on all ways.
static bool dividesByNonZero(Operation *op, RangeOfValue rangeOf) {
  Value divisor = getDivisor(op);
  APInt constant;
  if (matchPattern(divisor, m_ConstantInt(&constant)))
    return !constant.isZero() && (dividesUnsigned(op) || !constant.isAllOnes());
  return !mayBePoison(divisor) && getRange(op, divisor, rangeOf).low >= 1;
}

/// Whether the least number of the type may be divided by -1.
static bool mayOverflow(Operation *op, RangeOfValue rangeOf) {
  if (!dividesSigned(op))
    return false;
  unsigned bits = getBits(op->getResult(0).getType());
  // Divisors are mostly constants, dividends may have long definitions.
  return bits == 0 || (getRange(op, op->getOperand(1), rangeOf).low < 0 &&
                       getRange(op, op->getOperand(0), rangeOf).low <=
                           Interval::ofSigned(bits).low);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether `op` is a loop whose iterations are not counted when compiling: of
/// bounds that are made for other threads there may be 2^64. Upstream takes
/// each loop with a step of one for total.
static bool mayTakeForever(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  return loop && !loop.getStaticTripCount();
}

bool gpuopt::isTotal(Operation *op, RangeOfValue rangeOf) {
  // Upstream takes no quotient by a value for total, whatever is known of it.
  if (getDivisor(op))
    return isMemoryEffectFree(op) && dividesByNonZero(op, rangeOf) &&
           !mayOverflow(op, rangeOf);
  if (!isPure(op))
    return false;
  return !op->walk([&](Operation *inner) {
              bool isUndefined =
                  getDivisor(inner) && !dividesByNonZero(inner, rangeOf);
              return isUndefined || mayTakeForever(inner)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

bool gpuopt::isTotal(Operation *op) {
  LazyRanges ranges(op);
  return isTotal(op, ranges);
}

bool gpuopt::isTotalForItsDivisor(Operation *op, RangeOfValue rangeOf) {
  if (!getDivisor(op))
    return isTotal(op, rangeOf);
  return dividesByNonZero(op, rangeOf) || !mayOverflow(op, rangeOf);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool gpuopt::runsAtLeastOnce(LoopLikeOpInterface op) {
  if (auto loop = dyn_cast<affine::AffineForOp>(*op))
    return loop.hasConstantBounds() &&
           loop.getConstantLowerBound() < loop.getConstantUpperBound();
  auto loop = dyn_cast<scf::ForOp>(*op);
  APInt lower, upper;
  return loop && matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) &&
         (loop.getUnsignedCmp() ? lower.ult(upper) : lower.slt(upper));
}

/// Whether `region` of `loop` runs whenever the loop is reached.
static bool isEntered(LoopLikeOpInterface loop, Region *region) {
  if (auto whileLoop = dyn_cast<scf::WhileOp>(*loop))
    return region == &whileLoop.getBefore();
  return runsAtLeastOnce(loop);
}

/// Whether a thread that comes to the beginning of the block of `op` comes to
/// `op`: nothing before may end it, as a trap or a call does.
static bool isReached(Operation *op) {
  auto mayEnd = [](Operation *before) {
    return !isMemoryEffectFree(before) && !isa<MemoryEffectOpInterface>(before);
  };
  for (Operation &before :
       llvm::make_range(op->getBlock()->begin(), op->getIterator())) {
    WalkResult walk = before.walk([&](Operation *inner) {
      bool isStructure =
          inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
          inner->hasTrait<OpTrait::IsTerminator>();
      return !isStructure && mayEnd(inner) ? WalkResult::interrupt()
                                           : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return false;
  }
  return true;
}

size_t gpuopt::hoistInvariants(LoopLikeOpInterface loop) {
  auto runsFirst = [&](Operation *op, Region *region) {
    return isMemoryEffectFree(op) && region->hasOneBlock() &&
           isEntered(loop, region) && isReached(op);
  };
  return moveLoopInvariantCode(
      loop.getLoopRegions(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [&](Operation *op, Region *region) {
        return isTotal(op) || runsFirst(op, region);
      },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}
