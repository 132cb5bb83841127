//===- PromoteMemory.cpp - keep what a loop accumulates in a register -----===//
//
// check (Promotion) → apply → remark, from the innermost loop out: what an
// inner loop leaves as one load and one store, the outer one may take further.
//
//===----------------------------------------------------------------------===//

#include "passes/Raising/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace gpuopt {
#define GEN_PASS_DEF_PROMOTEMEMORY
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;

namespace {

/// An element of a memref, by the values that name it.
struct Element {
  Value memref;
  ValueRange indices;

  bool operator==(const Element &other) const {
    return memref == other.memref && llvm::equal(indices, other.indices);
  }
};

/// The element that a scalar load or store touches.
std::optional<Element> getElement(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return Element{load.getMemRef(), load.getIndices()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return Element{store.getMemRef(), store.getIndices()};
  return std::nullopt;
}

/// The memref that an operation accesses, if it is all that it accesses.
Value getAccessedMemref(Operation *op) {
  if (auto element = getElement(op))
    return element->memref;
  if (isa<memref::AtomicRMWOp>(op))
    return op->getOperand(1);
  if (isa<vector::LoadOp>(op))
    return op->getOperand(0);
  if (isa<vector::StoreOp>(op))
    return op->getOperand(1);
  return nullptr;
}

/// A buffer that the kernel itself makes: in workgroup or private memory.
bool isOwnBuffer(Value memref) {
  if (isa_and_nonnull<memref::AllocaOp>(memref.getDefiningOp()))
    return true;
  auto argument = dyn_cast<BlockArgument>(memref);
  auto kernel =
      argument ? dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp())
               : gpu::GPUFuncOp();
  return kernel &&
         argument.getArgNumber() >= kernel.getFunctionType().getNumInputs();
}

/// The kernel's parameter that `memref` is, else null.
BlockArgument getParameter(Value memref) {
  auto argument = dyn_cast<BlockArgument>(memref);
  if (!argument || isOwnBuffer(memref) ||
      !isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()))
    return nullptr;
  return argument;
}

bool mayAlias(Value a, Value b) {
  if (a == b)
    return true;
  BlockArgument parameterA = getParameter(a), parameterB = getParameter(b);
  if ((isOwnBuffer(a) && (isOwnBuffer(b) || parameterB)) ||
      (isOwnBuffer(b) && parameterA))
    return false;
  if (!parameterA || !parameterB)
    return true;
  auto kernel = cast<gpu::GPUFuncOp>(parameterA.getOwner()->getParentOp());
  auto isRestrict = [&](BlockArgument parameter) {
    return kernel.getArgAttr(parameter.getArgNumber(),
                             LLVM::LLVMDialect::getNoAliasAttrName()) !=
           nullptr;
  };
  return !isRestrict(parameterA) && !isRestrict(parameterB);
}

/// What stands against keeping an element in a register, and where.
struct Obstacle {
  Location loc;
  std::string reason;
};

/// One element that a loop updates, with the loads and stores of it, in order.
struct Promotion {
  Element element;
  SmallVector<Operation *> accesses;
};

/// Whether `op`, somewhere in the loop, may touch the element or let others
/// see it.
std::optional<Obstacle> findConflict(Operation *op, const Promotion &promotion,
                                     Block *body) {
  if (isMemoryEffectFree(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return std::nullopt;
  if (llvm::is_contained(promotion.accesses, op))
    return std::nullopt;
  Value memref = getAccessedMemref(op);
  if (!memref)
    return Obstacle{op->getLoc(), "the loop synchronises, calls a function or "
                                  "accesses memory through pointers"};
  if (!mayAlias(memref, promotion.element.memref))
    return std::nullopt;
  if (memref == promotion.element.memref)
    return Obstacle{op->getLoc(),
                    "the loop also accesses other elements of the array"};
  return Obstacle{op->getLoc(),
                  "another array in the loop may overlap; declare "
                  "the pointers __restrict__"};
}

/// Elements that the loop stores to in every iteration at a fixed place.
SmallVector<Promotion> findCandidates(scf::ForOp loop) {
  SmallVector<Promotion> candidates;
  for (Operation &op : *loop.getBody()) {
    auto element = getElement(&op);
    if (!element || !loop.isDefinedOutsideOfLoop(element->memref) ||
        !llvm::all_of(element->indices, [&](Value index) {
          return loop.isDefinedOutsideOfLoop(index);
        }))
      continue;
    auto *it = llvm::find_if(candidates, [&](const Promotion &candidate) {
      return candidate.element == *element;
    });
    if (it == candidates.end()) {
      candidates.push_back({*element, {}});
      it = &candidates.back();
    }
    it->accesses.push_back(&op);
  }
  llvm::erase_if(candidates, [](const Promotion &candidate) {
    return llvm::none_of(candidate.accesses, [](Operation *op) {
      return isa<memref::StoreOp>(op);
    });
  });
  return candidates;
}

std::optional<Obstacle> check(scf::ForOp loop, const Promotion &promotion) {
  std::optional<Obstacle> obstacle;
  loop.getBody()->walk([&](Operation *op) {
    obstacle = findConflict(op, promotion, loop.getBody());
    return obstacle ? WalkResult::interrupt() : WalkResult::advance();
  });
  return obstacle;
}

//===--- Rewriting --------------------------------------------------------===//

bool runsAtLeastOnce(scf::ForOp loop) {
  APInt lower, upper;
  return matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) &&
         (loop.getUnsignedCmp() ? lower.ult(upper) : lower.slt(upper));
}

/// A store to the element right before the loop, with nothing in between that
/// could see or change it.
memref::StoreOp findStoreBefore(scf::ForOp loop, const Element &element) {
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      if (getElement(store) == element)
        return store;
    if (isMemoryEffectFree(op))
      continue;
    Value memref = getAccessedMemref(op);
    if (!memref || mayAlias(memref, element.memref))
      return nullptr;
  }
  return nullptr;
}

