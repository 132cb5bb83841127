//===- CountedLoops.cpp - loops whose iterations can be counted -----------===//

#include "passes/Raising/CountedLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using gpuopt::CountedLoop;

namespace {

/// The test of a loop, turned so that the iteration variable is on the left.
struct LoopTest {
  arith::CmpIPredicate predicate;
  unsigned position;
  Value bound;
};

/// The predicate for exchanged operands.
arith::CmpIPredicate exchangeOperands(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  case Predicate::eq:
  case Predicate::ne:
    return predicate;
  }
  llvm_unreachable("covered switch");
}

bool isDefinedOutside(Value value, scf::WhileOp loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

std::optional<LoopTest> matchTest(scf::WhileOp loop) {
  auto compare =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  auto variableOf = [&](Value value) -> std::optional<unsigned> {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getBeforeBody())
      return std::nullopt;
    return argument.getArgNumber();
  };
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  if (auto position = variableOf(lhs); position && isDefinedOutside(rhs, loop))
    return LoopTest{compare.getPredicate(), *position, rhs};
  if (auto position = variableOf(rhs); position && isDefinedOutside(lhs, loop))
    return LoopTest{exchangeOperands(compare.getPredicate()), *position, lhs};
  return std::nullopt;
}

/// The increment of a variable: `next = variable + step`.
struct LoopStep {
  int64_t step;
  bool nsw;
  bool nuw;
};

std::optional<LoopStep> matchStep(scf::WhileOp loop, unsigned position) {
  auto add =
      loop.getYieldOp().getResults()[position].getDefiningOp<arith::AddIOp>();
  APInt step;
  if (!add || !matchPattern(add.getRhs(), m_ConstantInt(&step)) ||
      step.getSignificantBits() > 32 || step.isZero())
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(add.getLhs());
  if (!argument || argument.getOwner() != loop.getAfterBody())
    return std::nullopt;
  Value forwarded = loop.getConditionOp().getArgs()[argument.getArgNumber()];
  if (forwarded != loop.getBeforeArguments()[position])
    return std::nullopt;
  auto flags = add.getOverflowFlags();
  return LoopStep{step.getSExtValue(),
                  bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw),
                  bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nuw)};
}

/// Whether something in the loop may end the thread or never return.
bool mayNotReturn(scf::WhileOp loop) {
  auto visit = [](Operation *op) {
    return isa<CallOpInterface, LLVM::InlineAsmOp, scf::WhileOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return loop.getBefore().walk(visit).wasInterrupted() ||
         loop.getAfter().walk(visit).wasInterrupted();
}

/// Whether `bound + |step|` stays in range for a constant bound.
bool constantBoundFits(Value bound, int64_t step, bool isSigned,
                       bool inclusive) {
  APInt value;
  if (!matchPattern(bound, m_ConstantInt(&value)))
    return false;
  unsigned width = value.getBitWidth();
  // The last value inside the bound is at most `bound` (`bound` - 1 when
  // exclusive); one more step leaves it by at most |step|.
  APInt wide = isSigned ? value.sext(width + 2) : value.zext(width + 2);
  APInt past = wide + APInt(width + 2, step, /*isSigned=*/true);
  if (!inclusive)
    past -= APInt(width + 2, step > 0 ? 1 : -1, /*isSigned=*/true);
  APInt low = isSigned ? APInt::getSignedMinValue(width).sext(width + 2)
                       : APInt::getZero(width + 2);
  APInt high = isSigned ? APInt::getSignedMaxValue(width).sext(width + 2)
                        : APInt::getMaxValue(width).zext(width + 2);
  return past.sge(low) && past.sle(high);
}

/// `i != B`: where it counts, it is `i < B` or `i > B`.
std::optional<CountedLoop>
matchInequality(scf::WhileOp loop, const LoopTest &test, const LoopStep &step) {
  CountedLoop counted{test.position, test.bound, false, true, step.step};
  // Missing the bound would wrap, which the flags exclude.
  if ((step.nsw || (step.nuw && step.step > 0)) && !mayNotReturn(loop)) {
    counted.isSigned = step.nsw;
    return counted;
  }
  Value init = loop.getInits()[test.position];
  counted.isSigned = false;
  if (step.step == 1 && matchPattern(init, m_Zero()))
    return counted;
  if (step.step == -1 && matchPattern(test.bound, m_Zero()))
    return counted;
  return std::nullopt;
}

/// The loop that `test` and `step` make, if it cannot wrap.
std::optional<CountedLoop> matchOrder(scf::WhileOp loop, const LoopTest &test,
                                      const LoopStep &step) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = test.predicate;
  bool isSigned = predicate == Predicate::slt || predicate == Predicate::sle ||
                  predicate == Predicate::sgt || predicate == Predicate::sge;
  bool up = predicate == Predicate::slt || predicate == Predicate::sle ||
            predicate == Predicate::ult || predicate == Predicate::ule;
  bool inclusive = predicate == Predicate::sle || predicate == Predicate::sge ||
                   predicate == Predicate::ule || predicate == Predicate::uge;
  if (up != (step.step > 0))
    return std::nullopt;
  // Adding a negative constant says nothing about unsigned wrapping.
  bool flagged = isSigned ? step.nsw : step.nuw && up;
  bool unitStep = !inclusive && (step.step == 1 || step.step == -1);
  if (!flagged && !unitStep &&
      !constantBoundFits(test.bound, step.step, isSigned, inclusive))
    return std::nullopt;
  return CountedLoop{test.position, test.bound, inclusive, isSigned, step.step};
}

