//===- VersionedBlock.h - what versions have each for itself ----*- C++ -*-===//
//
// A block that runs in two versions goes into both branches of a conditional.
// What has no effect stays in front, for both:
//
//   %e = affine.load %ends[%b]         %e = affine.load %ends[%b]
//   affine.for %i = 0 to %e {          scf.if %aligned {
//     …                            ↛     affine.for %i = 0 to %e { … }
//   }                                  } else { … }
//
// and so does a load of what is a symbol for affine operations: a value is one
// only where it is computed at the top of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_VERSIONS_VERSIONEDBLOCK_H
#define PASSES_TRANSFORMS_VERSIONS_VERSIONEDBLOCK_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {

struct VersionedBlock {
  /// What goes into the versions, in order.
  llvm::SetVector<mlir::Operation *> ops;
  /// One of these that defines a symbol, and so cannot be in a branch; or null.
  mlir::Operation *symbol = nullptr;
};

/// What of `block`, but for its terminator, has to go into the versions.
VersionedBlock findVersionedOps(mlir::Block &block);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_VERSIONS_VERSIONEDBLOCK_H