/// Puts the loop into `if (it runs at all)`. Its results are the initial values
/// otherwise.
void guardLoop(RewriterBase &rewriter, scf::ForOp loop) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value runs =
      arith::CmpIOp::create(rewriter, loc,
                            loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                  : arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  bool hasResults = loop.getNumResults() != 0;
  auto guard =
      scf::IfOp::create(rewriter, loc, loop.getResultTypes(), runs, hasResults);
  rewriter.replaceAllUsesWith(loop.getResults(), guard.getResults());
  if (hasResults) {
    rewriter.setInsertionPointToEnd(guard.elseBlock());
    scf::YieldOp::create(rewriter, loc, loop.getInitArgs());
    rewriter.setInsertionPointToEnd(guard.thenBlock());
    scf::YieldOp::create(rewriter, loc, loop.getResults());
  }
  rewriter.moveOpBefore(loop, guard.thenBlock(), guard.thenBlock()->begin());
}

scf::ForOp apply(RewriterBase &rewriter, scf::ForOp loop,
                 const Promotion &promotion) {
  Location loc = promotion.accesses.front()->getLoc();
  memref::StoreOp before = findStoreBefore(loop, promotion.element);
  if (!before && !runsAtLeastOnce(loop))
    guardLoop(rewriter, loop);
  rewriter.setInsertionPoint(loop);
  Value init =
      before ? before.getValue()
             : memref::LoadOp::create(rewriter, loc, promotion.element.memref,
                                      promotion.element.indices)
                   .getResult();
  auto thread = [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    Value current = arguments.back();
    for (Operation *op : promotion.accesses) {
      if (auto store = dyn_cast<memref::StoreOp>(op))
        current = store.getValue();
      else
        rewriter.replaceAllUsesWith(op->getResult(0), current);
    }
    return SmallVector<Value>{current};
  };
  Element element = promotion.element;
  auto annotation = loop->getAttr("loop_annotation");
  auto replaced = loop.replaceWithAdditionalYields(
      rewriter, init, /*replaceInitOperandUsesInLoop=*/false, thread);
  auto result = cast<scf::ForOp>(replaced->getOperation());
  if (annotation)
    result->setAttr("loop_annotation", annotation);
  rewriter.setInsertionPointAfter(result);
  memref::StoreOp::create(rewriter, loc, result.getResults().back(),
                          element.memref, element.indices);
  for (Operation *op : llvm::reverse(promotion.accesses))
    rewriter.eraseOp(op);
  if (before)
    rewriter.eraseOp(before);
  return result;
}

/// `for { if (c) {…} }` with c fixed before the loop, and nothing else that has
/// an effect, is `if (c) { for {…} }`: the guard of an inner loop leaves the
/// outer one.
bool hoistGuard(RewriterBase &rewriter, scf::ForOp loop) {
  if (loop.getNumResults() != 0)
    return false;
  scf::IfOp guard;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isPure(&op))
      continue;
    auto ifOp = dyn_cast<scf::IfOp>(op);
    if (guard || !ifOp || ifOp.getNumResults() != 0 || ifOp.elseBlock() ||
        !loop.isDefinedOutsideOfLoop(ifOp.getCondition()))
      return false;
    guard = ifOp;
  }
  if (!guard)
    return false;
  rewriter.setInsertionPoint(loop);
  auto outer =
      scf::IfOp::create(rewriter, guard.getLoc(), guard.getCondition(), false);
  rewriter.eraseOp(guard.thenBlock()->getTerminator());
  rewriter.inlineBlockBefore(guard.thenBlock(), guard);
  rewriter.eraseOp(guard);
  rewriter.moveOpBefore(loop, outer.thenBlock(), outer.thenBlock()->begin());
  return true;
}

class PromoteMemoryPass
    : public gpuopt::impl::PromoteMemoryBase<PromoteMemoryPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      promoteIn(rewriter, loop);
  }

  void promoteIn(RewriterBase &rewriter, scf::ForOp loop) {
    moveLoopInvariantCode(loop);
    hoistGuard(rewriter, loop);
    auto options = remark::RemarkOpts::name("PromoteMemory")
                       .category("gpuopt")
                       .function(getOperation().getName());
    while (true) {
      bool promoted = false;
      for (const Promotion &promotion : findCandidates(loop)) {
        Location loc = promotion.accesses.front()->getLoc();
        if (std::optional<Obstacle> obstacle = check(loop, promotion)) {
          remark::missed(loc, options) << remark::reason(
              "element not kept in a register: {0}", obstacle->reason);
          continue;
        }
        unsigned accesses = promotion.accesses.size();
        loop = apply(rewriter, loop, promotion);
        ++numPromoted;
        remark::passed(loc, options)
            << remark::metric("accesses", static_cast<int>(accesses));
        promoted = true;
        break;
      }
      if (!promoted)
        return;
    }
  }
};

} // namespace
