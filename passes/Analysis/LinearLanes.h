//===- LinearLanes.h - addresses of lanes in closed form --------*- C++ -*-===//
//
// Most addresses and guards are linear in the coordinates of the lanes once
// blocks, sizes and loops have values: `16*tx + 4096*ty + 64`, `tx - 100 < 0`.
// Then a lane costs a few multiplications instead of an evaluation of
// everything that the address depends on. What is derived from coordinates is
// linear in them, too, where its operands' ranges over all lanes say so: a
// number that stays below 2^64 does not wrap, `tx floordiv 64` is 0.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_LINEARLANES_H
#define PASSES_ANALYSIS_LINEARLANES_H

#include "passes/Analysis/Evaluation.h"

namespace gpuopt {

class LinearForms;

/// A coordinate of the lanes, a digit of their number: tx of a block of 32x8
/// threads is digit number 0, of 32 values, the variable `first + step *
/// digit`.
struct LaneDigit {
  unsigned variable;
  int64_t extent;
  int64_t first = 0;
  int64_t step = 1;
};

/// The threads of a block, tx first.
llvm::SmallVector<LaneDigit, 3> digitsOf(const BlockShape &block);

/// Lanes whose address and guards are linear in their digits.
class LinearLanes {
public:
  /// `of`: the fastest digit first. Nothing where `position` or a condition has
  /// another variable or a product, or might leave 64 bits. Variables that
  /// `definitions`, where `foldUniform` has been, computes for each lane are no
  /// others where they are linear.
  static std::optional<LinearLanes>
  create(llvm::ArrayRef<LaneDigit> of, const FlatPolynomial &position,
         const FlatGuards &conditions, const Evaluation *definitions = nullptr);

  /// Calls `accept` with the number and the address of every lane from `begin`
  /// up to `end` for which the guards hold; stops where it returns false.
  void visit(int64_t begin, int64_t end,
             llvm::function_ref<bool(int64_t, int64_t)> accept) const;

private:
  friend class LinearForms;

  using Digits = llvm::SmallVector<int64_t, 4>;
  struct Form {
    int64_t base = 0;
    Digits strides;
    int64_t at(const Digits &at) const;
  };
  struct Condition {
    Form left;
    const Comparison *comparison;
  };
  struct LinearGuard {
    llvm::SmallVector<Condition, 2> conditions;
    bool negated, complete;
  };

  bool addGuard(const FlatGuards::FlatGuard &guard, LinearForms &forms);
  bool isActive(const Digits &at) const;

  llvm::SmallVector<LaneDigit, 4> digits;
  Form address;
  std::vector<LinearGuard> guards;
  bool neverActive = false;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_LINEARLANES_H
