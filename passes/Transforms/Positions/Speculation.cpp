//===- Speculation.cpp - may a guarded body run unguarded? ----------------===//

#include "passes/Transforms/Positions/Speculation.h"

#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/IndexBounds.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gpuopt;

/// Whether `load` reads an element of a workgroup array, whoever runs it.
static bool isInsideTile(affine::AffineLoadOp load, IndexBounds &bounds) {
  MemRefType type = load.getMemRefType();
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) ||
      !type.hasStaticShape() || !isa<BlockArgument>(load.getMemref()))
    return false;
  auto isNeverNegative = [&](const Polynomial &form) {
    std::optional<int64_t> least = bounds.minimum(form).getConstant();
    return least && *least >= 0;
  };
  SmallVector<Polynomial> subscripts =
      bounds.formsOf(load.getAffineMap(), load.getMapOperands());
  return llvm::all_of(llvm::zip(subscripts, type.getShape()), [&](auto pair) {
    auto [subscript, extent] = pair;
    return isNeverNegative(subscript) &&
           isNeverNegative(Polynomial(extent) - subscript - 1);
  });
}

/// Whether the comparisons that `condition` is made of are all orderings.
static bool isBound(Value condition) {
  Conjunction conjunction;
  takeApart({condition, false}, conjunction);
  return conjunction.others.empty() &&
         llvm::none_of(conjunction.conjuncts, [](const Conjunct &part) {
           return part.predicate == arith::CmpIPredicate::eq ||
                  part.predicate == arith::CmpIPredicate::ne;
         });
}

bool gpuopt::isHarmlessUnguarded(scf::IfOp branch,
                                 std::array<int64_t, 3> blockShape) {
  // The values of the else branch are there before the branch.
  if (branch.getNumResults() == 0 || !branch.elseBlock() ||
      !branch.elseBlock()->without_terminator().empty() ||
      !isBound(branch.getCondition()))
    return false;
  IndexBounds bounds(branch->getParentOfType<FunctionOpInterface>(),
                     blockShape);
  return !branch.getThenRegion()
              .walk([&](Operation *op) {
                bool isHarmless;
                if (auto load = dyn_cast<affine::AffineLoadOp>(op))
                  isHarmless = isInsideTile(load, bounds);
                else if (auto loop = dyn_cast<affine::AffineForOp>(op))
                  // A counted loop ends whatever it computes.
                  isHarmless =
                      !mayBePoisonWithoutFlags(loop.getControlOperands());
                else
                  isHarmless = op->hasTrait<OpTrait::IsTerminator>() ||
                               (op->getNumRegions() == 0 && isTotal(op));
                return isHarmless ? WalkResult::advance()
                                  : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether `op` runs only where all `parts` hold.
static bool isGuardedBy(Operation *op, ArrayRef<Value> parts) {
  SmallVector<Value> known;
  for (const Condition &condition : conditionsAround(op))
    if (!condition.negated)
      collectConjuncts(condition.value, known);
  return llvm::all_of(
      parts, [&](Value part) { return llvm::is_contained(known, part); });
}

bool gpuopt::isWantedInsideOnly(scf::IfOp branch, OpResult result) {
  SmallVector<Value> parts;
  collectConjuncts(branch.getCondition(), parts);
  llvm::SetVector<Value> reached;
  reached.insert(result);
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      if (isGuardedBy(user, parts))
        continue;
      if (user == branch.elseYield()) {
        reached.insert(branch.getResult(use.getOperandNumber()));
        continue;
      }
      // Around a loop, or into one.
      auto loop = dyn_cast<LoopLikeOpInterface>(user);
      if (!loop && user->hasTrait<OpTrait::IsTerminator>())
        loop = dyn_cast_or_null<LoopLikeOpInterface>(user->getParentOp());
      if (!loop || !isa<affine::AffineForOp, scf::ForOp>(*loop) ||
          !loop.isDefinedOutsideOfLoop(branch.getCondition()))
        return false;
      unsigned carried = use.getOperandNumber();
      if (user == loop) {
        unsigned first = user->getNumOperands() - loop.getInits().size();
        if (carried < first)
          return false;
        carried -= first;
      }
      reached.insert(loop.getRegionIterArgs()[carried]);
      reached.insert(loop->getResult(carried));
    }
  return true;
}
