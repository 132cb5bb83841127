//===- CountedLoops.h - loops whose iterations can be counted ---*- C++ -*-===//
//
// Finds in an `scf.while` with the test on top the loop that counts:
//
//   %r:2 = scf.while (%i = %lb, %s = %s0) {       // continue while i < n
//     %c = arith.cmpi slt, %i, %n : i32
//     scf.condition(%c) %i, %s
//   } do { ^bb0(%i: i32, %s: f32):
//     …  scf.yield %i + 1 (nsw), …
//   }
//
// and makes it an `scf.for` over `index`. Both loops must run the same
// iterations for every input, or the source must be undefined for that input.
// When that is so, for an iteration variable of w bits that starts at L, is
// compared with B and stepped by the constant c > 0 (c < 0 mirrors it):
//
//   continue while   the variable cannot wrap where
//   i <  B           c = 1; or the addition is nsw (signed), nuw (unsigned); or
//                    B is a constant not above MAX - c
//   i <= B           the addition is nsw / nuw; or B is a constant not above
//                    MAX - c
//   i != B           the addition is nsw / nuw, c divides or does not (missing
//   B
//                    would wrap), and nothing in the body can end the thread;
//                    or c = 1 and L = 0 (unsigned)
//
// Then i takes L, L + c, … in 64 bits too, L and B extended by the sign of the
// comparison. Unsigned 64-bit bounds may not fit: an access in the loop whose
// index moves with i proves that they do, else B is clamped to 2^63 - 1, which
// no loop can tell.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_COUNTEDLOOPS_H
#define PASSES_RAISING_COUNTEDLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <string>

namespace gpuopt {

/// What there is to know of a counted loop before it is rewritten.
struct CountedLoop {
  /// Position of the iteration variable among the loop's initial values.
  unsigned position = 0;
  /// What the variable is compared with; defined outside of the loop.
  mlir::Value bound;
  /// True for `<=` and `>=`.
  bool inclusive = false;
  /// How the variable and its bound are extended to 64 bits.
  bool isSigned = true;
  /// Constant that is added in each iteration; negative when counting down.
  int64_t step = 1;
};

/// Matches a counted loop; says in `reason` why there is none.
mlir::FailureOr<CountedLoop> matchCountedLoop(mlir::scf::WhileOp loop,
                                              std::string &reason);

/// Replaces `loop` by an `scf.for` over `index`.
mlir::scf::ForOp replaceCountedLoop(mlir::RewriterBase &rewriter,
                                    mlir::scf::WhileOp loop,
                                    const CountedLoop &counted);

} // namespace gpuopt

#endif // PASSES_RAISING_COUNTEDLOOPS_H
