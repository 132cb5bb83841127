//===- ExpandGridStrideLoops.cpp - a work item for each iteration ---------===//
//
// find the loops → check that their iterations are independent, else ask for
// launches in which a thread has one → keep the original → guards in their
// places → raise what has become affine.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AffineParts.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Launches/GridStrideLoops.h"
#include "passes/Launches/LaunchedItems.h"
#include "passes/Launches/Passes.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Utils/Extents.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

namespace gpuopt {
#define GEN_PASS_DEF_EXPANDGRIDSTRIDELOOPS
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// The first iteration of a work item, where there is one, in the loop's place.
static void replaceByGuard(IRRewriter &rewriter, scf::ForOp loop) {
  rewriter.setInsertionPoint(loop);
  Value inside =
      arith::CmpIOp::create(rewriter, loop.getLoc(), arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto guard = scf::IfOp::create(rewriter, loop.getLoc(), inside,
                                 /*withElseRegion=*/false);
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), guard.thenYield(),
                             loop.getLowerBound());
  rewriter.eraseOp(loop);
}

/// The new kernel's work items, and what the launch must be like: `items` along
/// dimensions with a loop, `extents`, which guards stop, along others.
static void describeLaunch(gpu::GPUFuncOp kernel, ArrayRef<AffineExpr> items,
                           ArrayRef<AffineExpr> extents) {
  MLIRContext *context = kernel.getContext();
  unsigned numArguments = kernel.getNumArguments();
  AffineExpr one = getAffineConstantExpr(1, context);
  SmallVector<AffineExpr> numbers, conditions;
  for (auto [dimension, number] : llvm::enumerate(items)) {
    AffineExpr launched = launchedItems(kernel, dimension);
    AffineExpr extent = extents[dimension];
    numbers.push_back(number ? number : extent ? extent : one);
    if (number)
      conditions.push_back(-number + std::numeric_limits<int32_t>::max());
    else if (extent)
      conditions.push_back(launched - extent);
    else // Work items beside each other would do the same.
      conditions.push_back(-launched + 1);
  }
  kernel->setAttr(kWorkItemsAttrName, AffineMapAttr::get(AffineMap::get(
                                          0, numArguments, numbers, context)));
  addLaunchConditions(kernel, numArguments, conditions);
}

namespace {
struct ExpandGridStrideLoops
    : public gpuopt::impl::ExpandGridStrideLoopsBase<ExpandGridStrideLoops> {
  using ExpandGridStrideLoopsBase::ExpandGridStrideLoopsBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      if (!kernel.getBody().hasOneBlock())
        continue;
      IntegerValues values(kernel);
      SmallVector<GridStrideLoop> loops = findGridStrideLoops(kernel, values);
      if (loops.empty())
        continue;
      if (std::optional<Refusal> refusal = expand(kernel, values, loops))
        sayMissed(RemarkCode::GridStrideKept, kernel, *refusal);
    }
  }

  std::optional<Refusal> expand(gpu::GPUFuncOp kernel, IntegerValues &values,
                                ArrayRef<GridStrideLoop> loops);
  std::optional<Refusal> assumeCovered(gpu::GPUFuncOp kernel,
                                       IntegerValues &values,
                                       ArrayRef<GridStrideLoop> loops,
                                       const IterationOrder &order);
  void replaceByGuards(gpu::GPUFuncOp kernel, ArrayRef<GridStrideLoop> loops);
};

/// How many iterations the loops have in all.
struct NumbersOfItems {
  /// Of each loop.
  SmallVector<AffineExpr> items;
  /// "n along x, m along y".
  std::string text;
};
} // namespace

static FailureOr<NumbersOfItems> countItems(gpu::GPUFuncOp kernel,
                                            IntegerValues &values,
                                            ArrayRef<GridStrideLoop> loops) {
  NumbersOfItems numbers;
  for (const GridStrideLoop &loop : loops) {
    numbers.items.push_back(
        expressionOverArguments(kernel, values, loop.items));
    if (!numbers.items.back())
      return failure();
    numbers.text += (numbers.text.empty() ? "" : ", ") +
                    values.str(loop.items) + " along " + "xyz"[loop.dimension];
  }
  return numbers;
}

