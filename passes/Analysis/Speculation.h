//===- Speculation.h - what may run where it did not ------------*- C++ -*-===//
//
// Upstream's `isPure` takes a remainder for total whatever its divisor is, but
// one by zero is undefined, and traps on the host:
//
//   scf.if %is_positive {           %r = arith.remsi %x, %n
//     %r = arith.remsi %x, %n   ↛   scf.if %is_positive {
//     …                               …
//
// What is moved out of a guard or a loop, or runs for more work items or
// iterations than before, has to be total in fact.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_SPECULATION_H
#define PASSES_ANALYSIS_SPECULATION_H

#include "passes/Analysis/IntegerValues.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace gpuopt {

/// Whether `op`, with all that is in it, has no effect and is defined wherever
/// its operands are there. Of loops the number of iterations has to be known.
bool isTotal(mlir::Operation *op);

/// What is known of the range of a value, read as unsigned or as signed.
using RangeOfValue = llvm::function_ref<Interval(mlir::Value, bool isUnsigned)>;

/// The same for what `rangeOf` knows of divisors; for whoever computes ranges.
bool isTotal(mlir::Operation *op, RangeOfValue rangeOf);

/// The same for whoever knows that `op`, if it divides, divides by what is
/// neither zero nor poison.
bool isTotalForItsDivisor(mlir::Operation *op, RangeOfValue rangeOf);

/// The ranges of the values of the function that `op` stands in, computed only
/// when one is asked for: for questions about many operations, between which
/// nothing changes.
class LazyRanges {
public:
  explicit LazyRanges(mlir::Operation *op) : op(op) {}

  Interval operator()(mlir::Value value, bool isUnsigned);

private:
  mlir::Operation *op;
  std::optional<IntegerValues> values;
};

/// The divisor of a division or remainder of numbers, else null.
mlir::Value getDivisor(mlir::Operation *op);

/// Whether the bounds of a loop that counts show that it runs.
bool runsAtLeastOnce(mlir::LoopLikeOpInterface loop);

/// Moves what is the same in all iterations out of `loop`, and what is not
/// total only where the first iteration runs it for sure. Returns the number of
/// operations moved.
size_t hoistInvariants(mlir::LoopLikeOpInterface loop);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_SPECULATION_H
