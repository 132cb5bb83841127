//===- JoinStores.cpp - one store behind a branch -------------------------===//

#include "passes/Launches/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace gpuopt {
#define GEN_PASS_DEF_JOINSTORES
#include "passes/Launches/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

static bool isWorkgroup(MemRefType type) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

/// The value that `op`, a store to one element of a tile, stores; null for
/// others.
static Value storedBy(Operation *op) {
  if (auto store = dyn_cast_or_null<affine::AffineStoreOp>(op))
    return isWorkgroup(store.getMemRefType()) ? store.getValueToStore()
                                              : Value();
  auto store = dyn_cast_or_null<memref::StoreOp>(op);
  return store && isWorkgroup(store.getMemRefType()) ? store.getValueToStore()
                                                     : Value();
}

/// Whether both are stores to the same element, whatever the value.
static bool storeToSame(Operation *left, Operation *right) {
  return storedBy(left) && storedBy(right) &&
         left->getName() == right->getName() &&
         storedBy(left).getType() == storedBy(right).getType() &&
         left->getAttrDictionary() == right->getAttrDictionary() &&
         llvm::equal(left->getOperands().drop_front(),
                     right->getOperands().drop_front());
}

/// The last operation of a branch before it ends; null where there is none.
static Operation *lastOf(Block *branch) {
  return branch->getTerminator()->getPrevNode();
}

/// Stores what either branch of `branch` stores last behind it.
static bool join(scf::IfOp branch, IRRewriter &rewriter) {
  if (branch.getElseRegion().empty())
    return false;
  Operation *taken = lastOf(branch.thenBlock());
  Operation *other = lastOf(branch.elseBlock());
  if (!storeToSame(taken, other))
    return false;
  bool isKnownOutside =
      llvm::none_of(taken->getOperands().drop_front(), [&](Value operand) {
        return branch->isAncestor(operand.getParentBlock()->getParentOp());
      });
  if (!isKnownOutside)
    return false;

  SmallVector<Type> types(branch.getResultTypes());
  types.push_back(storedBy(taken).getType());
  rewriter.setInsertionPoint(branch);
  auto joined = scf::IfOp::create(rewriter, branch.getLoc(), types,
                                  branch.getCondition(), true, true);
  joined->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (auto [from, to, store] :
       {std::tuple(branch.thenBlock(), joined.thenBlock(), taken),
        std::tuple(branch.elseBlock(), joined.elseBlock(), other)}) {
    Value value = storedBy(store);
    if (store == taken)
      // Its operands are known behind the branch, too.
      store->moveAfter(joined);
    else
      rewriter.eraseOp(store);
    from->getTerminator()->insertOperands(branch.getNumResults(), value);
    if (!to->empty())
      rewriter.eraseOp(to->getTerminator());
    rewriter.mergeBlocks(from, to);
  }
  taken->setOperand(0, joined.getResults().back());
  rewriter.replaceOp(branch, joined.getResults().drop_back());
  return true;
}

namespace {
struct JoinStores : public gpuopt::impl::JoinStoresBase<JoinStores> {
  using JoinStoresBase::JoinStoresBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      // Inner branches first: what they store may be the last of an outer one.
      SmallVector<scf::IfOp> branches;
      kernel.walk([&](scf::IfOp branch) { branches.push_back(branch); });
      for (scf::IfOp branch : branches)
        joined += join(branch, rewriter);
    }
  }
};
} // namespace
