//===- PositionForm.cpp - kernels as functions of positions ---------------===//

#include "passes/Transforms/Positions/PositionForm.h"

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Transforms/Merge/MergeLegality.h"
#include "passes/Transforms/Positions/GrowWindows.h"
#include "passes/Transforms/Positions/IdExpressions.h"
#include "passes/Transforms/Positions/SharedArrays.h"
#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

namespace {
class FormFinder {
public:
  FormFinder(gpu::GPUFuncOp kernel, const UniformityAnalysis &uniformity,
             gpu::Dimension dimension)
      : kernel(kernel), uniformity(uniformity), dimension(dimension) {
    form.dimension = dimension;
    form.threads = geometryOf(kernel).getBlock()[unsigned(dimension)];
  }

  PositionForm run();

private:
  void refuseLoops(Operation *op, const Twine &reason);
  void refuse(Operation *op, const Twine &reason);

  void findLoops();
  void addLoop(affine::AffineParallelOp loop);
  std::optional<PositionForm::Loop> infer(affine::AffineParallelOp loop);
  bool checkInside(affine::AffineParallelOp loop,
                   const PositionForm::Loop &found);
  bool isMonotoneGuard(Operation *op) const;
  bool isCommon(affine::AffineParallelOp loop) const;
  bool isForeign(affine::AffineParallelOp loop, Value value) const;
  bool addArray(const IndexUse &store, const IdExpressions &ids,
                const PositionForm::Loop &found);
  void checkArrayUsers();

  void checkOperation(Operation *op);
  void checkUse(const IndexUse &use);
  void checkArrays();

  bool isVariantHere(Dependence dependence) const {
    return isVariant(dependence, dimension);
  }
  std::string idName(StringRef kind) const {
    return (kind + " " + gpu::stringifyDimension(dimension)).str();
  }

  gpu::GPUFuncOp kernel;
  const UniformityAnalysis &uniformity;
  gpu::Dimension dimension;
  PositionForm form;
};
} // namespace

void FormFinder::refuseLoops(Operation *op, const Twine &reason) {
  if (!form.loopObstacle)
    form.loopObstacle = Refusal{op->getLoc(), reason.str()};
}

void FormFinder::refuse(Operation *op, const Twine &reason) {
  if (!form.obstacle)
    form.obstacle = Refusal{op->getLoc(), reason.str()};
}

static bool isWorkgroupMemory(Value memref) {
  return memref && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
                       cast<MemRefType>(memref.getType()));
}

/// Which iterator of `loop` is the position in the block, by the first
/// expression that has the block's id in it.
std::optional<PositionForm::Loop>
FormFinder::infer(affine::AffineParallelOp loop) {
  std::optional<PositionForm::Loop> found;
  loop.getBody()->walk([&](Operation *op) {
    for (const IndexUse &use : indexUsesOf(op)) {
      for (auto [number, iterator] : llvm::enumerate(loop.getIVs())) {
        IdExpressions ids(use, dimension, iterator);
        for (AffineExpr expression : ids.results) {
          if (!ids.uses(expression, ids.block()))
            continue;
          std::optional<int64_t> perBlock = ids.slope(expression, ids.block());
          std::optional<int64_t> perStep = ids.slope(expression, ids.thread());
          if (!perBlock || !perStep || *perStep == 0 ||
              *perBlock % *perStep != 0 || *perBlock / *perStep <= 0)
            continue;
          found = {static_cast<unsigned>(number), *perBlock / *perStep};
          return WalkResult::interrupt();
        }
      }
    }
    return WalkResult::advance();
  });
  return found;
}

