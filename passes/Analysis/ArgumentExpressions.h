//===- ArgumentExpressions.h - polynomials that a launcher knows -*- C++ -*-==//
//
// What host code can compute before a launch: integer expressions over the
// scalar arguments of a kernel, and over its grid and block.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_ARGUMENTEXPRESSIONS_H
#define PASSES_ANALYSIS_ARGUMENTEXPRESSIONS_H

#include "passes/Analysis/IntegerValues.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineExpr.h"

namespace gpuopt {

/// `polynomial`, one of `values`, over the arguments of `kernel` (argument i is
/// symbol i); null where it has other atoms than these and quotients of one
/// that is not negative by one that is positive. With `usesLaunch` the symbols
/// behind the arguments are the grid and the block (see `kRequiresAttrName`).
mlir::AffineExpr expressionOverArguments(mlir::gpu::GPUFuncOp kernel,
                                         IntegerValues &values,
                                         const Polynomial &polynomial,
                                         bool usesLaunch = false);

/// The same where atoms may also be quotients, and whatever else launchers can
/// compute from arguments: `values` defines them. An argument of 64 bits that
/// is read as unsigned is its symbol, which is signed; `nonNegative` gets its
/// number.
mlir::AffineExpr
computedOverArguments(mlir::gpu::GPUFuncOp kernel, IntegerValues &values,
                      const Polynomial &polynomial,
                      llvm::SmallVectorImpl<unsigned> &nonNegative);

/// What `value` is congruent to modulo 2^64, with arguments of 64 bits as
/// launchers know them: signed.
Polynomial congruentOverArguments(mlir::Value value, IntegerValues &values);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_ARGUMENTEXPRESSIONS_H
