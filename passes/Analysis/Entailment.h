//===- Entailment.h - does one inequality follow from others? ---*- C++ -*-===//
//
// `idx >= 0`, `idx <= w - 1` and `j <= k - 1` give `idx + j <= w + k - 2`. The
// question is answered over the rationals with one simplex run: the facts and
// the goal's negation have no solution. Before, constants are rounded to what
// integers can reach: `4*q - 3 >= 0` is `4*q - 4 >= 0`. A product of variables
// counts as one more variable, so the answer "no" may be too pessimistic, "yes"
// is proven.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_ENTAILMENT_H
#define PASSES_ANALYSIS_ENTAILMENT_H

#include "passes/Analysis/Interval.h"
#include "passes/Analysis/Polynomial.h"

#include "llvm/ADT/ArrayRef.h"

namespace gpuopt {

/// True where `goal >= 0` follows from every `fact >= 0` and from the ranges
/// of the variables, `rangeOf`.
bool provesNonNegative(llvm::ArrayRef<Polynomial> facts, const Polynomial &goal,
                       llvm::function_ref<Interval(const Monomial &)> rangeOf);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_ENTAILMENT_H