/// Notes the array that `store` fills by positions.
bool FormFinder::addArray(const IndexUse &store, const IdExpressions &ids,
                          const PositionForm::Loop &found) {
  Value array = store.getMemref();
  std::optional<unsigned> subscript;
  for (auto [number, expression] : llvm::enumerate(ids.results)) {
    if (ids.uses(expression, ids.block()) ||
        (ids.uses(expression, ids.thread()) &&
         (subscript || expression != ids.thread()))) {
      refuseLoops(store.op, "a workgroup array's subscript is no position");
      return false;
    }
    if (ids.uses(expression, ids.thread()))
      subscript = number;
  }
  bool isPlain = llvm::is_contained(kernel.getWorkgroupAttributions(), array) &&
                 cast<MemRefType>(array.getType()).getLayout().isIdentity();
  if (!subscript || !isPlain) {
    refuseLoops(store.op, "a collective loop stores what depends on " +
                              idName("block_id") +
                              " to an array without subscript for it");
    return false;
  }
  PositionForm::Array entry = {*subscript, found.stride};
  auto [known, isNew] = form.arrays.insert({array, entry});
  if (known->second.subscript == entry.subscript &&
      known->second.stride == entry.stride)
    return true;
  refuseLoops(store.op, "two collective loops fill a workgroup array by "
                        "different positions");
  return false;
}

/// Whether `value` comes from outside of `loop`, tells blocks apart, and is
/// nothing that index expressions are made of.
bool FormFinder::isForeign(affine::AffineParallelOp loop, Value value) const {
  return !loop.getRegion().isAncestor(value.getParentRegion()) &&
         !isa_and_nonnull<gpu::BlockIdOp, affine::AffineApplyOp>(
             value.getDefiningOp()) &&
         !isa<BaseMemRefType>(value.getType()) &&
         isVariantHere(uniformity.dependsOn(value));
}

/// Whether everything in `loop` that depends on the block is a function of the
/// position.
bool FormFinder::checkInside(affine::AffineParallelOp loop,
                             const PositionForm::Loop &found) {
  Value iterator = loop.getIVs()[found.iterator];
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (isInBlockTest(op, iterator, found.stride))
      return WalkResult::advance(); // it grows with the block
    SmallVector<IndexUse> uses = indexUsesOf(op);
    SmallVector<Value> operands(op->getOperands());
    for (const IndexUse &use : uses)
      llvm::append_range(operands, use.operands);
    if (llvm::any_of(operands, [&](Value v) { return isForeign(loop, v); })) {
      refuseLoops(op, "a collective loop uses a value that depends on " +
                          idName("block_id"));
      return WalkResult::interrupt();
    }
    bool stores = !isMemoryEffectFree(op) && isSubscriptedAccess(op) &&
                  op->getNumResults() == 0;
    for (const IndexUse &use : uses) {
      IdExpressions ids(use, dimension, iterator);
      if (isWorkgroupMemory(use.getMemref())) {
        if (stores && addArray(use, ids, found))
          continue;
        refuseLoops(op, "a collective loop loads from workgroup memory");
        return WalkResult::interrupt();
      }
      for (AffineExpr expression : ids.results)
        if (!ids.inPositions(expression, found.stride)) {
          refuseLoops(op, "'" + op->getName().getStringRef() +
                              "' in a collective loop uses " +
                              idName("block_id") + " apart from a position");
          return WalkResult::interrupt();
        }
    }
    // A use of the iterator that is no index expression.
    if (!isa<affine::AffineApplyOp>(op) && uses.empty() &&
        llvm::is_contained(op->getOperands(), iterator)) {
      refuseLoops(op, "'" + op->getName().getStringRef() +
                          "' uses the position in the block by itself");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Whether the position has a constant range that covers the stride.
static bool hasFullRange(affine::AffineParallelOp loop,
                         const PositionForm::Loop &found) {
  AffineMap lower = loop.getLowerBoundMap(found.iterator);
  AffineMap upper = loop.getUpperBoundMap(found.iterator);
  return lower.isSingleConstant() && lower.getSingleConstantResult() == 0 &&
         upper.isSingleConstant() &&
         upper.getSingleConstantResult() >= found.stride &&
         loop.getSteps()[found.iterator] == 1;
}

/// Whether `value` is nothing but a condition that has to hold, alone or with
/// others, for an `scf.if` to run.
static bool isOnlyRequired(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    if (auto both = dyn_cast<arith::AndIOp>(user))
      return isOnlyRequired(both.getResult());
    auto branch = dyn_cast<scf::IfOp>(user);
    return branch && branch.getNumResults() == 0 && !branch.elseBlock();
  });
}

