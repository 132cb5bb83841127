//===- Canonicalization.cpp - canonical forms, many times -----------------===//

#include "passes/Analysis/Canonicalization.h"

#include "dialects/GPUOpt/ContextCache.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace gpuopt;

namespace {
struct CanonicalPatterns {
  using Result = FrozenRewritePatternSet;
  FrozenRewritePatternSet patterns;
  /// Whose patterns they are: the first dialects that were loaded.
  size_t dialects = 0;
};
} // namespace

static FrozenRewritePatternSet collectPatterns(MLIRContext *context) {
  RewritePatternSet owned(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(owned);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(owned, context);
  return std::move(owned);
}

FrozenRewritePatternSet gpuopt::canonicalizationsIn(MLIRContext *context) {
  return ContextCache::with<CanonicalPatterns>(
      context, [&](CanonicalPatterns &known) {
        size_t dialects = context->getLoadedDialects().size();
        if (known.dialects != dialects) {
          known.patterns = collectPatterns(context);
          known.dialects = dialects;
        }
        return known.patterns;
      });
}

namespace {
/// As text it is upstream's pass, which does the same.
class Canonicalizer : public PassWrapper<Canonicalizer, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Canonicalizer)

  StringRef getName() const override { return "Canonicalizer"; }
  StringRef getArgument() const override { return "canonicalize"; }

  LogicalResult initialize(MLIRContext *context) override {
    patterns = canonicalizationsIn(context);
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Normal);
    // What has not converged is valid as well.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace

std::unique_ptr<Pass> gpuopt::createCanonicalizer() {
  return std::make_unique<Canonicalizer>();
}
