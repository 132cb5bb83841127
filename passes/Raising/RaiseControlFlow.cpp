//===- RaiseControlFlow.cpp - branches to scf -----------------------------===//
//
// Three steps:
//  1. Loops that are left only by the test in their header, from the innermost
//     out, become `scf.while` with the test in its first region: the form that
//     counted loops are recognised in.
//  2. Upstream's structurisation takes everything else: conditionals, switches,
//     do-while, `break` and `return` out of loops, irreducible graphs.
//  3. Clean-up, then `scf.while` that count become `scf.for`.
//
// No step duplicates or speculates an operation with effects.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Raising/CountedLoops.h"
#include "passes/Raising/Passes.h"
#include "passes/Raising/Recurrences.h"
#include "passes/Raising/StructuredPatterns.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISECONTROLFLOW
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;

namespace {

/// Upstream's structurisation with the terminators of a kernel.
class KernelStructure : public ControlFlowToSCFTransformation {
public:
  FailureOr<Operation *> createUnreachableTerminator(Location loc,
                                                     OpBuilder &builder,
                                                     Region &region) override {
    Operation *parent = region.getParentOp();
    if (isa<gpu::GPUFuncOp>(parent))
      return gpu::ReturnOp::create(builder, loc).getOperation();
    auto loop = cast<scf::WhileOp>(parent);
    SmallVector<Value> values;
    for (Type type : loop.getInits().getTypes())
      values.push_back(getUndefValue(loc, builder, type));
    return scf::YieldOp::create(builder, loc, values).getOperation();
  }
};

//===--- Loops with the test on top ---------------------------------------===//

/// A loop that is entered and left through its header only.
struct TopTestedLoop {
  CFGLoop *loop;
  Block *header;
  Block *latch;
  /// First block of the body and the block after the loop.
  Block *body;
  Block *exit;
  cf::CondBranchOp test;
};

std::optional<TopTestedLoop> matchTopTested(CFGLoop *loop) {
  Block *header = loop->getHeader();
  Block *latch = loop->getLoopLatch();
  auto test = dyn_cast<cf::CondBranchOp>(header->getTerminator());
  if (!latch || latch == header || !test || loop->getExitingBlock() != header ||
      !isa<cf::BranchOp>(latch->getTerminator()) || header->isEntryBlock())
    return std::nullopt;
  bool trueStays = loop->contains(test.getTrueDest());
  if (trueStays == loop->contains(test.getFalseDest()))
    return std::nullopt;
  Block *body = trueStays ? test.getTrueDest() : test.getFalseDest();
  Block *exit = trueStays ? test.getFalseDest() : test.getTrueDest();
  // The header itself as the body would be a loop without one.
  if (body == header)
    return std::nullopt;
  return TopTestedLoop{loop, header, latch, body, exit, test};
}

/// Innermost loop with the test on top, if there is one.
std::optional<TopTestedLoop> findTopTestedLoop(CFGLoopInfo &loops) {
  auto preorder = loops.getLoopsInPreorder();
  for (CFGLoop *loop : llvm::reverse(preorder))
    if (auto match = matchTopTested(loop))
      return match;
  return std::nullopt;
}

/// What the header hands on: its arguments, and what it computes that is used
/// elsewhere.
SmallVector<Value> collectForwarded(Block *header) {
  SmallVector<Value> values(header->getArguments());
  for (Operation &op : *header)
    for (Value result : op.getResults())
      if (result.isUsedOutsideOfBlock(header))
        values.push_back(result);
  return values;
}

/// The condition to stay in the loop, at the end of the header.
Value makeStayCondition(OpBuilder &builder, const TopTestedLoop &match) {
  cf::CondBranchOp test = match.test;
  if (test.getTrueDest() == match.body)
    return test.getCondition();
  return gpuopt::makeNot(builder, test.getLoc(), test.getCondition());
}

/// Makes all that enters the loop from outside branch to `place`.
void redirectEntries(const TopTestedLoop &match, Block *place) {
  Block *header = match.header;
  for (Block *predecessor : llvm::to_vector(
           llvm::make_range(header->pred_begin(), header->pred_end())))
    if (!match.loop->contains(predecessor))
      for (unsigned i = 0; i < predecessor->getNumSuccessors(); ++i)
        if (predecessor->getSuccessor(i) == header)
          predecessor->getTerminator()->setSuccessor(place, i);
}

/// Moves the loop into an `scf.while` in a new block that takes the header's
/// place.
scf::WhileOp buildWhile(const TopTestedLoop &match) {
  Block *header = match.header;
  cf::CondBranchOp test = match.test;
  OpBuilder builder(test);
  Location loc = test.getLoc();
  SmallVector<Value> forwarded = collectForwarded(header);
  Value stay = makeStayCondition(builder, match);

  // The new block: the loop, then the way out.
  auto *place = new Block();
  header->getParent()->getBlocks().insert(header->getIterator(), place);
  for (BlockArgument argument : header->getArguments())
    place->addArgument(argument.getType(), argument.getLoc());
  redirectEntries(match, place);
  builder.setInsertionPointToEnd(place);
  auto loop = scf::WhileOp::create(
      builder, loc, ValueRange(forwarded).getTypes(), place->getArguments());
  bool trueStays = test.getTrueDest() == match.body;
  SmallVector<Value> exitOperands(trueStays ? test.getFalseDestOperands()
                                            : test.getTrueDestOperands());
  SmallVector<Value> bodyOperands(trueStays ? test.getTrueDestOperands()
                                            : test.getFalseDestOperands());
  auto leave = cf::BranchOp::create(builder, loc, match.exit, exitOperands);

  // The body, entered through a block that receives what is forwarded.
  Region &after = loop.getAfter();
  Block *entry =
      builder.createBlock(&after, {}, ValueRange(forwarded).getTypes(),
                          SmallVector<Location>(forwarded.size(), loc));
  cf::BranchOp::create(builder, loc, match.body, bodyOperands);
  auto back = cast<cf::BranchOp>(match.latch->getTerminator());
  builder.setInsertionPoint(back);
  if (Attribute annotation = back->getAttr("loop_annotation"))
    loop->setAttr("loop_annotation", annotation);
  scf::YieldOp::create(builder, back.getLoc(), back.getDestOperands());
  back.erase();
  for (Block *block : llvm::to_vector(match.loop->getBlocks()))
    if (block != header) {
      block->moveBefore(&after, after.end());
    }

  // The test.
  builder.setInsertionPoint(test);
  scf::ConditionOp::create(builder, loc, stay, forwarded);
  test.erase();
  header->moveBefore(&loop.getBefore(), loop.getBefore().end());

  for (auto [value, inside, result] :
       llvm::zip_equal(forwarded, entry->getArguments(), loop.getResults())) {
    value.replaceUsesWithIf(inside, [&](OpOperand &use) {
      return after.isAncestor(use.getOwner()->getParentRegion());
    });
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !loop->isProperAncestor(use.getOwner());
    });
  }
  (void)leave;
  return loop;
}

