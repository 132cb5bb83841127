//===- JamNest.cpp - find nests worth jamming, and their shape ------------===//

#include "passes/Transforms/Jam/JamNest.h"

#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/LoopRange.h"

#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// What jamming saves
//===----------------------------------------------------------------------===//

/// The only loop directly in `outer`, if it is a reduction and holds no loop.
static affine::AffineForOp findReduction(affine::AffineForOp outer) {
  affine::AffineForOp inner;
  for (auto loop : outer.getOps<affine::AffineForOp>()) {
    if (inner)
      return {};
    inner = loop;
  }
  if (!inner || inner.getNumResults() == 0)
    return {};
  unsigned loops = 0;
  outer.walk([&](LoopLikeOpInterface) { ++loops; });
  return loops == 2 ? inner : affine::AffineForOp();
}

namespace {
/// The values that differ between the iterations of a loop.
class VariantValues {
public:
  explicit VariantValues(ValueRange roots) {
    values.insert(roots.begin(), roots.end());
  }

  bool contains(Value value) const { return values.contains(value); }
  /// Whether `op`, or an operation in it, depends on one of the values; then
  /// its results are such values too.
  bool add(Operation *op) {
    WalkResult result = op->walk([&](Operation *nested) {
      return llvm::any_of(nested->getOperands(),
                          [&](Value operand) { return contains(operand); })
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      values.insert(op->result_begin(), op->result_end());
    return result.wasInterrupted();
  }
  void add(ValueRange more) { values.insert(more.begin(), more.end()); }

private:
  llvm::SmallPtrSet<Value, 16> values;
};
} // namespace

/// Splits the inner loop's body into what the outer iterations share and what
/// each does on its own.
static void findShared(JamNest &nest, VariantValues &variant) {
  variant.add(nest.inner.getRegionIterArgs());
  for (Value carried : nest.inner.getRegionIterArgs())
    nest.registersPerIteration += registersOf(carried.getType());
  for (Operation &op : nest.inner.getBody()->without_terminator()) {
    unsigned loads = 0;
    int64_t registers = 0;
    op.walk([&](Operation *nested) {
      if (!hasSingleEffect<MemoryEffects::Read>(nested))
        return;
      ++loads;
      for (Type type : nested->getResultTypes())
        registers += registersOf(type);
    });
    if (variant.add(&op)) {
      nest.registersPerIteration += registers;
      continue;
    }
    nest.shared.insert(&op);
    nest.sharedLoads += loads;
    nest.sharedRegisters += registers;
  }
}

std::optional<JamNest> gpuopt::findNest(affine::AffineForOp outer) {
  JamNest nest;
  nest.outer = outer;
  nest.inner = findReduction(outer);
  if (!nest.inner)
    return std::nullopt;
  VariantValues variant(outer.getInductionVar());
  variant.add(outer.getRegionIterArgs());
  for (Operation &op : outer.getBody()->without_terminator()) {
    if (&op == nest.inner)
      break;
    variant.add(&op);
  }
  findShared(nest, variant);
  if (nest.sharedLoads == 0)
    return std::nullopt;
  return nest;
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

/// Reads a bound of the inner loop, or returns why that is not possible.
static std::string readBound(affine::AffineForOp outer, AffineMap map,
                             ValueRange operands, JamBound &bound) {
  if (map.getNumResults() != 1)
    return "the inner loop has more than one bound on a side";
  bound.map = map;
  bound.operands.assign(operands.begin(), operands.end());
  affine::fullyComposeAffineMapAndOperands(&bound.map, &bound.operands);
  affine::canonicalizeMapAndOperands(&bound.map, &bound.operands);
  Value iterator = outer.getInductionVar();
  AffineExpr next = bound.map.getResult(0);
  for (auto [number, operand] : llvm::enumerate(bound.operands)) {
    if (operand != iterator) {
      if (!outer.isDefinedOutsideOfLoop(operand))
        return "a bound of the inner loop is computed in the outer one";
      continue;
    }
    bool isDim = number < bound.map.getNumDims();
    AffineExpr from = isDim
                          ? getAffineDimExpr(number, map.getContext())
                          : getAffineSymbolExpr(number - bound.map.getNumDims(),
                                                map.getContext());
    next = next.replace(from, from + outer.getStepAsInt());
  }
  AffineExpr shift =
      simplifyAffineExpr(next - bound.map.getResult(0), bound.map.getNumDims(),
                         bound.map.getNumSymbols());
  auto constant = dyn_cast<AffineConstantExpr>(shift);
  if (!constant)
    return "the inner loop's bounds do not move evenly with the outer loop";
  bound.shift = constant.getValue();
  return {};
}

/// Sorts the operations of the outer loop's body into those before and after
/// the inner loop. What needs a value of the iteration before comes after.
static std::string sortBody(JamNest &nest) {
  VariantValues carried(nest.outer.getRegionIterArgs());
  bool isBefore = true;
  for (Operation &op : nest.outer.getBody()->without_terminator()) {
    if (&op == nest.inner) {
      if (carried.add(&op))
        return "the inner loop needs what the outer iteration before computes";
      isBefore = false;
      continue;
    }
    if (!isBefore) {
      nest.after.push_back(&op);
    } else if (!carried.add(&op)) {
      nest.before.push_back(&op);
    } else if (isMemoryEffectFree(&op)) {
      nest.after.push_back(&op);
    } else {
      return "an access before the inner loop needs what the outer iteration "
             "before computes";
    }
  }
  return {};
}

/// Returns the operation whose place among other iterations is fixed, if any.
static Operation *findOrdered(affine::AffineForOp outer) {
  Operation *ordered = nullptr;
  outer.getRegion().walk([&](Operation *op) {
    bool isAccess =
        isa<affine::AffineReadOpInterface, affine::AffineWriteOpInterface,
            memref::LoadOp, memref::StoreOp>(op);
    if (isAccess || callsFunctionOfNumbers(op) || isMemoryEffectFree(op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::advance();
    ordered = op;
    return WalkResult::interrupt();
  });
  return ordered;
}

/// The largest power of two up to 8 that registers and iterations allow: a
/// quarter of a thread's registers, since threads may be merged later.
static int64_t chooseFactor(const JamNest &nest, TargetAttr target) {
  int64_t limit = target.getRegistersPerThread() / 4;
  std::optional<uint64_t> trips = affine::getConstantTripCount(nest.outer);
  int64_t factor = 8;
  while (factor > 1 &&
         ((trips && uint64_t(factor) > *trips) ||
          factor * nest.registersPerIteration + nest.sharedRegisters > limit))
    factor /= 2;
  return factor;
}

std::string gpuopt::planNest(JamNest &nest, int64_t factor, TargetAttr target) {
  if (Operation *op = findOrdered(nest.outer))
    return ("'" + op->getName().getStringRef() +
            "' keeps the iterations in order")
        .str();
  if (nest.outer.getLowerBoundMap().getNumResults() != 1 ||
      nest.outer.getUpperBoundMap().getNumResults() != 1)
    return "the outer loop has more than one bound on a side";
  if (!hasRoomForLength(nest.outer))
    return kNoRoomReason;
  affine::AffineForOp inner = nest.inner;
  std::string reason = readBound(nest.outer, inner.getLowerBoundMap(),
                                 inner.getLowerBoundOperands(), nest.lower);
  if (reason.empty())
    reason = readBound(nest.outer, inner.getUpperBoundMap(),
                       inner.getUpperBoundOperands(), nest.upper);
  if (reason.empty() && inner.getStepAsInt() != 1 &&
      (nest.lower.shift != 0 || nest.upper.shift != 0))
    reason = "the inner loop's bounds move, and its step is not 1";
  if (reason.empty())
    reason = sortBody(nest);
  if (!reason.empty())
    return reason;
  nest.factor = factor > 0 ? factor : chooseFactor(nest, target);
  if (nest.factor == 1)
    return "there are too few registers or iterations";
  return {};
}
