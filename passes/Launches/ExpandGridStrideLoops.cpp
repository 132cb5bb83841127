//===- ExpandGridStrideLoops.cpp - a work item for each iteration ---------===//
//
// find the loops → check that their iterations are independent → keep the
// original → guards in their places → raise what has become affine.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AffineParts.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Launches/GridStrideLoops.h"
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
    AffineExpr launched =
        getAffineSymbolExpr(numArguments + dimension, context) *
        getAffineSymbolExpr(numArguments + 3 + dimension, context);
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
};
} // namespace

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
  if (std::optional<Refusal> refusal = checkIterationsIndependent(
          kernel, loops,
          {bool(extents[0]), bool(extents[1]), bool(extents[2])}))
    return refusal;
  SmallVector<AffineExpr> items(3);
  std::string numbers;
  for (GridStrideLoop loop : loops) {
    items[loop.dimension] = expressionOverArguments(kernel, values, loop.items);
    if (!items[loop.dimension])
      return Refusal{loop.loop.getLoc(), "how many iterations there are is not "
                                         "known when the kernel is launched"};
    numbers += (numbers.empty() ? "" : ", ") + values.str(loop.items) +
               " along " + "xyz"[loop.dimension];
  }
  sayPassed(RemarkCode::GridStrideExpanded, kernel, kernel.getLoc(),
            {{"numbers", numbers}});
  keepOriginal(kernel);
  describeLaunch(kernel, items, extents);
  addLaunchConditions(kernel, kernel.getNumArguments(),
                      found.nonNegative.getArrayRef());
  for (const GridStrideLoop &loop : loops)
    if (loop.mayWrap)
      addLaunchConditions(kernel, kernel.getNumArguments(),
                          items[loop.dimension]);
  IRRewriter rewriter(kernel);
  for (const GridStrideLoop &loop : loops)
    replaceByGuard(rewriter, loop.loop);
  numExpanded += loops.size();
  // Loops up to an iterator are up to an id now, and subscripts are affine.
  OpPassManager again(gpu::GPUFuncOp::getOperationName());
  buildRaiseIndicesPipeline(again);
  if (failed(runPipeline(again, kernel)))
    signalPassFailure();
  return std::nullopt;
}
