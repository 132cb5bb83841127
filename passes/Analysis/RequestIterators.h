//===- RequestIterators.h - what iterators do to an access ------*- C++ -*-===//
//
// Internal to passes/Analysis, and a part of Requests.h: the block ids and
// loops that an address depends on, and which of their values lanes notice.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_REQUESTITERATORS_H
#define PASSES_ANALYSIS_REQUESTITERATORS_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/Evaluation.h"

namespace gpuopt {

/// A block id or loop iterator that an address depends on.
struct Iterator {
  unsigned variable;
  /// How many values it takes.
  int64_t count;
  bool operator==(const Iterator &other) const = default;
};

/// What the values of the iterators do to an access.
struct IteratorPlan {
  /// Those that lanes notice differently: all combinations are enumerated.
  std::vector<Iterator> enumerated;
  /// Those that add the same to the addresses of all lanes, in groups that
  /// have nothing to do with each other.
  std::vector<std::vector<Iterator>> shifting;
};

/// The block ids and loops that the address of `access` depends on, `ofAddress`
/// with all else, and that are not the lanes'.
std::vector<unsigned> iteratorVariablesOf(const AccessFunction &access,
                                          const llvm::BitVector &ofAddress,
                                          const VariableTable &variables);
/// The same with how many values of each are tried.
std::vector<Iterator> iteratorsOf(const AccessFunction &access,
                                  const VariableTable &variables,
                                  const Evaluation &evaluation);

/// The guards of `access` that decide by `iterators` alone which of their
/// values it is made for: `if (i != 1 || j != 1)`.
std::vector<Guard> guardsOf(llvm::ArrayRef<Iterator> iterators,
                            const AccessFunction &access,
                            const VariableTable &variables);

/// The iterators that lanes notice, by the terms of the address: those that
/// share one with a thread's id.
std::vector<Iterator> noticedByLanes(const AccessFunction &access,
                                     const VariableTable &variables,
                                     llvm::ArrayRef<Iterator> iterators);

/// These, and what the others shift.
IteratorPlan planIterators(const AccessFunction &access,
                           const VariableTable &variables,
                           llvm::ArrayRef<Iterator> iterators);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_REQUESTITERATORS_H
