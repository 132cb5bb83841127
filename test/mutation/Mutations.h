//===- Mutations.h - miscompilations to plant in a kernel -------*- C++ -*-===//
//
// What a wrong transform might do to a tuned kernel, one place at a time. The
// same kernel gives the same mutations in the same order, so that a kernel
// which was restored from a copy can be given the next one.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_MUTATION_MUTATIONS_H
#define TEST_MUTATION_MUTATIONS_H

#include "runtime/Launch.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <functional>
#include <string>
#include <vector>

namespace gpuopt {

/// One miscompilation, not planted yet.
struct Mutation {
  /// `subscript off by one`, `barrier dropped`, …
  std::string kind;
  /// The operation that it changes and its place in the source, for people.
  std::string where;
  /// Changes the kernel.
  std::function<void()> plant;
  /// Puts a trap where `plant` would make a difference: another value, another
  /// place, another way of a branch.
  std::function<void()> trap;
  /// Why it has no effect, where the kernel tells; else empty.
  std::string harmless = {};
  /// Changes the kernel, and makes everything that it does too much visible
  /// (see Harmless.h); false where that cannot be done. May be null.
  std::function<bool()> expose = {};
};

/// All mutations of `kernel`. Those of single elements choose a thread of
/// `launch` by `seed`.
std::vector<Mutation> findMutations(mlir::gpu::GPUFuncOp kernel,
                                    const LaunchConfig &launch, unsigned seed);

} // namespace gpuopt

#endif // TEST_MUTATION_MUTATIONS_H
