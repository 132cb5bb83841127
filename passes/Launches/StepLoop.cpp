//===- StepLoop.cpp - a loop of launches over halving steps ---------------===//

#include "passes/Launches/StepLoop.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Utils/Aliasing.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Whether `condition` is `value > 0` for values that are not negative. Loops
/// over negative ones may never end (`s != 0` with `s >>= 1`), and stay such
/// loops: only steps that the host finds positive are merged.
static bool isPositive(Value condition, Value value) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  llvm::APInt bound;
  if (!compare || compare.getLhs() != value ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
    return false;
  using Predicate = arith::CmpIPredicate;
  switch (compare.getPredicate()) {
  case Predicate::sgt:
  case Predicate::ugt:
  case Predicate::ne:
    return bound.isZero();
  case Predicate::sge:
  case Predicate::uge:
    return bound.isOne();
  default:
    return false;
  }
}

/// Whether `next` is half of `value`, rounded down, where that is positive.
static bool isHalf(Value next, Value value) {
  Operation *op = next.getDefiningOp();
  llvm::APInt by;
  if (!op || op->getNumOperands() != 2 || op->getOperand(0) != value ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&by)))
    return false;
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op))
    return by.isOne();
  return isa<arith::DivSIOp, arith::DivUIOp>(op) && by == 2;
}

/// Whether `condition` is `half > 0`, or says the same of `value` before it is
/// halved.
static bool isPositiveHalf(Value condition, Value half, Value value) {
  if (isPositive(condition, half))
    return true;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  llvm::APInt bound;
  if (!compare || compare.getLhs() != value ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&bound)) || !bound.isOne())
    return false;
  Operation *op = half.getDefiningOp();
  return compare.getPredicate() == arith::CmpIPredicate::sgt
             ? isa<arith::DivSIOp, arith::ShRSIOp>(op)
             : compare.getPredicate() == arith::CmpIPredicate::ugt &&
                   isa<arith::DivUIOp, arith::ShRUIOp>(op);
}

/// Emits the operation behind `half` for another value.
static Value emitHalf(OpBuilder &builder, Value half, Value value) {
  Operation *op = half.getDefiningOp();
  Operation *amount = builder.clone(*op->getOperand(1).getDefiningOp());
  Operation *copy = builder.clone(*op);
  copy->setOperands({value, amount->getResult(0)});
  return copy->getResult(0);
}

void gpuopt::rotate(StepLoop &steps) {
  if (!steps.halvesFirst)
    return;
  scf::WhileOp loop = steps.loop;
  scf::ConditionOp end = loop.getConditionOp();
  Value half = end.getArgs().front();
  auto compare = end.getCondition().getDefiningOp<arith::CmpIOp>();
  OpBuilder builder(loop);
  loop.getInitsMutable().assign(
      emitHalf(builder, half, loop.getInits().front()));
  scf::YieldOp yield = loop.getYieldOp();
  builder.setInsertionPoint(yield);
  yield.setOperand(0,
                   emitHalf(builder, half, loop.getAfterArguments().front()));
  builder.setInsertionPoint(end);
  Value step = loop.getBeforeArguments().front();
  Value zero = arith::ConstantOp::create(builder, end.getLoc(),
                                         builder.getZeroAttr(step.getType()));
  bool isUnsigned = compare.getPredicate() != arith::CmpIPredicate::sgt &&
                    compare.getPredicate() != arith::CmpIPredicate::sge;
  Value isPositiveStep = arith::CmpIOp::create(
      builder, end.getLoc(),
      isUnsigned ? arith::CmpIPredicate::ne : arith::CmpIPredicate::sgt, step,
      zero);
  end.getConditionMutable().assign(isPositiveStep);
  end.getArgsMutable().assign(step);
  steps.halvesFirst = false;
}

/// Whether the launch passes the arguments of the host function on, in their
/// order, and has the original grid and block.
static bool isOriginalLaunch(gpu::LaunchFuncOp launch, unsigned numArguments) {
  auto host = launch->getParentOfType<func::FuncOp>();
  auto isArgument = [&](Value value, unsigned number) {
    return number < host.getNumArguments() && value == host.getArgument(number);
  };
  for (unsigned i = 0; i < numArguments; ++i)
    if (!isArgument(launch.getKernelOperand(i), i))
      return false;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  unsigned first = host.getNumArguments() - 6;
  Value sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  for (auto [index, size] : llvm::enumerate(sizes))
    if (!isArgument(size, first + index))
      return false;
  return true;
}

static gpu::GPUFuncOp kernelOf(gpu::LaunchFuncOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
}

/// The launch before `loop`, with nothing but arithmetic between.
static gpu::LaunchFuncOp findLaunchBefore(scf::WhileOp loop) {
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      return launch;
    if (!isMemoryEffectFree(op))
      return {};
  }
  return {};
}

/// Whether the loop's launches are the last that the host function does.
static bool isLast(scf::WhileOp loop) {
  if (!isa<func::FuncOp>(loop->getParentOp()))
    return false;
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
    if (op->walk([](gpu::LaunchFuncOp) {
            return WalkResult::interrupt();
          }).wasInterrupted())
      return false;
  return true;
}

