//===- CountedLoops.cpp - loops whose iterations can be counted -----------===//

#include "passes/Raising/CountedLoops.h"

#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/LoopRange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

bool gpuopt::isDefinedOutside(Value value, scf::WhileOp loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

bool gpuopt::isSmall(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getActiveBits() < 62;
  if (auto extend = value.getDefiningOp<arith::ExtUIOp>())
    return extend.getIn().getType().getIntOrFloatBitWidth() <= 32;
  return !value.getType().isIndex() &&
         value.getType().getIntOrFloatBitWidth() <= 32;
}

std::optional<SmallVector<unsigned>> gpuopt::matchEmptyBody(scf::WhileOp loop) {
  if (!loop.getAfterBody()->without_terminator().empty())
    return std::nullopt;
  SmallVector<unsigned> positions;
  for (Value value : loop.getYieldOp().getResults()) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getAfterBody())
      return std::nullopt;
    positions.push_back(argument.getArgNumber());
  }
  for (OpResult result : loop.getResults())
    if (!result.use_empty() &&
        !llvm::is_contained(positions, result.getResultNumber()))
      return std::nullopt;
  return positions;
}

namespace {

/// The test of a loop, turned so that the iteration variable is on the left.
struct LoopTest {
  arith::CmpIPredicate predicate;
  unsigned position;
  Value bound;
  /// What extends the variable before it is compared; null where nothing does.
  Operation *extension = nullptr;
  /// What is added to it, without wrapping.
  int64_t offset = 0;
};

/// Takes a constant that is added to `tested` without wrapping to `offset`.
Value withoutOffset(Value tested, int64_t &offset) {
  auto add = tested.getDefiningOp<arith::AddIOp>();
  APInt constant;
  if (!add || getBits(tested.getType()) > 32 || tested.getType().isIndex() ||
      !bitEnumContainsAny(add.getOverflowFlags(),
                          arith::IntegerOverflowFlags::nsw) ||
      !matchPattern(add.getRhs(), m_ConstantInt(&constant)))
    return tested;
  offset = constant.getSExtValue();
  return add.getLhs();
}

std::optional<LoopTest> matchTest(scf::WhileOp loop) {
  auto compare =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  auto match = [&](Value tested, Value bound,
                   arith::CmpIPredicate predicate) -> std::optional<LoopTest> {
    Operation *extension = tested.getDefiningOp();
    if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension))
      extension = nullptr;
    int64_t offset = 0;
    if (!isUnsigned(predicate) && !extension)
      tested = withoutOffset(tested, offset);
    auto argument =
        dyn_cast<BlockArgument>(extension ? extension->getOperand(0) : tested);
    if (!argument || argument.getOwner() != loop.getBeforeBody() ||
        !isDefinedOutside(bound, loop))
      return std::nullopt;
    return LoopTest{predicate, argument.getArgNumber(), bound, extension,
                    offset};
  };
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  if (auto test = match(lhs, rhs, compare.getPredicate()))
    return test;
  return match(rhs, lhs, swapSides(compare.getPredicate()));
}

/// The increment of a variable: `next = variable + step`.
struct LoopStep {
  int64_t step;
  /// The step where it is no constant.
  Value value;
  bool nsw;
  bool nuw;
};

/// Matches `next`, if it is `variable` and a step.
std::optional<LoopStep> matchIncrement(scf::WhileOp loop, Value next,
                                       Value variable) {
  auto add = next.getDefiningOp<arith::AddIOp>();
  if (!add || (add.getLhs() != variable && add.getRhs() != variable))
    return std::nullopt;
  Value step = add.getLhs() == variable ? add.getRhs() : add.getLhs();
  auto flags = add.getOverflowFlags();
  LoopStep result{1, nullptr,
                  bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nsw),
                  bitEnumContainsAny(flags, arith::IntegerOverflowFlags::nuw)};
  APInt constant;
  if (matchPattern(step, m_ConstantInt(&constant))) {
    if (constant.getSignificantBits() > 32 || constant.isZero())
      return std::nullopt;
    result.step = constant.getSExtValue();
    return result;
  }
  if (!isDefinedOutside(step, loop))
    return std::nullopt;
  result.value = step;
  return result;
}

