//===- MergeGridSteps.cpp - several steps in one launch -------------------===//

#include "passes/Analysis/Remarks.h"
#include "passes/Launches/ButterflyKernels.h"
#include "passes/Launches/Passes.h"
#include "passes/Launches/StepEmitter.h"
#include "passes/Launches/StepKernels.h"
#include "passes/Launches/StepLoop.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace gpuopt {
#define GEN_PASS_DEF_MERGEGRIDSTEPS
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Threads of a block of merged butterflies.
static constexpr int64_t kThreads = 256;

namespace {
/// Rewrites the host's side of one loop.
class HostRewriter {
public:
  HostRewriter(StepLoop &steps, const StepShape &shape)
      : steps(steps), shape(shape),
        builder(steps.loop.getLoc(), steps.loop.getContext()) {}

  void mergeLoop();
  void mergeFirst();
  void mergeButterflies();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, predicate, left, right);
  }
  Value both(Value left, Value right) {
    return arith::AndIOp::create(builder, left, right);
  }
  Value toIndex(Value value) {
    return value.getType().isIndex()
               ? value
               : arith::IndexCastOp::create(builder, builder.getIndexType(),
                                            value)
                     .getResult();
  }
  Value isCovered(Value items);
  Value isSmall(Value step);
  Value canMerge(Value step);
  Value isReadOrUnwanted(Value step, Value extent);
  Value choose(Value condition, Type type, function_ref<Value()> then,
               function_ref<Value()> otherwise);
  Value launchLast(gpu::GPUFuncOp kernel, Value step);
  Value launchBlocks(gpu::GPUFuncOp kernel, Value step);
  Value areWhole(Value step, Value items);
  Value launchButterflies(gpu::GPUFuncOp kernel, unsigned levels, Value step,
                          Value items);
  void launch(gpu::GPUFuncOp kernel, Value blocks, int64_t threads, Value step);

  StepLoop &steps;
  const StepShape &shape;
  ImplicitLocOpBuilder builder;
};
} // namespace

/// The original launch has at least `items` work items, in one dimension.
Value HostRewriter::isCovered(Value items) {
  gpu::KernelDim3 grid = steps.launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = steps.launch.getBlockSizeOperandValues();
  auto product = [&](Value left, Value right) -> Value {
    return arith::MulIOp::create(builder, left, right);
  };
  Value across = product(product(grid.y, grid.z), product(block.y, block.z));
  Value isFlat = compare(arith::CmpIPredicate::eq, across, constant(1));
  return both(isFlat, compare(arith::CmpIPredicate::sle, items,
                              product(grid.x, block.x)));
}

Value HostRewriter::isSmall(Value step) {
  return compare(arith::CmpIPredicate::sle, step, constant(shape.lastStep));
}

/// Whether a launch of many blocks can do several steps, of which `step` is too
/// large for one block.
Value HostRewriter::canMerge(Value step) {
  if (!needsWholeSteps(steps))
    return arith::ConstantIntOp::create(builder, 1, 1);
  Value rest =
      arith::RemSIOp::create(builder, step, constant(shape.blockFactor()));
  return compare(arith::CmpIPredicate::eq, rest, constant(0));
}

Value HostRewriter::choose(Value condition, Type type,
                           function_ref<Value()> then,
                           function_ref<Value()> otherwise) {
  auto branch = scf::IfOp::create(builder, TypeRange{type}, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, then());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, otherwise());
  return branch.getResult(0);
}

void HostRewriter::launch(gpu::GPUFuncOp kernel, Value blocks, int64_t threads,
                          Value step) {
  Value one = constant(1);
  SmallVector<Value> operands(steps.launch.getKernelOperands().drop_back());
  operands.push_back(step);
  gpu::LaunchFuncOp::create(builder, kernel, gpu::KernelDim3{blocks, one, one},
                            gpu::KernelDim3{constant(threads), one, one},
                            /*dynamicSharedMemorySize=*/Value(), operands);
}

/// Launches the one block and returns the next step, none.
Value HostRewriter::launchLast(gpu::GPUFuncOp kernel, Value step) {
  launch(kernel, constant(1), shape.lastThreads, step);
  return arith::ConstantOp::create(builder,
                                   builder.getZeroAttr(step.getType()));
}

