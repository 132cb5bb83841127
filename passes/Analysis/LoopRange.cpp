//===- LoopRange.cpp - room for a loop's iterator -------------------------===//

#include "passes/Analysis/LoopRange.h"

#include "passes/Analysis/IntegerValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

/// A quarter of the way from the ends of 64 bits to zero. Products of 32-bit
/// numbers, and sums of some of them, are nearer to zero.
static constexpr int64_t kFar = int64_t(3) << 61;
/// By steps up to this one, the quarter takes 2^45 iterations: hours.
static constexpr int64_t kSmallStep = int64_t(1) << 16;
/// What steps may be where the loop's end is far from the ends as well.
static constexpr int64_t kLargestStep = int64_t(1) << 40;

bool gpuopt::isFarFromEnds(Interval begin) {
  return begin.low >= -kFar && begin.high <= kFar;
}

bool gpuopt::isLengthFinite(Interval begin, Interval end, bool inclusive) {
  // Intervals saturate: one more is asked for on both sides.
  if (inclusive)
    return isLengthFinite(begin + Interval{-1, -1}, end) &&
           isLengthFinite(begin, end + Interval{1, 1});
  return begin.low >= 0 || end.high < 0 ||
         (end + Interval{-1, -1} * begin).high < Interval::plusInfinity;
}

bool gpuopt::isDeficitFinite(Interval begin, Interval end) {
  return begin.high <= 0 || end.low >= 0 ||
         (end + Interval{-1, -1} * begin).low > Interval::minusInfinity;
}

namespace {
/// What the first value, the end and the step of a loop may be.
struct LoopRange {
  explicit LoopRange(Operation *loop);

  Interval begin, end, step;
};
} // namespace

LoopRange::LoopRange(Operation *loop) {
  IntegerValues values(loop->getParentOfType<FunctionOpInterface>());
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    begin = values.getExact(counted.getLowerBound(), false).range;
    end = values.getExact(counted.getUpperBound(), false).range;
    step = values.getExact(counted.getStep(), false).range;
    return;
  }
  auto affineLoop = cast<affine::AffineForOp>(loop);
  step = {affineLoop.getStepAsInt(), affineLoop.getStepAsInt()};
  begin.high = begin.low;
  for (const Polynomial &bound : values.get(
           affineLoop.getLowerBoundMap(), affineLoop.getLowerBoundOperands())) {
    Interval range = values.getRange(bound);
    begin = {std::max(begin.low, range.low), std::max(begin.high, range.high)};
  }
  end.low = end.high;
  for (const Polynomial &bound : values.get(
           affineLoop.getUpperBoundMap(), affineLoop.getUpperBoundOperands())) {
    Interval range = values.getRange(bound);
    end = {std::min(end.low, range.low), std::min(end.high, range.high)};
  }
}

static bool hasRoom(const LoopRange &range) {
  if (!isFarFromEnds(range.begin))
    return false;
  return range.step.high <= kSmallStep ||
         (range.step.high <= kLargestStep && isFarFromEnds(range.end));
}

bool gpuopt::hasRoomToStep(Operation *loop) { return hasRoom(LoopRange(loop)); }

bool gpuopt::hasRoomForLength(affine::AffineForOp loop) {
  LoopRange range(loop);
  return hasRoom(range) && isDeficitFinite(range.begin, range.end);
}