std::optional<LoopStep> matchStep(scf::WhileOp loop, unsigned position) {
  Value next = loop.getYieldOp().getResults()[position];
  // The test may have computed it.
  if (auto forwarded = dyn_cast<BlockArgument>(next);
      forwarded && forwarded.getOwner() == loop.getAfterBody())
    return matchIncrement(
        loop, loop.getConditionOp().getArgs()[forwarded.getArgNumber()],
        loop.getBeforeArguments()[position]);
  for (BlockArgument argument : loop.getAfterArguments()) {
    Value forwarded = loop.getConditionOp().getArgs()[argument.getArgNumber()];
    if (forwarded != loop.getBeforeArguments()[position])
      continue;
    if (auto step = matchIncrement(loop, next, argument))
      return step;
  }
  return std::nullopt;
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

/// What is known of the range of `value` before `loop`: by itself, and by the
/// guards around the loop, as `i < n` says that i is not the largest number.
Interval rangeOf(scf::WhileOp loop, Value value, bool isSigned) {
  IntegerValues values(loop->getParentOfType<FunctionOpInterface>());
  IntegerValue known = values.getExact(value, !isSigned);
  Interval range = known.range;
  for (const Polynomial &fact : collectFacts(loop, values)) {
    range.high = std::min(range.high, values.getRange(known.value + fact).high);
    range.low = std::max(range.low, values.getRange(known.value - fact).low);
  }
  return range;
}

/// Whether a variable that holds the numbers in `all` can leave a bound in
/// `bound` by one step without wrapping. The last value inside is at most the
/// bound (the bound - 1 when exclusive).
bool canStepPast(const Interval &bound, int64_t step, const Interval &all,
                 bool inclusive) {
  int64_t farthest = inclusive ? step : step - (step > 0 ? 1 : -1);
  Interval past = bound + Interval{farthest, farthest};
  return step > 0 ? past.high < Interval::plusInfinity && past.high <= all.high
                  : past.low > Interval::minusInfinity && past.low >= all.low;
}

/// What a variable of this type holds. The numbers of 64 bits are more than an
/// interval has.
Interval numbersOf(Type type, bool isSigned) {
  unsigned bits = getBits(type);
  return isSigned ? Interval::ofSigned(bits) : Interval::ofUnsigned(bits);
}

/// `i != B`: where it counts, it is `i < B` or `i > B`.
std::optional<CountedLoop>
matchInequality(scf::WhileOp loop, const LoopTest &test, const LoopStep &step) {
  if (step.value || test.extension || test.offset != 0)
    return std::nullopt;
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

/// A step that is fixed before the loop.
void addTests(scf::WhileOp loop, const LoopStep &step, CountedLoop &counted) {
  Interval range = rangeOf(loop, step.value, counted.isSigned);
  counted.stepValue = step.value;
  counted.mayNotAdvance = range.low < 1;
  bool isWide = step.value.getType().isInteger(64);
  // An unsigned bound of 64 bits has to be shown to fit an index, too.
  counted.mayWrap = counted.isSigned ? !step.nsw : !step.nuw || isWide;
}

/// The loop of a variable that is extended before it is compared with a bound
/// of more bits: it counts up, and all of its values are numbers of its own
/// bits.
std::optional<CountedLoop> matchExtended(scf::WhileOp loop,
                                         const LoopTest &test,
                                         const LoopStep &step, bool inclusive) {
  bool isBoundSigned = !isUnsigned(test.predicate);
  bool isSigned = isa<arith::ExtSIOp>(test.extension);
  Value init = loop.getInits()[test.position];
  if (step.value || step.step < 1 ||
      (isSigned && !isBoundSigned && rangeOf(loop, init, isSigned).low < 0))
    return std::nullopt;
  Interval bound = rangeOf(loop, test.bound, isBoundSigned);
  // What the flags exclude must be reached: then it does not matter that the
  // bound may be more than an index holds.
  bool flagged = (isSigned ? step.nsw : step.nuw) && !mayNotReturn(loop);
  if (!flagged && !canStepPast(bound, step.step,
                               numbersOf(init.getType(), isSigned), inclusive))
    return std::nullopt;
  // One behind the bound.
  if (inclusive && bound.high == Interval::plusInfinity)
    return std::nullopt;
  CountedLoop counted{test.position, test.bound, inclusive, isSigned,
                      step.step};
  counted.boundSign = isBoundSigned;
  return counted;
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
  if (test.extension)
    return matchExtended(loop, test, step, inclusive);
  // Adding a negative constant says nothing about unsigned wrapping.
  CountedLoop counted{test.position, test.bound, inclusive, isSigned,
                      step.step};
  counted.offset = test.offset;
  if (step.value && test.offset != 0)
    return std::nullopt;
  if (step.value) {
    addTests(loop, step, counted);
    return counted;
  }
  bool flagged = isSigned ? step.nsw : step.nuw && up;
  bool unitStep = !inclusive && (step.step == 1 || step.step == -1);
  if (!flagged && test.offset != 0)
    return std::nullopt;
  if (!flagged && !unitStep &&
      !canStepPast(rangeOf(loop, test.bound, isSigned), step.step,
                   numbersOf(test.bound.getType(), isSigned), inclusive))
    return std::nullopt;
  return counted;
}

//===--- Loops with the test at the end -----------------------------------===//

/// Whether the first value, which nothing compares, can be followed by another
/// without wrapping: a constant.
bool startsBelowMost(scf::WhileOp loop, const LoopStep &step, bool isSigned,
                     unsigned position) {
  APInt start;
  return step.step == 1 &&
         matchPattern(loop.getInits()[position], m_ConstantInt(&start)) &&
         !(isSigned ? start.isMaxSignedValue() : start.isMaxValue());
}

/// The same of the next value as `test` says of the last one: `i < n` is
/// `i + 1 <= n`, where that does not wrap.
bool turnToNext(LoopTest &test, const LoopStep &step) {
  using arith::CmpIPredicate;
  if (step.step != 1)
    return false;
  if (test.predicate == CmpIPredicate::ult && step.nuw)
    test.predicate = CmpIPredicate::ule;
  else if (test.predicate == CmpIPredicate::slt && step.nsw)
    test.predicate = CmpIPredicate::sle;
  else
    return false;
  return true;
}

/// `do { … } while (++i < n)`, or `while (i++ < n)`.
std::optional<CountedLoop> matchRotated(scf::WhileOp loop) {
  std::optional<SmallVector<unsigned>> positions = matchEmptyBody(loop);
  auto compare =
      loop.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!positions || !compare)
    return std::nullopt;
  for (auto [position, forwarded] : llvm::enumerate(*positions)) {
    Value next = loop.getConditionOp().getArgs()[forwarded];
    Value variable = loop.getBeforeArguments()[position];
    bool isLeft = compare.getLhs() == next || compare.getLhs() == variable;
    Value tested = isLeft ? compare.getLhs() : compare.getRhs();
    Value bound = isLeft ? compare.getRhs() : compare.getLhs();
    if ((tested != next && tested != variable) ||
        !isDefinedOutside(bound, loop))
      continue;
    auto step = matchIncrement(loop, next, variable);
    if (!step || step->value)
      continue;
    LoopTest test{isLeft ? compare.getPredicate()
                         : swapSides(compare.getPredicate()),
                  static_cast<unsigned>(position), bound};
    if (tested == variable && !turnToNext(test, *step))
      continue;
    bool isInequality = test.predicate == arith::CmpIPredicate::ne;
    if (test.predicate == arith::CmpIPredicate::eq ||
        (isInequality && !step->nsw))
      return std::nullopt;
    auto counted = isInequality ? matchInequality(loop, test, *step)
                                : matchOrder(loop, test, *step);
    if (!counted)
      return std::nullopt;
    bool isFlagged = counted->isSigned ? step->nsw : step->nuw;
    if (!isFlagged &&
        !startsBelowMost(loop, *step, counted->isSigned, position))
      return std::nullopt;
    counted->isRotated = true;
    return counted;
  }
  return std::nullopt;
}

} // namespace