/// Whether `value`, read as unsigned, is known to be far below 2^63.
bool isSmall(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getActiveBits() < 62;
  if (auto extend = value.getDefiningOp<arith::ExtUIOp>())
    return extend.getIn().getType().getIntOrFloatBitWidth() <= 32;
  return value.getType().getIntOrFloatBitWidth() <= 32;
}

//===--- Rewriting --------------------------------------------------------===//

/// Whether an access in every iteration has an index that moves with the
/// iteration variable one to one: 2^63 iterations would leave every object.
bool movesThroughMemory(scf::WhileOp loop, unsigned position) {
  std::function<bool(Value)> moves = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == loop.getAfterBody() &&
             loop.getConditionOp().getArgs()[argument.getArgNumber()] ==
                 loop.getBeforeArguments()[position];
    if (auto add = value.getDefiningOp<arith::AddIOp>())
      return (moves(add.getLhs()) && isDefinedOutside(add.getRhs(), loop)) ||
             (moves(add.getRhs()) && isDefinedOutside(add.getLhs(), loop));
    if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      return cast.getIn().getType().getIntOrFloatBitWidth() == 64 &&
             moves(cast.getIn());
    return false;
  };
  for (Operation &op : *loop.getAfterBody()) {
    if (auto load = dyn_cast<memref::LoadOp>(op);
        load && llvm::any_of(load.getIndices(), moves))
      return true;
    if (auto store = dyn_cast<memref::StoreOp>(op);
        store && llvm::any_of(store.getIndices(), moves))
      return true;
  }
  return false;
}

/// Extends a bound of the loop to `index`.
Value extendToIndex(OpBuilder &builder, Location loc, Value value,
                    bool isSigned, bool clamp) {
  Type index = builder.getIndexType();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    APInt wide = isSigned ? constant.sext(64) : constant.zext(64);
    return arith::ConstantIndexOp::create(builder, loc, wide.getSExtValue());
  }
  if (isSigned)
    return arith::IndexCastOp::create(builder, loc, index, value);
  if (clamp && value.getType().isInteger(64) && !isSmall(value)) {
    Value most = arith::ConstantOp::create(
        builder, loc,
        builder.getI64IntegerAttr(std::numeric_limits<int64_t>::max()));
    value = arith::MinUIOp::create(builder, loc, value, most);
  }
  // At 64 bits both casts are the same: one spelling for all.
  if (value.getType().isInteger(64))
    return arith::IndexCastOp::create(builder, loc, index, value);
  return arith::IndexCastUIOp::create(builder, loc, index, value);
}

Value makeConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Bounds of the `scf.for`; it counts from 0 where the source counts down.
struct ForBounds {
  Value lower, upper, step;
  /// Value of the source's variable in the first iteration.
  Value start;
};

ForBounds makeBounds(OpBuilder &builder, scf::WhileOp loop,
                     const CountedLoop &counted) {
  Location loc = loop.getLoc();
  bool clamp = !movesThroughMemory(loop, counted.position);
  Value start = extendToIndex(builder, loc, loop.getInits()[counted.position],
                              counted.isSigned, clamp);
  Value bound =
      extendToIndex(builder, loc, counted.bound, counted.isSigned, clamp);
  Value one = makeConstant(builder, loc, 1);
  Value step = makeConstant(builder, loc, std::abs(counted.step));
  if (counted.step > 0) {
    if (counted.inclusive)
      bound = builder.createOrFold<arith::AddIOp>(loc, bound, one);
    return {start, bound, step, start};
  }
  Value distance = builder.createOrFold<arith::SubIOp>(loc, start, bound);
  if (counted.inclusive)
    distance = builder.createOrFold<arith::AddIOp>(loc, distance, one);
  return {makeConstant(builder, loc, 0), distance, step, start};
}

