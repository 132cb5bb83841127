//===- ThreadLoops.cpp - loops that a block shares out --------------------===//

#include "passes/Launches/ThreadLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gpuopt;

/// The first and the last value that `loop` begins with in a thread; nothing
/// where it begins with something else than a function of ids.
static std::optional<std::pair<int64_t, int64_t>>
rangeOfStart(affine::AffineForOp loop, ArrayRef<int32_t> block) {
  AffineMap map = loop.getLowerBoundMap();
  if (map.getNumResults() != 1)
    return std::nullopt;
  SmallVector<std::optional<int64_t>> least, most;
  for (Value operand : loop.getLowerBoundOperands()) {
    auto id = operand.getDefiningOp<gpu::ThreadIdOp>();
    if (!id)
      return std::nullopt;
    least.push_back(0);
    most.push_back(block[static_cast<unsigned>(id.getDimension())] - 1);
  }
  auto bound = [&](bool isUpper) {
    return getBoundForAffineExpr(map.getResult(0), map.getNumDims(),
                                 map.getNumSymbols(), least, most, isUpper);
  };
  std::optional<int64_t> first = bound(false), last = bound(true);
  if (!first || !last)
    return std::nullopt;
  return std::pair(*first, *last);
}

/// Lets `loop`, which runs `trips` times in each thread, count from 0 by 1.
static void countFromZero(affine::AffineForOp loop, int64_t trips) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value start = affine::AffineApplyOp::create(
      builder, loc, loop.getLowerBoundMap(), loop.getLowerBoundOperands());
  int64_t step = loop.getStepAsInt();
  loop.setConstantLowerBound(0);
  loop.setConstantUpperBound(trips);
  loop.setStep(1);
  builder.setInsertionPointToStart(loop.getBody());
  Value iterator = loop.getInductionVar();
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  Value element = affine::AffineApplyOp::create(
      builder, loc, AffineMap::get(2, 0, d0 + d1 * step),
      ValueRange{start, iterator});
  iterator.replaceAllUsesExcept(element, element.getDefiningOp());
}

/// Makes of `loop`, which runs once in the threads that begin before `end` and
/// not at all in the others, a branch.
static void branchOnce(affine::AffineForOp loop, int64_t end) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  Value start = affine::AffineApplyOp::create(
      rewriter, loc, loop.getLowerBoundMap(), loop.getLowerBoundOperands());
  Value bound = arith::ConstantIndexOp::create(rewriter, loc, end);
  Value runs = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                     start, bound);
  bool hasResults = loop.getNumResults() != 0;
  auto branch =
      scf::IfOp::create(rewriter, loc, loop.getResultTypes(), runs, hasResults);
  SmallVector<Value> arguments = {start};
  llvm::append_range(arguments, loop.getInits());
  auto yield = cast<affine::AffineYieldOp>(loop.getBody()->getTerminator());
  SmallVector<Value> yielded(yield.getOperands());
  rewriter.setInsertionPoint(yield);
  if (hasResults)
    rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yielded);
  else
    rewriter.eraseOp(yield);
  if (hasResults) {
    rewriter.inlineBlockBefore(loop.getBody(), branch.thenBlock(),
                               branch.thenBlock()->end(), arguments);
    rewriter.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, loop.getInits());
  } else {
    rewriter.inlineBlockBefore(loop.getBody(), branch.thenYield(), arguments);
  }
  rewriter.replaceOp(loop, branch.getResults());
}

unsigned gpuopt::countThreadLoops(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
  if (!block || block->size() != 3)
    return 0;
  SmallVector<affine::AffineForOp> loops;
  kernel.walk([&](affine::AffineForOp loop) {
    if (!loop.hasConstantLowerBound() && loop.hasConstantUpperBound())
      loops.push_back(loop);
  });
  unsigned numChanged = 0;
  for (affine::AffineForOp loop : loops) {
    auto start = rangeOfStart(loop, *block);
    if (!start)
      continue;
    int64_t end = loop.getConstantUpperBound(), step = loop.getStepAsInt();
    auto tripsFrom = [&](int64_t begin) {
      return std::max<int64_t>(llvm::divideCeilSigned(end - begin, step), 0);
    };
    int64_t most = tripsFrom(start->first), fewest = tripsFrom(start->second);
    if (most == fewest)
      countFromZero(loop, most);
    else if (most == 1)
      branchOnce(loop, end);
    else
      continue;
    ++numChanged;
  }
  return numChanged;
}
