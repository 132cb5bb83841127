//===- Poison.h - values that nobody may branch on --------------*- C++ -*-===//
//
// A value whose computation breaks a promise (`nsw`, `exact`, `nnan`, …) is
// poison: to branch on it or to divide by it is undefined. The source does
// neither, but code that leaves its guard may.
//
// Arguments of kernels, what memory and calls hand over and ids are never
// poison: a kernel that stores or passes poison is undefined already. Results
// and arguments of regions are what is yielded to them.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_POISON_H
#define PASSES_ANALYSIS_POISON_H

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/SetVector.h"

namespace gpuopt {

/// The promises of fast math that make poison; the others only allow rewrites.
constexpr mlir::arith::FastMathFlags kPoisonMath =
    mlir::arith::FastMathFlags::nnan | mlir::arith::FastMathFlags::ninf;

/// The arithmetic that `values` are computed from, also in regions that yield
/// them.
llvm::SetVector<mlir::Operation *> arithmeticBehind(mlir::ValueRange values);

/// Whether some arithmetic that `values` are computed from may make poison of
/// operands that are none, be it without flags (a shift by too many bits).
bool mayBePoison(mlir::ValueRange values);
bool mayBePoisonWithoutFlags(mlir::ValueRange values);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_POISON_H