/// Whether `op` is a guard that holds for each block before one for which it
/// holds: f(block_id) < n where f grows.
bool FormFinder::isMonotoneGuard(Operation *op) const {
  auto comparison = dyn_cast<arith::CmpIOp>(op);
  if (!comparison || !isOnlyRequired(comparison.getResult()))
    return false;
  arith::CmpIPredicate predicate = comparison.getPredicate();
  bool isLess = predicate == arith::CmpIPredicate::slt ||
                predicate == arith::CmpIPredicate::sle;
  bool isGreater = predicate == arith::CmpIPredicate::sgt ||
                   predicate == arith::CmpIPredicate::sge;
  Value larger = comparison.getOperand(isLess ? 1 : 0);
  if ((!isLess && !isGreater) || isVariantHere(uniformity.dependsOn(larger)))
    return false;
  for (const IndexUse &use : indexUsesOf(op)) {
    IdExpressions ids(use, dimension);
    if (!ids.uses(ids.results.front(), ids.block()))
      continue;
    std::optional<int64_t> slope = ids.slope(ids.results.front(), ids.block());
    if (!slope || *slope < 0)
      return false;
  }
  return true;
}

/// Whether `loop` fills arrays with the same for all blocks, see `commonLoops`.
/// What a block reads that has no work item is undefined, so that it may be
/// what another block's guard lets through.
bool FormFinder::isCommon(affine::AffineParallelOp loop) const {
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    bool stores = hasEffect<MemoryEffects::Write>(op);
    for (const IndexUse &use : indexUsesOf(op)) {
      if (stores && isVariantHere(uniformity.contentsDependOn(use.getMemref())))
        return WalkResult::interrupt();
      IdExpressions ids(use, dimension);
      bool usesBlock = llvm::any_of(ids.results, [&](AffineExpr expression) {
        return ids.uses(expression, ids.block());
      });
      bool usesOther = llvm::any_of(use.operands, [&](Value operand) {
        return isForeign(loop, operand);
      });
      if (usesOther || (usesBlock && !isMonotoneGuard(op)))
        return WalkResult::interrupt();
    }
    bool usesOther = llvm::any_of(op->getOperands(), [&](Value operand) {
      return isForeign(loop, operand);
    });
    return usesOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

void FormFinder::addLoop(affine::AffineParallelOp loop) {
  bool isDependent =
      loop.getBody()
          ->walk([&](Operation *op) {
            bool uses = llvm::any_of(op->getOperands(), [&](Value operand) {
              return !isa<BaseMemRefType>(operand.getType()) &&
                     isVariantHere(uniformity.dependsOn(operand));
            });
            return uses ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (!isDependent)
    return;
  if (isVariantHere(uniformity.controlDependsOn(loop)))
    return refuseLoops(loop, "not every block gets to a collective loop");
  std::optional<PositionForm::Loop> found = infer(loop);
  if (!found && isCommon(loop)) {
    form.commonLoops.insert(loop);
    return;
  }
  if (!found)
    return refuseLoops(loop, "no iterator of a collective loop is a position "
                             "along " +
                                 gpu::stringifyDimension(dimension));
  if (!hasFullRange(loop, *found))
    return refuseLoops(loop, "a collective loop does not start at the block's "
                             "first position or is too short");
  if (checkInside(loop, *found))
    form.loops.insert({loop, *found});
}

/// Position arrays are only accessed by subscripts, and only filled by the
/// collective loops over positions.
void FormFinder::checkArrayUsers() {
  llvm::SmallPtrSet<void *, 8> unsynchronised =
      findUnsynchronisedArrays(kernel);
  for (auto &entry : form.arrays) {
    if (unsynchronised.contains(entry.first.getAsOpaquePointer()))
      refuseLoops(form.loops.front().first,
                  "no barrier separates a collective loop from "
                  "accesses to what it fills");
    for (Operation *user : entry.first.getUsers()) {
      bool isFilledHere = llvm::any_of(form.loops, [&](auto &loop) {
        return loop.first->isProperAncestor(user);
      });
      if (!isSubscriptedAccess(user) ||
          (user->getNumResults() == 0 && !isFilledHere))
        refuseLoops(user, "a workgroup array is filled by a collective loop "
                          "over positions and used otherwise as well");
    }
  }
}

void FormFinder::findLoops() {
  kernel.getBody().walk([&](affine::AffineParallelOp loop) {
    if (isCollective(loop))
      addLoop(loop);
  });
  checkArrayUsers();
  if (!form.loopObstacle)
    return;
  form.loops.clear();
  form.commonLoops.clear();
  form.arrays.clear();
  form.obstacle = form.loopObstacle;
}

void FormFinder::checkUse(const IndexUse &use) {
  IdExpressions ids(use, dimension);
  Value memref = use.getMemref();
  auto array = form.arrays.find(memref);
  for (auto [number, expression] : llvm::enumerate(ids.results)) {
    bool isFree = !ids.uses(expression, ids.block()) &&
                  !ids.uses(expression, ids.thread());
    if (isFree)
      continue;
    if (array != form.arrays.end() && number == array->second.subscript) {
      std::optional<int64_t> slope = ids.slope(expression, ids.thread());
      if (ids.uses(expression, ids.block()) || !slope ||
          *slope * form.threads != array->second.stride)
        refuse(use.op, "a subscript of workgroup memory is not the thread's "
                       "position along " +
                           gpu::stringifyDimension(dimension));
    } else if (isWorkgroupMemory(memref)) {
      refuse(use.op,
             "a workgroup array that does not belong to positions is "
             "indexed by " +
                 idName(ids.uses(expression, ids.thread()) ? "thread_id"
                                                           : "block_id"));
    } else if (!ids.inThreadPositions(expression, form.threads)) {
      refuse(use.op,
             "'" + use.op->getName().getStringRef() + "' uses " +
                 idName(ids.uses(expression, ids.thread()) ? "thread_id"
                                                           : "block_id") +
                 " apart from block_id * " + Twine(form.threads) +
                 " + thread_id");
    }
  }
}

void FormFinder::checkOperation(Operation *op) {
  if (std::optional<std::string> reason = dependsOnThreadGrouping(op))
    return refuse(op, *reason);
  for (const IndexUse &use : indexUsesOf(op))
    checkUse(use);
  // Position arrays have an extent for each subscript.
  for (Value operand : op->getOperands())
    if (form.arrays.contains(operand) && !isSubscriptedAccess(op))
      refuse(op, "a workgroup array is used as a whole");
}

/// Arrays that do not belong to positions have to be the same for all blocks.
void FormFinder::checkArrays() {
  llvm::SmallPtrSet<void *, 8> unsynchronised =
      findUnsynchronisedArrays(kernel);
  for (Value array : kernel.getWorkgroupAttributions()) {
    if (form.arrays.contains(array))
      continue;
    auto isStoreOfSome = [&](Operation *user) {
      bool isInCommonLoop =
          llvm::any_of(form.commonLoops, [&](Operation *loop) {
            return loop->isProperAncestor(user);
          });
      return hasEffect<MemoryEffects::Write>(user) && !isInCommonLoop &&
             isVariantHere(uniformity.controlDependsOn(user));
    };
    bool isCommon = !isVariantHere(uniformity.contentsDependOn(array)) &&
                    !unsynchronised.contains(array.getAsOpaquePointer()) &&
                    llvm::none_of(usersThroughViews(array), isStoreOfSome);
    if (!isCommon && !form.obstacle)
      form.obstacle =
          Refusal{array.getLoc(),
                  "a workgroup array does not belong to positions, and blocks "
                  "fill it differently"};
  }
}

PositionForm FormFinder::run() {
  findLoops();
  if (form.obstacle)
    return form;
  checkArrays();
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (form.isSingleLoop(op))
      return WalkResult::skip();
    checkOperation(op);
    return WalkResult::advance();
  });
  return form;
}

PositionForm gpuopt::computePositionForm(gpu::GPUFuncOp kernel,
                                         const UniformityAnalysis &uniformity,
                                         gpu::Dimension dimension) {
  return FormFinder(kernel, uniformity, dimension).run();
}