/// What the source says that counts of `array`: a number of leading elements,
/// or nothing where all do or the number is not a constant.
static std::optional<int64_t> outputElements(func::FuncOp host,
                                             unsigned array) {
  auto outputs = host->getAttrOfType<DictionaryAttr>(kOutputsAttrName);
  auto name = host.getArgAttrOfType<StringAttr>(array, kNameAttrName);
  if (!outputs || !name)
    return std::nullopt;
  auto extents = dyn_cast_or_null<ArrayAttr>(outputs.get(name.getValue()));
  if (!extents)
    return 0;
  int64_t elements = 1;
  for (Attribute text : extents) {
    int64_t extent;
    auto string = dyn_cast<StringAttr>(text);
    if (!string || string.getValue().trim().getAsInteger(0, extent))
      return std::nullopt;
    elements *= extent;
  }
  return extents.empty() ? std::nullopt : std::optional(elements);
}

static void readOutputs(StepLoop &steps) {
  if (!isLast(steps.loop))
    return;
  auto host = steps.loop->getParentOfType<func::FuncOp>();
  for (Value array : steps.step.written)
    if (auto elements =
            outputElements(host, cast<BlockArgument>(array).getArgNumber()))
      steps.outputs[array] = *elements;
}

/// The launch before the loop can be done with the first steps where it sets
/// each of its elements from other arrays, and only for them.
static void readFirst(StepLoop &steps) {
  gpu::LaunchFuncOp launch = findLaunchBefore(steps.loop);
  gpu::GPUFuncOp kernel = launch ? kernelOf(launch) : gpu::GPUFuncOp();
  if (!kernel || !isOriginalLaunch(launch, launch.getNumKernelOperands()))
    return;
  std::string unused;
  auto first = readGuardedKernel(kernel, std::nullopt, unused);
  if (!first || first->writesPartner)
    return;
  for (Value array : first->written) {
    Value same = steps.step.kernel.getArgument(
        cast<BlockArgument>(array).getArgNumber());
    if (!steps.step.written.contains(same) || !steps.outputs.contains(same))
      return;
  }
  for (auto [op, offset] : first->offsets)
    if (!isElementStore(op) || op->getParentOp() != first->guard)
      return;
  // What it reads, no step has written.
  bool readsSteps = false;
  first->guard.walk([&](Operation *op) {
    Value memref = arrayOfElement(op);
    if (!memref || isElementStore(op))
      return;
    auto array = cast<BlockArgument>(memoryRoot(memref));
    readsSteps |= steps.step.written.contains(
        steps.step.kernel.getArgument(array.getArgNumber()));
    for (Value written : steps.step.written)
      readsSteps |=
          mayAlias(array, first->kernel.getArgument(
                              cast<BlockArgument>(written).getArgNumber()));
  });
  if (readsSteps)
    return;
  steps.firstLaunch = launch;
  steps.first = std::move(*first);
}

std::optional<StepLoop> gpuopt::readStepLoop(scf::WhileOp loop,
                                             std::string &reason) {
  StepLoop steps;
  steps.loop = loop;
  auto no = [&](const Twine &why) {
    reason = why.str();
    return std::nullopt;
  };
  loop.getAfterBody()->walk([&](gpu::LaunchFuncOp op) { steps.launch = op; });
  if (!steps.launch)
    return no("it launches nothing");
  if (loop.getInits().size() != 1 || loop.getAfterArguments().size() != 1 ||
      !loop->use_empty())
    return no("it carries more than one value");
  Value before = loop.getBeforeArguments().front();
  Value step = loop.getAfterArguments().front();
  Value passed = loop.getConditionOp().getArgs().front();
  Value condition = loop.getConditionOp().getCondition();
  Value yielded = loop.getYieldOp().getOperand(0);
  steps.halvesFirst = passed != before;
  bool isHalving = steps.halvesFirst
                       ? isHalf(passed, before) && yielded == step &&
                             isPositiveHalf(condition, passed, before)
                       : isPositive(condition, before) && isHalf(yielded, step);
  if (!step.getType().isIntOrIndex() || !isHalving)
    return no("its steps are not s, s/2, … down to 1");
  for (Operation &op : loop.getAfterBody()->without_terminator())
    if (&op != steps.launch && !isMemoryEffectFree(&op))
      return no("each step is more than one launch");
  unsigned last = steps.launch.getNumKernelOperands() - 1;
  gpu::GPUFuncOp kernel = kernelOf(steps.launch);
  if (!kernel || steps.launch.getKernelOperand(last) != step ||
      !isOriginalLaunch(steps.launch, last))
    return no("its kernel takes more than the step besides its parameters");
  std::string ofButterflies;
  std::optional<GuardedKernel> read = readGuardedKernel(kernel, last, reason);
  if (!read && (read = readButterflies(kernel, last, ofButterflies))) {
    steps.step = std::move(*read);
    return steps;
  }
  if (!read) {
    if (!ofButterflies.empty())
      reason = ofButterflies;
    return std::nullopt;
  }
  steps.step = std::move(*read);
  readOutputs(steps);
  readFirst(steps);
  return steps;
}
