//===- Canonicalization.h - canonical forms, many times ---------*- C++ -*-===//
//
// Upstream's canonicalizer collects the patterns of all operations whenever a
// pipeline is set up. That takes longer than to apply them to a small kernel.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_CANONICALIZATION_H
#define PASSES_ANALYSIS_CANONICALIZATION_H

#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace gpuopt {

/// The patterns of upstream's canonicalizer, collected once for the dialects
/// that are loaded.
mlir::FrozenRewritePatternSet canonicalizationsIn(mlir::MLIRContext *context);

/// Upstream's canonicalizer with its default options, and with these patterns.
std::unique_ptr<mlir::Pass> createCanonicalizer();

} // namespace gpuopt

#endif // PASSES_ANALYSIS_CANONICALIZATION_H
