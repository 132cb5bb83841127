//===- FlatIdDigits.h - a flat id as digits of several widths ---*- C++ -*-===//
//
// A kernel over several dimensions that is launched in one takes its id t apart
// by dividing. All that it computes that way are runs of digits of t in one
// system of mixed radices:
//
//   b = t / (H*T*T)         from H*T*T on
//   h = t / (T*T) % H       from T*T, below H*T*T
//   r = t - b * (H*T*T)     from 1,   below H*T*T
//   i = r / T % T           from T,   below T*T
//
// where "from P, below Q" stands for (t / P) % (Q / P). With q(P) = t / P it is
// q(P) - Q/P * q(Q), so that any sum of quotients of t that makes such a
// difference is a run of digits, whatever it is spelled like. All of that holds
// where the widths are positive and their product does not leave 31 bits.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_FLATIDDIGITS_H
#define PASSES_LAUNCHES_FLATIDDIGITS_H

#include "passes/Analysis/IntegerValues.h"

#include <map>
#include <vector>

namespace gpuopt {

/// (t / low) % (high / low); without `high` it is t / low.
struct DigitRun {
  Polynomial low = 1;
  std::optional<Polynomial> high;

  bool isWhole() const { return low == Polynomial(1) && !high; }
  bool operator==(const DigitRun &other) const = default;
};

/// Finds the runs of digits of a kernel's flat id along x.
class FlatIdDigits {
public:
  explicit FlatIdDigits(IntegerValues &values);

  /// Notes what `op` computes where that is a run of digits; operations have to
  /// be visited behind those that they depend on.
  void visit(mlir::Operation *op);
  /// What `polynomial` is as a run of digits; nothing where it is none.
  std::optional<DigitRun> read(const Polynomial &polynomial) const;

  /// How far `polynomial` moves with a step of the digit from `low` on, what is
  /// no run of digits being kept.
  Polynomial strideOf(const Polynomial &polynomial,
                      const Polynomial &low) const;

  /// The products P0 = 1, P1, … of which each divides the next; those between
  /// which `least` work items or more lie where that is known. Nothing where
  /// there are no such: the id is divided by widths that have nothing to do
  /// with each other.
  std::optional<llvm::SmallVector<Polynomial>> chain(int64_t least) const;

  /// Operations whose result is a run of digits.
  llvm::ArrayRef<std::pair<mlir::Operation *, DigitRun>> runs() const {
    return found;
  }

private:
  std::optional<DigitRun> readOp(mlir::Operation *op) const;
  std::optional<DigitRun> readAtom(unsigned variable) const;

  IntegerValues &values;
  unsigned id;
  /// By the variables that stand for results.
  std::map<unsigned, DigitRun> known;
  std::vector<std::pair<mlir::Operation *, DigitRun>> found;
};

/// `product` / `factor` where that is a polynomial.
std::optional<Polynomial> divideExactly(const Polynomial &product,
                                        const Polynomial &factor);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_FLATIDDIGITS_H
