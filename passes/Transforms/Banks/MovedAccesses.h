//===- MovedAccesses.h - accesses at another time or thread -----*- C++ -*-===//
//
// What accesses would cost if threads made them in another order, or other
// threads did: ids and iterators in their addresses become functions of those
// that there are then.
//
//   s[tx * 32 + k], with (k + tx) mod 32 for k     conflict degree 32 becomes 1
//   s[tx * 32 + ty], with (tx + ty) mod 32 for ty  conflict degree 32 becomes 1
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BANKS_MOVEDACCESSES_H
#define PASSES_TRANSFORMS_BANKS_MOVEDACCESSES_H

#include "passes/Analysis/AccessFunction.h"

#include <optional>
#include <vector>

namespace gpuopt {

/// What becomes of a variable that is not derived from others.
using MovedVariable = llvm::function_ref<Polynomial(unsigned)>;

/// `access` with variables replaced in its address and its guards. Adds derived
/// variables to `variables`.
AccessFunction moveAccess(const AccessFunction &access,
                          VariableTable &variables, MovedVariable moved);

/// `left` modulo the positive `right`.
Polynomial addRemainder(VariableTable &variables, const Polynomial &left,
                        int64_t right);

/// What a block takes for some accesses.
struct AccessesCost {
  /// Of workgroup memory.
  double wavefronts = 0;
  int64_t degree = 1;
  /// Of global memory.
  double sectors = 0;
};

/// The cost of `accesses`; nothing where one is not known.
std::optional<AccessesCost>
computeAccessesCost(const std::vector<AccessFunction> &accesses,
                    const VariableTable &variables, TargetAttr target,
                    const BlockShape &block);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BANKS_MOVEDACCESSES_H
