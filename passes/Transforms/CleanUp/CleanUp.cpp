//===- CleanUp.cpp - what every transform leaves to upstream --------------===//
//
// Folding, canonical forms, dead code and common subexpressions, as upstream's
// two passes have them. Between the transforms of a pipeline most functions are
// as they were: what has not changed since it was cleaned up last is left
// alone. That takes a third of the time of the two passes.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/Canonicalization.h"
#include "passes/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/AnalysisManager.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/bit.h"

namespace gpuopt {
#define GEN_PASS_DEF_CLEANUP
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Changes with everything in `function`. A hash that stays the same by chance
/// leaves code as it is, which is valid as well. All that makes an operation is
/// unique in its context, so that addresses will do.
static uint64_t hashOf(Operation *function) {
  uint64_t hash = 0;
  auto add = [&](uint64_t more) {
    constexpr uint64_t factor = 0x9e3779b97f4a7c15;
    hash = llvm::rotl(hash ^ more, 29) * factor;
  };
  auto addAddress = [&](const void *of) {
    add(reinterpret_cast<uintptr_t>(of));
  };
  function->walk([&](Operation *op) {
    addAddress(op);
    addAddress(op->getBlock());
    addAddress(op->getName().getAsOpaquePointer());
    addAddress(op->getDiscardableAttrDictionary().getAsOpaquePointer());
    add(static_cast<size_t>(op->hashProperties()));
    for (Value operand : op->getOperands())
      addAddress(operand.getAsOpaquePointer());
    for (Type type : op->getResultTypes())
      addAddress(type.getAsOpaquePointer());
    for (Block *successor : op->getSuccessors())
      addAddress(successor);
  });
  return hash;
}

namespace {
/// The functions of a module as they were when they were cleaned up last. No
/// pass invalidates it: that they have changed is what it is asked for.
class CleanFunctions {
public:
  explicit CleanFunctions(Operation *module)
      : patterns(canonicalizationsIn(module->getContext())) {}
  bool isInvalidated(const AnalysisManager::PreservedAnalyses &) {
    return false;
  }

  bool contains(Operation *function) const {
    auto found = states.find(function);
    return found != states.end() && found->second == hashOf(function);
  }
  void insert(Operation *function) {
    states.insert_or_assign(function, hashOf(function));
  }
  const FrozenRewritePatternSet &canonicalizations() const { return patterns; }

private:
  FrozenRewritePatternSet patterns;
  llvm::DenseMap<Operation *, uint64_t> states;
};

struct CleanUp : public gpuopt::impl::CleanUpBase<CleanUp> {
  using CleanUpBase::CleanUpBase;

  void runOnOperation() override;
};
} // namespace

static void cleanUp(FunctionOpInterface function,
                    const FrozenRewritePatternSet &patterns) {
  GreedyRewriteConfig config;
  // Kernels are structured: there are no blocks to merge, nor arguments of
  // blocks to drop.
  bool isStructured = isa<gpu::GPUFuncOp>(*function);
  config.setUseTopDownTraversal().setRegionSimplificationLevel(
      isStructured ? GreedySimplifyRegionLevel::Disabled
                   : GreedySimplifyRegionLevel::Normal);
  // As upstream's canonicalizer: what has not converged is valid as well.
  (void)applyPatternsGreedily(function.getFunctionBody(), patterns, config);
  DominanceInfo dominance(function);
  IRRewriter rewriter(function.getContext());
  eliminateCommonSubExpressions(rewriter, dominance, function);
}

void CleanUp::runOnOperation() {
  CleanFunctions &clean = getAnalysis<CleanFunctions>();
  bool isChanged = false;
  for (auto function : getOperation().getOps<FunctionOpInterface>()) {
    if (function.isExternal() || clean.contains(function))
      continue;
    cleanUp(function, clean.canonicalizations());
    clean.insert(function);
    isChanged = true;
    ++cleaned;
  }
  if (!isChanged)
    markAllAnalysesPreserved();
}