void ExpandGridStrideLoops::replaceByGuards(gpu::GPUFuncOp kernel,
                                            ArrayRef<GridStrideLoop> loops) {
  IRRewriter rewriter(kernel);
  for (const GridStrideLoop &loop : loops)
    replaceByGuard(rewriter, loop.loop);
  numExpanded += loops.size();
  // Loops up to an iterator are up to an id now, and subscripts are affine.
  OpPassManager again(gpu::GPUFuncOp::getOperationName());
  buildRaiseIndicesPipeline(again);
  if (failed(runPipeline(again, kernel)))
    signalPassFailure();
}

/// A launch of as many work items as there are iterations gives each thread one
/// at most, in whatever order: the step is past the end. Most programs launch
/// like that.
std::optional<Refusal> ExpandGridStrideLoops::assumeCovered(
    gpu::GPUFuncOp kernel, IntegerValues &values,
    ArrayRef<GridStrideLoop> loops, const IterationOrder &order) {
  FailureOr<NumbersOfItems> numbers = countItems(kernel, values, loops);
  // A thread that carries a value around the loop is meant to have several.
  bool carriesValues = llvm::any_of(loops, [](const GridStrideLoop &loop) {
    return scf::ForOp(loop.loop).getNumResults() != 0;
  });
  if (!order.mayBeFree || failed(numbers) || carriesValues ||
      usesSizesOtherwise(kernel, loops))
    return order;
  sayPassed(RemarkCode::GridStrideCovered, kernel, order.location,
            {{"numbers", numbers->text}, {"reason", order.reason}});
  keepOriginal(kernel);
  SmallVector<AffineExpr> conditions;
  for (auto [loop, items] : llvm::zip_equal(loops, numbers->items)) {
    conditions.push_back(launchedItems(kernel, loop.dimension) - items);
    if (loop.mayWrap)
      conditions.append({items, -items + std::numeric_limits<int32_t>::max()});
  }
  addLaunchConditions(kernel, kernel.getNumArguments(), conditions);
  replaceByGuards(kernel, loops);
  return std::nullopt;
}

std::optional<Refusal>
ExpandGridStrideLoops::expand(gpu::GPUFuncOp kernel, IntegerValues &values,
                              ArrayRef<GridStrideLoop> loops) {
  if (geometryOf(kernel) || kernel->hasAttr(kPhaseOfAttrName))
    return Refusal{kernel.getLoc(), "its launch is decided already"};
  Extents found = findExtents(kernel);
  std::array<AffineExpr, 3> extents;
  for (unsigned dim = 0; dim < 3; ++dim)
    // Conditions have no quotients.
    if (AffineExpr end = found.end(dim); end && !hasPart(end, isQuotient))
      extents[dim] = end;
  for (const GridStrideLoop &loop : loops)
    extents[loop.dimension] = {};
  if (std::optional<IterationOrder> order = checkIterationsIndependent(
          kernel, loops,
          {bool(extents[0]), bool(extents[1]), bool(extents[2])}))
    return assumeCovered(kernel, values, loops, *order);
  FailureOr<NumbersOfItems> numbers = countItems(kernel, values, loops);
  if (failed(numbers))
    return Refusal{loops.front().loop->getLoc(),
                   "how many iterations there are is not known when the kernel "
                   "is launched"};
  sayPassed(RemarkCode::GridStrideExpanded, kernel, kernel.getLoc(),
            {{"numbers", numbers->text}});
  keepOriginal(kernel);
  std::array<AffineExpr, 3> items;
  for (auto [loop, number] : llvm::zip_equal(loops, numbers->items))
    items[loop.dimension] = number;
  describeLaunch(kernel, items, extents);
  addLaunchConditions(kernel, kernel.getNumArguments(),
                      found.nonNegative.getArrayRef());
  for (auto [loop, number] : llvm::zip_equal(loops, numbers->items))
    if (loop.mayWrap)
      addLaunchConditions(kernel, kernel.getNumArguments(), number);
  replaceByGuards(kernel, loops);
  return std::nullopt;
}
