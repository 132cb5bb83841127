//===- Reductions.h - loops that may run in another order -------*- C++ -*-===//
//
// A value that a loop carries allows another order of the iterations where all
// that happens to it is to be combined, over and over, by one operation that is
// associative and commutative: sums, products and bit operations of integers,
// minima and maxima; sums and products of floating-point numbers only where
// their `reassoc` flag says so.
//
//   %r = affine.for %i … iter_args(%s = %zero) {
//     %t = affine.for %k … iter_args(%u = %s) {   through loops,
//       %v = arith.addf %u, %x fastmath<reassoc>
//       affine.yield %v
//     }
//     %w = scf.if %g { … %y = arith.addf %t, … }  branches that leave it alone
//          else { scf.yield %t }                  otherwise, and selections
//     affine.yield %w
//   }
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BLOCKORDER_REDUCTIONS_H
#define PASSES_TRANSFORMS_BLOCKORDER_REDUCTIONS_H

#include "passes/Analysis/Remarks.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace gpuopt {

/// Why the values that `loop` carries fix the order of its iterations; nothing
/// where they do not. Fills `combiners` with the operations that combine them:
/// in another order sums of integers may wrap around on the way, so that flags
/// which say that they do not have to go.
std::optional<Refusal>
checkCarriedValuesCommute(mlir::LoopLikeOpInterface loop,
                          llvm::SmallVectorImpl<mlir::Operation *> &combiners);

/// The same of the value that is the loop's result `number`. Where there are
/// combiners, all combine by the same operation.
std::optional<Refusal>
checkCarriedValueCommutes(mlir::LoopLikeOpInterface loop, unsigned number,
                          llvm::SmallVectorImpl<mlir::Operation *> &combiners);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BLOCKORDER_REDUCTIONS_H