/// Step 1.
LogicalResult raiseTopTestedLoops(Region &region, KernelStructure &structure) {
  while (!region.hasOneBlock()) {
    DominanceInfo dominance(region.getParentOp());
    CFGLoopInfo loops(dominance.getDomTree(&region));
    std::optional<TopTestedLoop> match = findTopTestedLoop(loops);
    if (!match)
      return success();
    scf::WhileOp loop = buildWhile(*match);
    DominanceInfo bodyDominance(loop);
    if (failed(transformCFGToSCF(loop.getAfter(), structure, bodyDominance)))
      return failure();
  }
  return success();
}

//===--- Pass -------------------------------------------------------------===//

LogicalResult cleanUp(gpu::GPUFuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  gpuopt::populateStructuredPatterns(patterns);
  scf::WhileOp::getCanonicalizationPatterns(patterns, context);
  scf::IfOp::getCanonicalizationPatterns(patterns, context);
  scf::IndexSwitchOp::getCanonicalizationPatterns(patterns, context);
  scf::ForOp::getCanonicalizationPatterns(patterns, context);
  arith::SelectOp::getCanonicalizationPatterns(patterns, context);
  arith::XOrIOp::getCanonicalizationPatterns(patterns, context);
  arith::TruncIOp::getCanonicalizationPatterns(patterns, context);
  arith::ExtUIOp::getCanonicalizationPatterns(patterns, context);
  arith::CmpIOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(kernel, std::move(patterns));
}

class RaiseControlFlowPass
    : public gpuopt::impl::RaiseControlFlowBase<RaiseControlFlowPass> {
  void runOnOperation() override {
    gpu::GPUFuncOp kernel = getOperation();
    KernelStructure structure;
    DominanceInfo dominance;
    if (failed(raiseTopTestedLoops(kernel.getBody(), structure)) ||
        failed(transformCFGToSCF(kernel.getBody(), structure, dominance)) ||
        failed(cleanUp(kernel)))
      return signalPassFailure();
    size_t hoisted = 0;
    kernel.walk(
        [&](scf::WhileOp loop) { hoisted += gpuopt::hoistInvariants(loop); });
    // Loops do not hand on what is computed before them.
    if (hoisted && failed(cleanUp(kernel)))
      return signalPassFailure();
    raiseCountedLoops(kernel);
    if (failed(cleanUp(kernel)))
      signalPassFailure();
  }

  void raiseCountedLoops(gpu::GPUFuncOp kernel) {
    SmallVector<scf::WhileOp> loops;
    kernel.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::WhileOp loop : loops) {
      std::string reason;
      auto counted = gpuopt::matchCountedLoop(loop, reason);
      if (failed(counted)) {
        ++numWhile;
        sayMissed(gpuopt::RemarkCode::LoopNotCounted, kernel,
                  gpuopt::Refusal{loop.getLoc(), reason});
        continue;
      }
      Location loc = loop.getLoc();
      if (counted->needsTest())
        loop = gpuopt::versionCountedLoop(rewriter, loop, *counted);
      auto forOp = gpuopt::replaceCountedLoop(rewriter, loop, *counted);
      gpuopt::closeRecurrences(rewriter, forOp);
      ++numCounted;
      if (!counted->stepValue)
        sayPassed(gpuopt::RemarkCode::LoopCounted, kernel, loc,
                  {{"step", counted->step}});
      else
        sayPassed(counted->needsTest()
                      ? gpuopt::RemarkCode::LoopCountedWithinBounds
                      : gpuopt::RemarkCode::LoopCountedByValue,
                  kernel, loc);
    }
  }
};

} // namespace
