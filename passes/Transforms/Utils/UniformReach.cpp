//===- UniformReach.cpp - bring all threads to one place ------------------===//

#include "passes/Transforms/Utils/UniformReach.h"

#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/Poison.h"
#include "passes/Transforms/Utils/StripLoop.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// Whether a value of this type can stand in where a thread has none.
static bool hasZero(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && hasZero(vector.getElementType());
  return isa<IntegerType, IndexType, FloatType>(type);
}

Value gpuopt::createZero(OpBuilder &builder, Location loc, Type type) {
  if (!hasZero(type))
    return {};
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// The operands of a loop that say how often it runs.
static SmallVector<Value> boundsOf(Operation *loop) {
  SmallVector<Value> bounds;
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    return {counted.getLowerBound(), counted.getUpperBound(),
            counted.getStep()};
  auto affineLoop = cast<affine::AffineForOp>(loop);
  bounds.append(affineLoop.getLowerBoundOperands().begin(),
                affineLoop.getLowerBoundOperands().end());
  bounds.append(affineLoop.getUpperBoundOperands().begin(),
                affineLoop.getUpperBoundOperands().end());
  return bounds;
}

/// Whether `op` can run before the guard that it stands under.
static bool canHoist(Operation *op) {
  return op->getNumRegions() == 0 && isTotal(op);
}

/// Returns why an operation before `op` in its block keeps it from being taken
/// out of the block, if one does.
static std::string whyNotSplittable(Operation *op) {
  for (Operation &before :
       llvm::make_range(op->getBlock()->begin(), op->getIterator())) {
    if (canHoist(&before))
      continue;
    for (Value result : before.getResults())
      if (!hasZero(result.getType()))
        return ("the result of '" + before.getName().getStringRef() +
                "' cannot leave the condition around it")
            .str();
  }
  return {};
}

std::string gpuopt::whyNotReachable(Operation *op) {
  for (Operation *child = op; !isa<gpu::GPUFuncOp>(child->getParentOp());
       child = child->getParentOp()) {
    Operation *parent = child->getParentOp();
    if (!child->getBlock()->getParent()->hasOneBlock())
      return "the control flow around it is not structured";
    if (isa<scf::IfOp>(parent)) {
      for (Value result : parent->getResults())
        if (!hasZero(result.getType()))
          return "a condition around it yields a memref";
      if (std::string reason = whyNotSplittable(child); !reason.empty())
        return reason;
      continue;
    }
    if (!isa<affine::AffineForOp, scf::ForOp>(parent))
      return ("it stands in '" + parent->getName().getStringRef() +
              "', which threads may leave at different times")
          .str();
    BlockSlice bounds = computeSlice(boundsOf(parent));
    if (!bounds.isUniform())
      return "the threads of a block run a loop around it differently often";
    if (mayBePoisonWithoutFlags(boundsOf(parent)))
      return "the bounds of a loop around it may have no value in some threads";
    if (std::string reason = whyNotSplittable(child); !reason.empty())
      return reason;
  }
  return {};
}

/// Wraps all of `block` but its terminator in `scf.if guard`. Other threads
/// yield `others`, or zeros where that is empty.
static void guardBlock(Block &block, Value guard, ValueRange others) {
  Operation *terminator = block.getTerminator();
  if (&block.front() == terminator)
    return;
  Location loc = terminator->getLoc();
  // Only what is computed here has to come out of the guard.
  SmallVector<unsigned> numbers;
  SmallVector<Value> yielded;
  for (OpOperand &operand : terminator->getOpOperands()) {
    Operation *definition = operand.get().getDefiningOp();
    if (!definition || definition->getBlock() != &block)
      continue;
    numbers.push_back(operand.getOperandNumber());
    yielded.push_back(operand.get());
  }
  OpBuilder builder(&block, block.begin());
  auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(yielded)),
                                  guard, /*withElse=*/!yielded.empty());
  Block *body = branch.thenBlock();
  if (yielded.empty())
    body->getTerminator()->erase();
  body->getOperations().splice(body->end(), block.getOperations(),
                               std::next(branch->getIterator()),
                               terminator->getIterator());
  builder.setInsertionPointToEnd(body);
  scf::YieldOp::create(builder, loc, yielded);
  if (yielded.empty())
    return;
  builder.setInsertionPointToEnd(branch.elseBlock());
  SmallVector<Value> defaults;
  for (auto [number, value] : llvm::zip_equal(numbers, yielded))
    defaults.push_back(others.empty()
                           ? createZero(builder, loc, value.getType())
                           : others[number]);
  scf::YieldOp::create(builder, loc, defaults);
  for (auto [number, result] : llvm::zip_equal(numbers, branch.getResults()))
    terminator->setOperand(number, result);
}

