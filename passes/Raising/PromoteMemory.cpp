//===- PromoteMemory.cpp - keep what a loop accumulates in a register -----===//
//
// check (Promotion) → apply → remark, from the innermost loop out: what an
// inner loop leaves as one load and one store, the outer one may take further.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Analysis/Variables.h"
#include "passes/Raising/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_PROMOTEMEMORY
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {

/// An element of a memref, by the values that name it: as they are, or through
/// an affine map.
struct Element {
  Value memref;
  ValueRange indices;
  AffineMap map = {};

  bool operator==(const Element &other) const {
    return memref == other.memref && map == other.map &&
           llvm::equal(indices, other.indices);
  }
};

/// The element that a scalar load or store touches.
std::optional<Element> getElement(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return Element{load.getMemRef(), load.getIndices()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return Element{store.getMemRef(), store.getIndices()};
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return Element{load.getMemRef(), load.getMapOperands(),
                   load.getAffineMap()};
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return Element{store.getMemRef(), store.getMapOperands(),
                   store.getAffineMap()};
  return std::nullopt;
}

bool isElementStore(Operation *op) {
  return isa<memref::StoreOp, affine::AffineStoreOp>(op);
}

Value createLoad(OpBuilder &builder, Location loc, const Element &element) {
  if (element.map)
    return affine::AffineLoadOp::create(builder, loc, element.memref,
                                        element.map, element.indices);
  return memref::LoadOp::create(builder, loc, element.memref, element.indices);
}

void createStore(OpBuilder &builder, Location loc, Value value,
                 const Element &element) {
  if (element.map)
    affine::AffineStoreOp::create(builder, loc, value, element.memref,
                                  element.map, element.indices);
  else
    memref::StoreOp::create(builder, loc, value, element.memref,
                            element.indices);
}

/// The value that a store of an element stores.
Value getStoredValue(Operation *store) {
  if (auto affineStore = dyn_cast<affine::AffineStoreOp>(store))
    return affineStore.getValueToStore();
  return cast<memref::StoreOp>(store).getValueToStore();
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
  a = memoryRoot(a);
  b = memoryRoot(b);
  if (a == b)
    return true;
  if (isConstantVariable(a) || isConstantVariable(b) ||
      areDistinctVariables(a, b))
    return false;
  BlockArgument parameterA = getParameter(a), parameterB = getParameter(b);
  bool isGivenA = parameterA || getVariable(a);
  bool isGivenB = parameterB || getVariable(b);
  if ((isOwnBuffer(a) && (isOwnBuffer(b) || isGivenB)) ||
      (isOwnBuffer(b) && isGivenA))
    return false;
  if (!isGivenA || !isGivenB)
    return true;
  auto isRestrict = [&](BlockArgument parameter) {
    return parameter &&
           cast<gpu::GPUFuncOp>(parameter.getOwner()->getParentOp())
               .getArgAttr(parameter.getArgNumber(),
                           LLVM::LLVMDialect::getNoAliasAttrName());
  };
  return !isRestrict(parameterA) && !isRestrict(parameterB);
}

/// One element that a loop updates, with the loads and stores of it, in order.
struct Promotion {
  Element element;
  SmallVector<Operation *> accesses;
};

/// Whether `op`, somewhere in the loop, may touch the element or let others
/// see it.
std::optional<Refusal> findConflict(Operation *op, const Promotion &promotion,
                                    Block *body) {
  if (isMemoryEffectFree(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return std::nullopt;
  if (llvm::is_contained(promotion.accesses, op))
    return std::nullopt;
  Value memref = getAccessedMemref(op);
  if (!memref)
    return Refusal{op->getLoc(), "the loop synchronises, calls a function or "
                                 "accesses memory through pointers"};
  if (!mayAlias(memref, promotion.element.memref))
    return std::nullopt;
  if (memoryRoot(memref) == memoryRoot(promotion.element.memref))
    return Refusal{op->getLoc(),
                   "the loop also accesses other elements of the array"};
  return Refusal{op->getLoc(), "another array in the loop may overlap; declare "
                               "the pointers __restrict__"};
}

Block *getBody(LoopLikeOpInterface loop) {
  return &loop.getLoopRegions().front()->front();
}

/// Elements that the loop stores to in every iteration at a fixed place.
SmallVector<Promotion> findCandidates(LoopLikeOpInterface loop) {
  SmallVector<Promotion> candidates;
  for (Operation &op : *getBody(loop)) {
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
    return llvm::none_of(candidate.accesses, isElementStore);
  });
  return candidates;
}

std::optional<Refusal> check(LoopLikeOpInterface loop,
                             const Promotion &promotion) {
  std::optional<Refusal> refusal;
  getBody(loop)->walk([&](Operation *op) {
    refusal = findConflict(op, promotion, getBody(loop));
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

//===--- Rewriting --------------------------------------------------------===//

/// Whether the loop runs at all, as a value.
Value createRuns(RewriterBase &rewriter, LoopLikeOpInterface op) {
  using Predicate = arith::CmpIPredicate;
  Location loc = op.getLoc();
  if (auto loop = dyn_cast<scf::ForOp>(*op))
    return arith::CmpIOp::create(
        rewriter, loc, loop.getUnsignedCmp() ? Predicate::ult : Predicate::slt,
        loop.getLowerBound(), loop.getUpperBound());
  auto loop = cast<affine::AffineForOp>(op);
  OpFoldResult lower = affine::makeComposedFoldedAffineMax(
      rewriter, loc, loop.getLowerBoundMap(),
      getAsOpFoldResult(loop.getLowerBoundOperands()));
  OpFoldResult upper = affine::makeComposedFoldedAffineMin(
      rewriter, loc, loop.getUpperBoundMap(),
      getAsOpFoldResult(loop.getUpperBoundOperands()));
  return arith::CmpIOp::create(
      rewriter, loc, Predicate::slt,
      getValueOrCreateConstantIndexOp(rewriter, loc, lower),
      getValueOrCreateConstantIndexOp(rewriter, loc, upper));
}

/// A store to the element right before the loop, with nothing in between that
/// could see or change it.
Operation *findStoreBefore(Operation *loop, const Element &element) {
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode()) {
    if (isElementStore(op) && getElement(op) == element)
      return op;
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
void guardLoop(RewriterBase &rewriter, LoopLikeOpInterface loop) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value runs = createRuns(rewriter, loop);
  bool hasResults = loop->getNumResults() != 0;
  auto guard = scf::IfOp::create(rewriter, loc, loop->getResultTypes(), runs,
                                 hasResults);
  rewriter.replaceAllUsesWith(loop->getResults(), guard.getResults());
  if (hasResults) {
    rewriter.setInsertionPointToEnd(guard.elseBlock());
    scf::YieldOp::create(rewriter, loc, loop.getInits());
    rewriter.setInsertionPointToEnd(guard.thenBlock());
    scf::YieldOp::create(rewriter, loc, loop->getResults());
  }
  rewriter.moveOpBefore(loop, guard.thenBlock(), guard.thenBlock()->begin());
}

LoopLikeOpInterface apply(RewriterBase &rewriter, LoopLikeOpInterface loop,
                          const Promotion &promotion) {
  Location loc = promotion.accesses.front()->getLoc();
  // The indices outlive the accesses that have them as operands.
  SmallVector<Value> indices(promotion.element.indices);
  Element element = {promotion.element.memref, indices, promotion.element.map};
  Operation *before = findStoreBefore(loop, element);
  if (!before && !runsAtLeastOnce(loop))
    guardLoop(rewriter, loop);
  rewriter.setInsertionPoint(loop);
  Value init =
      before ? getStoredValue(before) : createLoad(rewriter, loc, element);
  auto thread = [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    Value current = arguments.back();
    for (Operation *op : promotion.accesses) {
      if (isElementStore(op))
        current = getStoredValue(op);
      else
        rewriter.replaceAllUsesWith(op->getResult(0), current);
    }
    return SmallVector<Value>{current};
  };
  auto annotation = loop->getAttr("loop_annotation");
  auto replaced = loop.replaceWithAdditionalYields(
      rewriter, init, /*replaceInitOperandUsesInLoop=*/false, thread);
  LoopLikeOpInterface result = *replaced;
  if (annotation)
    result->setAttr("loop_annotation", annotation);
  rewriter.setInsertionPointAfter(result);
  createStore(rewriter, loc, result->getResults().back(), element);
  for (Operation *op : llvm::reverse(promotion.accesses))
    rewriter.eraseOp(op);
  if (before)
    rewriter.eraseOp(before);
  return result;
}

/// `for { if (c) {…} }` with c fixed before the loop, and nothing else that has
/// an effect, is `if (c) { for {…} }`: the guard of an inner loop leaves the
/// outer one.
bool hoistGuard(RewriterBase &rewriter, LoopLikeOpInterface loop) {
  if (loop->getNumResults() != 0)
    return false;
  scf::IfOp guard;
  for (Operation &op : getBody(loop)->without_terminator()) {
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
    SmallVector<LoopLikeOpInterface> loops;
    getOperation().walk([&](LoopLikeOpInterface loop) {
      if (isa<scf::ForOp, affine::AffineForOp>(*loop))
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (LoopLikeOpInterface loop : loops)
      promoteIn(rewriter, loop);
  }

  void promoteIn(RewriterBase &rewriter, LoopLikeOpInterface loop) {
    hoistInvariants(loop);
    hoistGuard(rewriter, loop);
    while (true) {
      bool promoted = false;
      for (const Promotion &promotion : findCandidates(loop)) {
        Location loc = promotion.accesses.front()->getLoc();
        if (std::optional<Refusal> refusal = check(loop, promotion)) {
          sayMissed(RemarkCode::ElementNotPromoted, getOperation(), loc,
                    {{"reason", refusal->reason}});
          continue;
        }
        unsigned accesses = promotion.accesses.size();
        loop = apply(rewriter, loop, promotion);
        ++numPromoted;
        sayPassed(RemarkCode::ElementPromoted, getOperation(), loc)
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
