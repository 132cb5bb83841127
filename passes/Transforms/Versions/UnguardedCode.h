//===- UnguardedCode.h - code in which guards are known to hold -*- C++ -*-===//
//
// The rewrites of gpuopt-version-guards: code stands twice, as it is and, under
// a test that is the same for all threads of a block, without the guards that
// hold then. Of which code there are two versions,
//
//   the whole kernel                       its parts with guards
//
//   if (inside) {                          for tiles {
//     for full tiles { fill; compute }       if (inside && full) fill
//     for the rest { fill?; compute? }       else fill?
//     store                                  compute
//   } else {                               }
//     for tiles { fill?; compute? }        if (inside) store
//     store?                               else store?
//   }
//
// The parts are less code, and all blocks do the same but for their accesses.
// It takes a computation without guards, see PadTiles.cpp, and a guarded fill
// that can be asynchronous as well.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_VERSIONS_UNGUARDEDCODE_H
#define PASSES_TRANSFORMS_VERSIONS_UNGUARDEDCODE_H

#include "passes/Analysis/IndexBounds.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {

/// The operations at the top of a kernel that only compute values, and can
/// stand before both versions.
using Setup = llvm::SmallPtrSet<mlir::Operation *, 32>;
Setup findSetup(mlir::gpu::GPUFuncOp kernel);

/// What to do to one kernel.
struct VersionPlan {
  /// Whether each thread finds out for itself, and not all of a block together.
  bool isForEachThread = false;
  /// Guards hold in a block, or for a thread, where none of these, polynomials
  /// over values of the kernel's top level, is negative.
  llvm::SmallVector<Polynomial> margins;
  /// Number of guards that are always true then.
  int guards = 0;
  /// The loops in which they are true in full tiles only.
  llvm::SetVector<mlir::Operation *> tileLoops;
  /// Whether there is anything to do where a margin is negative.
  bool hasRest = true;
};

/// Whether the sign of `margin` can be tested without overflow: it is a sum of
/// which one summand at most, with factor 1 or -1, may have any value.
bool isTestable(const Polynomial &margin, IndexBounds &bounds);

/// Makes versions of the whole kernel. `bounds` are those that the plan's
/// variables are of.
void versionKernel(mlir::gpu::GPUFuncOp kernel, const VersionPlan &plan,
                   IndexBounds &bounds, const Setup &setup);

/// Makes versions of the parts, or returns false, having changed nothing, where
/// they are not all that is guarded.
bool versionParts(mlir::gpu::GPUFuncOp kernel, const VersionPlan &plan,
                  IndexBounds &bounds, const Setup &setup);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_VERSIONS_UNGUARDEDCODE_H