/// The source's variable after the last iteration, of type `index`.
Value makeFinalValue(OpBuilder &builder, Location loc, const ForBounds &bounds,
                     const CountedLoop &counted) {
  Value distance =
      builder.createOrFold<arith::SubIOp>(loc, bounds.upper, bounds.lower);
  distance = builder.createOrFold<arith::MaxSIOp>(
      loc, distance, makeConstant(builder, loc, 0));
  if (std::abs(counted.step) != 1) {
    distance =
        builder.createOrFold<arith::CeilDivSIOp>(loc, distance, bounds.step);
    distance = builder.createOrFold<arith::MulIOp>(loc, distance, bounds.step);
  }
  if (counted.step > 0)
    return builder.createOrFold<arith::AddIOp>(loc, bounds.start, distance);
  return builder.createOrFold<arith::SubIOp>(loc, bounds.start, distance);
}

/// Clones what the loop's test computes, so that `mapping` holds what the
/// test forwards for the loop-carried values that it maps.
SmallVector<Value> cloneForwarded(OpBuilder &builder, scf::WhileOp loop,
                                  IRMapping &mapping) {
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> forwarded;
  for (Value value : loop.getConditionOp().getArgs())
    forwarded.push_back(mapping.lookupOrDefault(value));
  return forwarded;
}

/// Maps the arguments of the loop's test to the variable and the carried
/// values.
IRMapping mapArguments(scf::WhileOp loop, unsigned position, Value variable,
                       ValueRange carried) {
  IRMapping mapping;
  unsigned next = 0;
  for (BlockArgument argument : loop.getBeforeArguments())
    mapping.map(argument, argument.getArgNumber() == position
                              ? variable
                              : carried[next++]);
  return mapping;
}

} // namespace

FailureOr<CountedLoop> gpuopt::matchCountedLoop(scf::WhileOp loop,
                                                std::string &reason) {
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (!isPure(&op)) {
      reason = "the test has effects or reads memory";
      return failure();
    }
  std::optional<LoopTest> test = matchTest(loop);
  if (!test) {
    reason = "the test does not compare a variable with a bound that is fixed "
             "before the loop";
    return failure();
  }
  std::optional<LoopStep> step = matchStep(loop, test->position);
  if (!step) {
    reason = "the variable that is tested does not advance by a constant";
    return failure();
  }
  bool isInequality = test->predicate == arith::CmpIPredicate::ne;
  auto counted = isInequality ? matchInequality(loop, *test, *step)
                              : matchOrder(loop, *test, *step);
  if (test->predicate == arith::CmpIPredicate::eq)
    counted.reset();
  if (!counted) {
    reason = "the variable may step past the bound and wrap";
    return failure();
  }
  if (!counted->isSigned && !isSmall(loop.getInits()[counted->position])) {
    reason = "an unsigned 64-bit variable may start beyond 2^63";
    return failure();
  }
  return *counted;
}

scf::ForOp gpuopt::replaceCountedLoop(RewriterBase &rewriter, scf::WhileOp loop,
                                      const CountedLoop &counted) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  ForBounds bounds = makeBounds(rewriter, loop, counted);
  SmallVector<Value> inits(loop.getInits());
  Type type = inits[counted.position].getType();
  inits.erase(inits.begin() + counted.position);
  auto forOp = scf::ForOp::create(rewriter, loc, bounds.lower, bounds.upper,
                                  bounds.step, inits);
  forOp->setDiscardableAttrs(loop->getDiscardableAttrDictionary());

  Block *body = forOp.getBody();
  if (inits.empty())
    rewriter.eraseOp(body->getTerminator());
  rewriter.setInsertionPointToStart(body);
  Value variable = forOp.getInductionVar();
  if (counted.step < 0)
    variable = arith::SubIOp::create(rewriter, loc, bounds.start, variable);
  variable = arith::IndexCastOp::create(rewriter, loc, type, variable);
  IRMapping inBody =
      mapArguments(loop, counted.position, variable, forOp.getRegionIterArgs());
  SmallVector<Value> forwarded = cloneForwarded(rewriter, loop, inBody);
  scf::YieldOp yield = loop.getYieldOp();
  rewriter.modifyOpInPlace(yield,
                           [&] { yield->eraseOperand(counted.position); });
  rewriter.mergeBlocks(loop.getAfterBody(), body, forwarded);

  rewriter.setInsertionPointAfter(forOp);
  Value last = makeFinalValue(rewriter, loc, bounds, counted);
  last = arith::IndexCastOp::create(rewriter, loc, type, last);
  IRMapping after =
      mapArguments(loop, counted.position, last, forOp.getResults());
  rewriter.replaceOp(loop, cloneForwarded(rewriter, loop, after));
  return forOp;
}