/// Matches a loop with the test on top; says in `reason` why it does not.
static std::optional<CountedLoop> matchTopTested(scf::WhileOp loop,
                                                 std::string &reason) {
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (!isPure(&op)) {
      reason = op.getNumRegions() > 0 &&
                       loop.getAfterBody()->without_terminator().empty()
                   ? "it may be left from within (a break or a return)"
                   : "the test has effects or reads memory";
      return std::nullopt;
    }
  std::optional<LoopTest> test = matchTest(loop);
  if (!test) {
    reason = "the test does not compare a variable with a bound that is fixed "
             "before the loop";
    return std::nullopt;
  }
  std::optional<LoopStep> step = matchStep(loop, test->position);
  if (!step) {
    reason = "the variable that is tested does not advance by a fixed amount";
    return std::nullopt;
  }
  std::optional<CountedLoop> counted;
  if (test->predicate == arith::CmpIPredicate::ne)
    counted = matchInequality(loop, *test, *step);
  else if (test->predicate != arith::CmpIPredicate::eq)
    counted = matchOrder(loop, *test, *step);
  if (!counted)
    reason = "the variable may step past the bound and wrap";
  return counted;
}

/// By steps up to this one, 2^63 is 2^47 iterations away: hours.
static constexpr int64_t kShortStep = int64_t(1) << 16;

FailureOr<CountedLoop> gpuopt::matchCountedLoop(scf::WhileOp loop,
                                                std::string &reason) {
  std::optional<CountedLoop> counted = matchRotated(loop);
  if (!counted)
    counted = matchTopTested(loop, reason);
  if (!counted)
    return failure();
  auto isBounded = [&](Value value) {
    return isSmall(value) ||
           rangeOf(loop, value, /*isSigned=*/false).high < int64_t(1) << 62;
  };
  if (counted->stepValue && !counted->isSigned &&
      !isBounded(counted->stepValue)) {
    reason = "an unsigned 64-bit step may exceed 2^63";
    return failure();
  }
  // It counts up from 0, by steps so short that it gets nowhere near 2^63.
  Value init = loop.getInits()[counted->position];
  if (counted->step < -kShortStep &&
      !isLengthFinite(rangeOf(loop, counted->bound, counted->isBoundSigned()),
                      rangeOf(loop, init, counted->isSigned),
                      counted->inclusive)) {
    reason = "it may count down over more than 2^63";
    return failure();
  }
  if (!counted->isSigned && !isBounded(init)) {
    reason = "an unsigned 64-bit variable may start beyond 2^63";
    return failure();
  }
  counted->mayExceedIndex = !counted->isExtended() && !counted->isSigned &&
                            !isBounded(counted->bound);
  return *counted;
}