/// Whether `step` is positive in every thread.
static bool isPositive(Value step) {
  if (std::optional<int64_t> constant = getConstantIntValue(step))
    return *constant > 0;
  if (auto product = step.getDefiningOp<arith::MulIOp>())
    return isPositive(product.getLhs()) && isPositive(product.getRhs());
  Operation *op = step.getDefiningOp();
  return isa_and_nonnull<gpu::BlockDimOp, gpu::GridDimOp>(op);
}

/// The guard may be what keeps a loop from counting by zero.
static void keepStepPositive(scf::ForOp loop) {
  Value step = loop.getStep();
  if (isPositive(step))
    return;
  OpBuilder builder(loop);
  Value one = arith::ConstantOp::create(builder, loop.getLoc(),
                                        builder.getOneAttr(step.getType()));
  Value positive =
      loop.getUnsignedCmp()
          ? arith::MaxUIOp::create(builder, loop.getLoc(), step, one)
                .getResult()
          : arith::MaxSIOp::create(builder, loop.getLoc(), step, one);
  loop.getStepMutable().assign(positive);
}

/// Makes what `op` does depend on `guard`, while all threads reach it.
static void pushGuard(Operation *op, Value guard) {
  if (isa<affine::AffineForOp, scf::ForOp>(op))
    dropPoisonFlagsBehind(boundsOf(op));
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return guardBlock(*loop.getBody(), guard, loop.getRegionIterArgs());
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    keepStepPositive(loop);
    return guardBlock(*loop.getBody(), guard, loop.getRegionIterArgs());
  }
  auto branch = cast<scf::IfOp>(op);
  if (!branch.getElseRegion().empty())
    guardBlock(*branch.elseBlock(), guard, {});
  Value condition = branch.getCondition();
  if (computeSlice(condition).isUniform()) {
    dropPoisonFlagsBehind(condition);
    if (!mayBePoison(condition))
      return guardBlock(*branch.thenBlock(), guard, {});
  }
  OpBuilder builder(op);
  branch.getConditionMutable().assign(
      createConjunction(builder, op->getLoc(), guard, condition));
}

/// Takes what stands before `op` in its block, a region of `branch`, out of
/// `branch`: in front of it where that is harmless, else under a guard of its
/// own.
static void splitBefore(scf::IfOp branch, Operation *op, Value guard) {
  Block *block = op->getBlock();
  SmallVector<Operation *> remaining;
  for (Operation &before : llvm::make_early_inc_range(
           llvm::make_range(block->begin(), op->getIterator()))) {
    bool isFree = canHoist(&before) &&
                  llvm::all_of(before.getOperands(), [&](Value operand) {
                    return operand.getParentBlock() != block;
                  });
    if (isFree)
      before.moveBefore(branch);
    else
      remaining.push_back(&before);
  }
  if (remaining.empty())
    return;

  SmallVector<Value> leaving;
  llvm::SmallPtrSet<Operation *, 16> inside(remaining.begin(), remaining.end());
  for (Operation *before : remaining)
    for (Value result : before->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !inside.contains(block->findAncestorOpInBlock(*user));
          }))
        leaving.push_back(result);

  OpBuilder builder(branch);
  Location loc = branch.getLoc();
  auto first = scf::IfOp::create(builder, loc, TypeRange(ValueRange(leaving)),
                                 guard, /*withElse=*/!leaving.empty());
  Block *body = first.thenBlock();
  if (leaving.empty())
    body->getTerminator()->erase();
  for (Operation *before : remaining)
    before->moveBefore(body, body->end());
  for (auto [value, result] : llvm::zip_equal(leaving, first.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !first->isAncestor(use.getOwner());
    });
  builder.setInsertionPointToEnd(body);
  scf::YieldOp::create(builder, loc, leaving);
  if (leaving.empty())
    return;
  builder.setInsertionPointToEnd(first.elseBlock());
  SmallVector<Value> zeros;
  for (Value value : leaving)
    zeros.push_back(createZero(builder, loc, value.getType()));
  scf::YieldOp::create(builder, loc, zeros);
}

