//===- JamNest.h - loop nests to be unrolled and jammed ---------*- C++ -*-===//
//
// A nest is a loop with one reducing loop in it. With T of the outer iterations
// taken together, its parts run in another order (T = 2, iterations i, i+1):
//
//   before   before(i) inner(i) after(i) before(i+1) inner(i+1) after(i+1)
//   after    before(i) before(i+1)
//            head(i) head(i+1) common(i, i+1)
//            rest(i) after(i) rest(i+1) after(i+1)
//
// `common` are the inner iterations that all T have, for all T at once; `head`
// and `rest` those before and behind that only some have. So each reduction
// still adds up in its old order.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_JAM_JAMNEST_H
#define PASSES_TRANSFORMS_JAM_JAMNEST_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace gpuopt {

/// A bound of the inner loop: `map(operands)`, the iterator of the outer loop
/// among the operands or not.
struct JamBound {
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;
  /// By how much it grows from one outer iteration to the next.
  int64_t shift = 0;
};

struct JamNest {
  mlir::affine::AffineForOp outer;
  mlir::affine::AffineForOp inner;
  JamBound lower;
  JamBound upper;
  /// Operations of the outer loop's body that run before the inner loop, and
  /// those that run after it, in order.
  llvm::SmallVector<mlir::Operation *> before;
  llvm::SmallVector<mlir::Operation *> after;
  /// Operations of the inner loop's body that are the same in all outer
  /// iterations: done once for all of them.
  llvm::SmallPtrSet<mlir::Operation *, 8> shared;
  /// How many of them load from memory.
  unsigned sharedLoads = 0;
  /// Registers of 32 bits for what each outer iteration keeps and loads in the
  /// inner loop, and for what they share.
  int64_t registersPerIteration = 0;
  int64_t sharedRegisters = 0;
  /// Outer iterations taken together, T.
  int64_t factor = 1;

  /// How far `bound` of the T iterations lies apart, at most and at least, from
  /// that of the first.
  int64_t largest(const JamBound &bound) const {
    return std::max<int64_t>(0, bound.shift * (factor - 1));
  }
  int64_t smallest(const JamBound &bound) const {
    return std::min<int64_t>(0, bound.shift * (factor - 1));
  }
};

/// Reads the nest of which `outer` is the outer loop. Nothing where there is
/// none, or jamming it would save no load.
std::optional<JamNest> findNest(mlir::affine::AffineForOp outer);

/// Completes `nest` with the bounds and `factor`, or chooses a factor for
/// `target` where that is 0. Returns why the nest cannot be jammed, or nothing.
std::string planNest(JamNest &nest, int64_t factor, TargetAttr target);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_JAM_JAMNEST_H
