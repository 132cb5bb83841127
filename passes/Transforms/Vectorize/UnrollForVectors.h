//===- UnrollForVectors.h - loops whose iterations are neighbours -*- C++ -*-=//
//
// Loop-based vectorization (Yang et al. 2012, section 3.1): where iterations of
// a loop access neighbouring elements, W of them together make vector accesses.
//
//   for i = 0 to n { s += a[x*m + i] }      (m a multiple of 4)
//     → for i = 0 to n - n % 4 step 4 { s += a[x*m + i]; … a[x*m + i + 3] }
//       and the rest
//
// W is what saves the most accesses for each iteration, so that arrays with
// many accesses decide where widths conflict.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_VECTORIZE_UNROLLFORVECTORS_H
#define PASSES_TRANSFORMS_VECTORIZE_UNROLLFORVECTORS_H

#include "passes/Transforms/Vectorize/VectorEvents.h"

namespace gpuopt {

/// The most operations of an unrolled body, where nobody says otherwise.
inline constexpr int64_t kMaxUnrolledOperations = 640;

/// How often to unroll a loop, and what that brings.
struct VectorUnrolling {
  int64_t factor = 1;
  /// Accesses of `factor` iterations before and after.
  int64_t accesses = 0;
  int64_t vectorAccesses = 0;
  /// The first access that would be part of a vector, and the first that would
  /// be but for its alignment.
  mlir::Operation *vectorized = nullptr;
  mlir::Operation *unaligned = nullptr;
};

/// The unrolling of `loop` that makes the fewest accesses of at most `maxBytes`
/// bytes, with `factor` 1 where none does; a body has at most `maxOperations`.
VectorUnrolling planUnrolling(const VectorLoop &loop, VectorEvents &events,
                              int64_t maxBytes, int64_t maxOperations);

/// Whether `op` is a loop that may be unrolled here: an innermost `affine.for`
/// with one end, without a barrier, and with more than one iteration.
bool isVectorLoop(mlir::Operation *op);

/// Unrolls `loop` by upstream's utility, with a loop behind it for the rest.
/// Upstream's own rest runs once where the loop ends before it begins
/// (LoopRemainder.h), and mixes up results with equal initial values (LLVM 22).
llvm::LogicalResult unrollByFactor(mlir::affine::AffineForOp loop,
                                   int64_t factor);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_VECTORIZE_UNROLLFORVECTORS_H
