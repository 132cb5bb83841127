//===- Recurrences.h - values that a loop advances evenly -------*- C++ -*-===//
//
// In a counted loop, `p += stride` in every iteration makes p + k * stride in
// iteration k. Written so, the value is no longer carried from one iteration to
// the next, and an access at p is affine in the iteration variable.
//
//   scf.for %i = %c0 to %n step %c1 iter_args(%p = %p0) -> (i64) {
//     use(%p)
//     %next = arith.addi %p, %stride : i64
//     scf.yield %next
//   }
//     →
//   scf.for %i = %c0 to %n step %c1 {
//     %k = arith.index_cast %i : index to i64
//     use(%p0 + %k * %stride)
//   }
//
// At 64 bits both wrap alike. A narrower value whose addition is `nsw` is
// computed in 64 bits and truncated, known to fit; another wraps in its width.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_RECURRENCES_H
#define PASSES_RAISING_RECURRENCES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace gpuopt {

/// Replaces every value that `loop` advances by a fixed amount; canonicalising
/// the loop then drops what it no longer carries. Returns how many there were.
unsigned closeRecurrences(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop);

} // namespace gpuopt

#endif // PASSES_RAISING_RECURRENCES_H
