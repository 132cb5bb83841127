//===- RaiseOperations.h - LLVM dialect operations, one by one --*- C++ -*-===//
//
// Patterns that replace one operation of the LLVM dialect by its counterpart
// in `arith`, `math`, `cf` or `gpu`, with exactly its meaning. An operation
// without a counterpart that means the same stays: `llvm.intr.fmuladd` (may or
// may not fuse), `llvm.freeze`, inline assembly, shuffles (CUDA's take a mask
// and any width), fences, printf.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_RAISEOPERATIONS_H
#define PASSES_RAISING_RAISEOPERATIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace gpuopt {

/// The same licence to compute inexactly, as `arith` and `math` spell it.
mlir::arith::FastMathFlagsAttr
raiseFastMath(mlir::LLVM::FastmathFlagsAttr attribute);

/// Constants, integer and floating-point arithmetic, casts, comparisons.
void populateRaiseArithmeticPatterns(mlir::RewritePatternSet &patterns);

/// Branches; `llvm.return` and `llvm.unreachable` become `gpu.return`.
void populateRaiseBranchPatterns(mlir::RewritePatternSet &patterns);

/// Intrinsics, mathematical functions by name, `__gpuopt_*` functions.
void populateRaiseCallPatterns(mlir::RewritePatternSet &patterns);

} // namespace gpuopt

#endif // PASSES_RAISING_RAISEOPERATIONS_H
