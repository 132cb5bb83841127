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

/// The block ids and loops that `access` depends on.
std::vector<Iterator> iteratorsOf(const AccessFunction &access,
                                  const VariableTable &variables,
                                  const Evaluation &evaluation);

/// The guards of `access` that decide by `iterators` alone which of their
/// values it is made for: `if (i != 1 || j != 1)`.
std::vector<Guard> guardsOf(llvm::ArrayRef<Iterator> iterators,
                            const AccessFunction &access,
                            const VariableTable &variables);

/// Tells by the terms of the address what the iterators do: those that share a
/// term with a thread's id are noticed by the lanes, the others shift.
IteratorPlan planIterators(const AccessFunction &access,
                           const VariableTable &variables,
                           llvm::ArrayRef<Iterator> iterators);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_REQUESTITERATORS_H