/// The outermost condition around `op` that differs among the threads.
static scf::IfOp outermostGuard(Operation *op) {
  scf::IfOp outermost;
  for (Operation *parent = op->getParentOp(); !isa<gpu::GPUFuncOp>(parent);
       parent = parent->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      if (!computeSlice(branch.getCondition()).isUniform())
        outermost = branch;
  return outermost;
}

/// Gives what all threads of a block agree on in the condition of `branch`, a
/// conjunction without alternative, an `scf.if` of its own around `branch`. It
/// stays there, and a loop that it keeps from running does not run.
///
///   scf.if %x < %n && %s < 6 { body }  →  scf.if %s < 6 {
///                                           scf.if %x < %n { body }
///                                         }
static void splitUniformConditions(scf::IfOp branch) {
  if (!branch.getElseRegion().empty())
    return;
  SmallVector<Value> conditions, uniform, different;
  collectConjuncts(branch.getCondition(), conditions);
  for (Value condition : conditions)
    (computeSlice(condition).isUniform() ? uniform : different)
        .push_back(condition);
  if (uniform.empty())
    return;
  OpBuilder builder(branch);
  auto conjunction = [&](ArrayRef<Value> parts) {
    Value all;
    for (Value part : parts)
      all = conjoin(builder, branch.getLoc(), all, part);
    return all;
  };
  branch.getConditionMutable().assign(conjunction(different));
  auto around = scf::IfOp::create(builder, branch.getLoc(),
                                  conjunction(uniform), /*withElse=*/false);
  branch->moveBefore(around.thenBlock()->getTerminator());
}

/// Erases `branch` where nothing is left in it.
static void eraseIfEmpty(scf::IfOp branch) {
  if (branch->getNumResults() > 0 ||
      !branch.thenBlock()->without_terminator().empty())
    return;
  if (!branch.getElseRegion().empty() &&
      !branch.elseBlock()->without_terminator().empty())
    return;
  branch.erase();
}

Value gpuopt::bringAllThreads(Operation *op) {
  while (scf::IfOp branch = outermostGuard(op)) {
    splitUniformConditions(branch);
    bool isThen = branch.getThenRegion().isAncestor(op->getParentRegion());
    Block *block = isThen ? branch.thenBlock() : branch.elseBlock();
    Operation *inner = block->findAncestorOpInBlock(*op);
    OpBuilder builder(branch);
    Value guard = branch.getCondition();
    if (!isThen) {
      Value yes = arith::ConstantOp::create(builder, branch.getLoc(),
                                            builder.getBoolAttr(true));
      guard = arith::XOrIOp::create(builder, branch.getLoc(), guard, yes);
    }
    splitBefore(branch, inner, guard);
    inner->moveBefore(branch);
    // Results of `inner` stay zero or unchanged where the guard is false, and
    // are used under the guard only.
    if (inner == op) {
      eraseIfEmpty(branch);
      return guard;
    }
    pushGuard(inner, guard);
    eraseIfEmpty(branch);
  }
  return {};
}