/// Launches blocks for all classes and returns the next step.
Value HostRewriter::launchBlocks(gpu::GPUFuncOp kernel, Value step) {
  unsigned shift = llvm::Log2_64(shape.blockFactor());
  Value classes =
      arith::ShRSIOp::create(builder, toIndex(step), constant(shift));
  Value blocks =
      arith::CeilDivSIOp::create(builder, classes, constant(shape.lanes));
  launch(kernel, blocks, shape.rows * shape.lanes, step);
  Value by = arith::ConstantOp::create(
      builder, builder.getIntegerAttr(step.getType(), shift + 1));
  return arith::ShRSIOp::create(builder, step, by);
}

/// In each iteration one block, merged steps, or one step as before.
void HostRewriter::mergeLoop() {
  gpu::GPUFuncOp last = createLastSteps(steps, shape, false);
  gpu::GPUFuncOp blocks = createBlockSteps(steps, shape, false);
  scf::YieldOp yield = steps.loop.getYieldOp();
  Value next = yield.getOperand(0);
  Value step = steps.loop.getAfterArguments().front();
  Type type = step.getType();
  builder.setInsertionPoint(steps.launch);
  Value index = toIndex(step);
  Value isPositive = compare(arith::CmpIPredicate::sgt, index, constant(0));
  Value isKnown = both(isPositive, isCovered(index));
  builder.setInsertionPoint(yield);
  Value chosen = choose(
      both(isKnown, isSmall(index)), type,
      [&] { return launchLast(last, step); },
      [&] {
        return choose(
            both(isKnown, canMerge(index)), type,
            [&] { return launchBlocks(blocks, step); },
            [&] {
              steps.launch->moveBefore(builder.getInsertionBlock(),
                                       builder.getInsertionPoint());
              return next;
            });
      });
  yield.setOperand(0, chosen);
}

/// Whether the first step reads all elements below `extent` that are wanted,
/// and no others: it stores what the launch before the loop sets of them.
Value HostRewriter::isReadOrUnwanted(Value step, Value extent) {
  Value twice = arith::MulIOp::create(builder, step, constant(2));
  Value areAllRead = compare(arith::CmpIPredicate::eq, twice, extent);
  if (needsWholeSteps(steps))
    return areAllRead;
  int64_t most = 0;
  for (Value array : steps.step.written)
    most = std::max(
        most,
        *wantedElements(steps, cast<BlockArgument>(array).getArgNumber()));
  Value areSet = compare(arith::CmpIPredicate::sle, twice, extent);
  Value areWantedRead =
      compare(arith::CmpIPredicate::sle, constant(most), twice);
  return arith::OrIOp::create(builder, areAllRead, both(areSet, areWantedRead));
}

/// The launch before the loop goes with the first steps where these read what
/// it sets, all of it, and do not need it to be set elsewhere.
void HostRewriter::mergeFirst() {
  gpu::GPUFuncOp last = createLastSteps(steps, shape, true);
  gpu::GPUFuncOp blocks = createBlockSteps(steps, shape, true);
  Value step = steps.loop.getInits().front();
  Type type = step.getType();
  builder.setInsertionPoint(steps.loop);
  Value index = toIndex(step);
  Value extent =
      toIndex(steps.firstLaunch.getKernelOperand(steps.first.extent));
  Value isPositive = compare(arith::CmpIPredicate::sgt, index, constant(0));
  Value isKnown = both(both(isPositive, isReadOrUnwanted(index, extent)),
                       isCovered(extent));
  Value small = isSmall(index);
  Value canDo = arith::OrIOp::create(builder, small, canMerge(index));
  Value chosen = choose(
      both(isKnown, canDo), type,
      [&] {
        return choose(
            small, type, [&] { return launchLast(last, step); },
            [&] { return launchBlocks(blocks, step); });
      },
      [&] {
        steps.firstLaunch->moveBefore(builder.getInsertionBlock(),
                                      builder.getInsertionPoint());
        return step;
      });
  steps.loop.getInitsMutable().assign(chosen);
}

/// Whether all work items below `items` act in this step and in its halves,
/// and none beyond.
Value HostRewriter::areWhole(Value step, Value items) {
  Value rest = arith::RemSIOp::create(builder, items, step);
  Value zero = constant(0);
  Value isWhole = both(compare(arith::CmpIPredicate::sgt, items, zero),
                       compare(arith::CmpIPredicate::eq, rest, zero));
  if (!steps.step.butterflies->needsPowerOfTwo)
    return isWhole;
  Value below = arith::SubIOp::create(builder, step, constant(1));
  Value bits = arith::AndIOp::create(builder, step, below);
  return both(isWhole, compare(arith::CmpIPredicate::eq, bits, zero));
}

