//===- GuardNumbers.h - which accesses stand under equal guards -*- C++ -*-===//
//
// Internal to passes/Analysis. Much of what costs time to find out of an access
// follows from its guards and the loop that its block shares, and copies of
// unrolled loops have equal ones: facts are kept by their number.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_GUARDNUMBERS_H
#define PASSES_ANALYSIS_GUARDNUMBERS_H

#include "passes/Analysis/AccessFunction.h"

#include "llvm/ADT/SmallVector.h"

namespace gpuopt {

/// Numbers for the accesses of one kernel, which outlive this: equal for equal
/// guards and collective loops.
class GuardNumbers {
public:
  unsigned numberOf(const AccessFunction &access);
  /// The first access that got `number`.
  const AccessFunction &operator[](unsigned number) const {
    return *first[number];
  }
  unsigned size() const { return first.size(); }

private:
  std::vector<const AccessFunction *> first;
  llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>> byHash;
  /// Accesses of one block of operations stand under the same conditions.
  llvm::DenseMap<mlir::Block *, unsigned> byBlock;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_GUARDNUMBERS_H
