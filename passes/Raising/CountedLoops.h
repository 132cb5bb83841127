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
//                    B is known not to be above MAX - c: by its range, or by
//                    a guard around the loop
//   i <= B           the addition is nsw / nuw; or B is known not to be above
//                    MAX - c
//   i != B           the addition is nsw / nuw, c divides or does not (missing
//   B
//                    would wrap), and nothing in the body can end the thread;
//                    or c = 1 and L = 0 (unsigned)
//
// Where the test extends the variable, `(long)i < B`, the same holds with the
// bits and the flags of the variable; with an unsigned test of what is extended
// with a sign, L must not be negative.
//
// `i + 4 < B` is `i < B - 4`, where the sum is nsw and has at most 32 bits: the
// difference is computed in 64.
//
// A step s that is only fixed before the loop (gridDim.x * blockDim.x) takes a
// test when the kernel runs: 0 < s and, without flags, B <= MAX - s. Where the
// test fails the loop stays as it is.
//
// A loop with the test at its end (`do … while (i < n)`) runs from L to
// max(B, L + 1); the addition has to be nsw / nuw, since nothing compares L.
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

#include <optional>
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
  /// What is added instead, where it is no constant; defined outside.
  mlir::Value stepValue = {};
  /// True where `stepValue` may not be positive, and where the variable may
  /// wrap: what has to be tested.
  bool mayNotAdvance = false, mayWrap = false;
  /// True where the test comes after the body, in the loop's first region.
  bool isRotated = false;
  /// How the bound is extended to 64 bits where the test extends the variable,
  /// all of whose values are numbers of its own bits.
  std::optional<bool> boundSign = {};
  /// Whether the bound, read as unsigned, may be beyond what an index holds.
  bool mayExceedIndex = false;
  /// What is added to the variable before it is compared.
  int64_t offset = 0;

  bool isExtended() const { return boundSign.has_value(); }
  bool isBoundSigned() const { return boundSign.value_or(isSigned); }

  bool needsTest() const { return mayNotAdvance || mayWrap; }
};

/// Matches a counted loop; says in `reason` why there is none.
mlir::FailureOr<CountedLoop> matchCountedLoop(mlir::scf::WhileOp loop,
                                              std::string &reason);

/// Puts `loop` into the `else` of a new `scf.if` that tests what `counted`
/// needs, and returns the copy of it in the `then`.
mlir::scf::WhileOp versionCountedLoop(mlir::RewriterBase &rewriter,
                                      mlir::scf::WhileOp loop,
                                      const CountedLoop &counted);

/// Replaces `loop` by an `scf.for` over `index`.
mlir::scf::ForOp replaceCountedLoop(mlir::RewriterBase &rewriter,
                                    mlir::scf::WhileOp loop,
                                    const CountedLoop &counted);

//===--- Shared by matching and replacing ---------------------------------===//

bool isDefinedOutside(mlir::Value value, mlir::scf::WhileOp loop);

/// Whether `value`, read as unsigned, is known to be far below 2^63.
bool isSmall(mlir::Value value);

/// For each value that a loop without a second region carries, the position
/// among what is forwarded. Nothing for other loops, and where something is
/// forwarded to the outside only.
std::optional<llvm::SmallVector<unsigned>>
matchEmptyBody(mlir::scf::WhileOp loop);

} // namespace gpuopt

#endif // PASSES_RAISING_COUNTEDLOOPS_H
