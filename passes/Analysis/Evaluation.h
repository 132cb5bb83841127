//===- Evaluation.h - access functions for one thread -----------*- C++ -*-===//
//
// Puts numbers in the place of variables: a block shape, parameters by name, a
// thread, a block, and for each loop the number of the iteration. The common
// ground of the analyses that enumerate lanes.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_EVALUATION_H
#define PASSES_ANALYSIS_EVALUATION_H

#include "passes/Analysis/AccessFunction.h"

namespace gpuopt {

/// Guards laid out for being evaluated many times.
class FlatGuards {
public:
  explicit FlatGuards(llvm::ArrayRef<Guard> guards);
  /// None, which always hold.
  static FlatGuards none() { return FlatGuards(); }
  /// False where one of them holds for no lane.
  bool mayHold() const { return !neverHold; }

private:
  friend class Evaluation;
  friend class LinearLanes;
  FlatGuards() = default;

  struct FlatComparison {
    FlatPolynomial left;
    const Comparison *comparison;
  };
  struct FlatGuard {
    llvm::SmallVector<FlatComparison, 2> comparisons;
    bool negated, complete;
  };
  std::vector<FlatGuard> guards;
  /// One of the guards does not hold whatever the lane.
  bool neverHold = false;
};

/// The variables that `polynomials` depend on, directly or through definitions.
llvm::BitVector dependenciesOf(llvm::ArrayRef<Polynomial> polynomials,
                               const VariableTable &variables);
/// What decides about an access: its address, and what its guards compare.
std::vector<Polynomial> polynomialsOf(const AccessFunction &access);
/// Whether `polynomial` follows from the thread's ids, the block's shape and
/// the iterators of loops for which `isKnownLoop` holds.
bool followsFromThread(const Polynomial &polynomial,
                       const VariableTable &variables,
                       llvm::function_ref<bool(unsigned)> isKnownLoop);
/// Adds to `polynomials` what `Evaluation::tripCount` reads of `loops`.
void addBounds(std::vector<Polynomial> &polynomials,
               llvm::ArrayRef<unsigned> loops, const VariableTable &variables);

/// Values of what some polynomials depend on: a kernel may have thousands of
/// variables, an access some dozens.
class Evaluation {
public:
  /// Holds what `polynomials` depend on and the ids. `updateLane` computes what
  /// of that depends on the thread or on the iterators `lanes`. Parameters that
  /// `sizes` does not name are `kAssumedSize`. Starts with thread 0 of block 0
  /// in the first iteration of every loop.
  Evaluation(const VariableTable &variables, const BlockShape &block,
             const SizeMap &sizes, llvm::ArrayRef<Polynomial> polynomials,
             llvm::ArrayRef<unsigned> lanes = {});

  /// Keeps only what `polynomials` depend on, a part of what it holds.
  void restrictTo(llvm::ArrayRef<Polynomial> polynomials,
                  llvm::ArrayRef<unsigned> lanes = {});
  /// Selects the thread with number `lane` in its block, x fastest.
  void setThread(int64_t lane);
  void setBlockId(unsigned dimension, int64_t value);
  /// Selects an iteration of the loop with the iterator `loop`; 0 is the first.
  void setIteration(unsigned loop, int64_t iteration);
  /// Computes iterators and derived variables. Call it after the setters.
  void update();
  /// The same where, since `update`, only the thread and the iterations of the
  /// `lanes` of `restrictTo` have been set.
  void updateLane();
  /// Puts the values of what is the same for all lanes into what `updateLane`
  /// computes with; holds until the next `update`.
  void foldUniform();
  /// The same for a polynomial and for guards over what `restrictTo` named.
  FlatPolynomial fold(const FlatPolynomial &polynomial) const;
  FlatGuards fold(const FlatGuards &guards) const;

  /// The value of a polynomial all of whose variables are held.
  std::optional<int64_t> evaluate(const FlatPolynomial &polynomial) const {
    return failed ? std::nullopt : polynomial.evaluate(values);
  }
  /// Nothing also where a variable is not held.
  std::optional<int64_t> evaluate(const Polynomial &polynomial) const;
  /// A value that is the same for all lanes could not be computed.
  bool hasFailed() const { return uniformFailed; }
  /// The first value and the step of the iterator `loop` where, after
  /// `foldUniform`, neither depends on the lane.
  std::optional<std::pair<int64_t, int64_t>> progressionOf(unsigned loop) const;
  /// Whether all guards hold; nothing where one of them cannot be computed.
  std::optional<bool> hold(llvm::ArrayRef<Guard> guards) const;
  /// True where all guards hold; parts that are not known count as holding.
  bool isActive(llvm::ArrayRef<Guard> guards) const;
  /// The same for guards laid out for being evaluated many times.
  bool isActive(const FlatGuards &guards) const;
  /// Where no id passes the guards since an offset has the value that is
  /// assumed of sizes: lets parameters without a size that are only ever added
  /// in `guards`, r in x + r < n, be 0. False where there are none.
  bool dropOffsets(llvm::ArrayRef<Guard> guards);
  /// The number of iterations of `loop` here; nothing where a bound is not
  /// known or held, or the step is not positive.
  std::optional<int64_t> tripCount(unsigned loop) const;

  /// Notes of the form "n = 4096" for the parameters without a size that
  /// `polynomial` depends on.
  void noteAssumptions(const Polynomial &polynomial,
                       std::vector<std::string> &assumptions) const;

private:
  friend class LinearForms;

  /// How a derived variable or an iterator is computed.
  struct Computed {
    Computed(unsigned number, const Variable &variable);
    unsigned number;
    /// Of a derived variable its operands, of an iterator its lower bounds.
    llvm::SmallVector<FlatPolynomial, 2> operands;
    FlatPolynomial step;
  };
  void hold(llvm::ArrayRef<Polynomial> polynomials);
  void layOut(unsigned number, const SizeMap &sizes);
  void orderByLanes(llvm::ArrayRef<unsigned> lanes);
  bool compute(const Computed &variable);
  llvm::ArrayRef<Computed> laneComputed() const {
    return isFolded ? llvm::ArrayRef(folded)
                    : llvm::ArrayRef(computed).drop_front(numUniform);
  }
  bool holds(const FlatGuards::FlatGuard &guard) const;

  const VariableTable &variables;
  const BlockShape &block;
  std::vector<int64_t> values;
  /// What `update` computes, by ascending number: first what is the same for
  /// all lanes, then the others.
  std::vector<Computed> computed;
  size_t numUniform = 0;
  /// The others again, as `foldUniform` leaves them.
  std::vector<Computed> folded;
  bool isFolded = false;
  /// By variable: whether it has a value here; ids and extents always have.
  llvm::BitVector held;
  /// By variable: whether it depends on the lane.
  llvm::BitVector varies;
  /// By variable: the iteration of a loop.
  std::vector<int64_t> iterations;
  /// By variable: whether its value is assumed.
  std::vector<bool> assumed;
  /// A value could not be computed; one that is the same for all lanes.
  bool failed = false, uniformFailed = false;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_EVALUATION_H