/// Launches a thread for each group of elements; returns the next step.
Value HostRewriter::launchButterflies(gpu::GPUFuncOp kernel, unsigned levels,
                                      Value step, Value items) {
  Value threads = arith::ShRUIOp::create(builder, items, constant(levels - 1));
  Value blocks =
      arith::CeilDivSIOp::create(builder, threads, constant(kThreads));
  launch(kernel, blocks, kThreads, step);
  Value by = arith::ConstantOp::create(
      builder, builder.getIntegerAttr(step.getType(), levels));
  return arith::ShRUIOp::create(builder, step, by);
}

/// In each iteration three steps, two, or one as before.
void HostRewriter::mergeButterflies() {
  gpu::GPUFuncOp three = createButterflies(steps, 3);
  gpu::GPUFuncOp two = createButterflies(steps, 2);
  scf::YieldOp yield = steps.loop.getYieldOp();
  Value next = yield.getOperand(0);
  Value step = steps.loop.getAfterArguments().front();
  builder.setInsertionPoint(yield);
  Value index = toIndex(step);
  Value items = emitItemCount(builder, steps, steps.launch.getKernelOperands());
  Value isKnown = both(compare(arith::CmpIPredicate::sgt, index, constant(0)),
                       both(isCovered(items), areWhole(index, items)));
  auto isMultiple = [&](int64_t factor) {
    Value rest = arith::RemSIOp::create(builder, index, constant(factor));
    return both(isKnown, compare(arith::CmpIPredicate::eq, rest, constant(0)));
  };
  Value chosen = choose(
      isMultiple(4), step.getType(),
      [&] { return launchButterflies(three, 3, step, items); },
      [&] {
        return choose(
            isMultiple(2), step.getType(),
            [&] { return launchButterflies(two, 2, step, items); },
            [&] {
              steps.launch->moveBefore(builder.getInsertionBlock(),
                                       builder.getInsertionPoint());
              return next;
            });
      });
  yield.setOperand(0, chosen);
}

namespace {
class MergeGridSteps : public gpuopt::impl::MergeGridStepsBase<MergeGridSteps> {
  using MergeGridStepsBase::MergeGridStepsBase;

  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation()->walk([&](scf::WhileOp loop) {
      bool launches = false;
      loop->walk([&](gpu::LaunchFuncOp) { launches = true; });
      if (launches && isa<func::FuncOp>(loop->getParentOp()))
        loops.push_back(loop);
    });
    for (scf::WhileOp loop : loops)
      if (failed(merge(loop)))
        return signalPassFailure();
  }

  LogicalResult merge(scf::WhileOp loop) {
    auto host = cast<func::FuncOp>(loop->getParentOp());
    std::string reason;
    std::optional<StepLoop> steps = readStepLoop(loop, reason);
    if (!steps) {
      sayMissed(RemarkCode::GridStepsNotMerged, host,
                Refusal{loop.getLoc(), reason});
      return success();
    }
    FailureOr<TargetAttr> description = resolveTarget(loop, target);
    if (failed(description))
      return failure();
    StepShape shape = computeStepShape(*steps, *description);
    Location loc = loop.getLoc();
    rotate(*steps);
    HostRewriter rewriter(*steps, shape);
    if (steps->step.butterflies) {
      rewriter.mergeButterflies();
      sayPassed(RemarkCode::ButterfliesMerged, host, loc);
      ++numMerged;
      return success();
    }
    rewriter.mergeLoop();
    if (steps->firstLaunch)
      rewriter.mergeFirst();
    unsigned merged =
        shape.levels + static_cast<unsigned>(llvm::Log2_64(shape.rows));
    sayPassed(RemarkCode::GridStepsMerged, host, loc,
              {{"steps", merged},
               {"last", shape.lastStep},
               {"more", steps->firstLaunch
                            ? "; the launch before the loop, which sets what "
                              "the first steps read, with them"
                            : ""}});
    ++numMerged;
    return success();
  }
};
} // namespace
