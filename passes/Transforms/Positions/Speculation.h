//===- Speculation.h - may a guarded body run unguarded? --------*- C++ -*-===//
//
// A guard keeps work items outside of an array from computing. Where all that
// the guarded body does is to compute values from tiles in workgroup memory,
// nothing is harmed if every thread computes and those that are outside ignore
// what they got:
//
//   %r = scf.if %g {            %q = affine.for … { loads of %tile }
//     affine.for … { … }   →    %r = arith.select %g, %q, %s
//   } else { yield %s }
//
// Not even a select is needed where those threads' results are never looked at.
// Without a branch around it, the body need not exist once for threads all of
// whose work items are inside, and once for each item of the others.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_POSITIONS_SPECULATION_H
#define PASSES_TRANSFORMS_POSITIONS_SPECULATION_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <array>

namespace gpuopt {

/// Whether a result of `branch` is of no consequence where its condition is
/// false: it only flows around loops and into what that condition guards too.
bool isWantedInsideOnly(mlir::scf::IfOp branch, mlir::OpResult result);

/// Whether the body of `branch` has no effect but its results and may run in
/// every thread of a block of `blockShape`. The condition has to bound
/// something, so that it holds for most threads. A tile may hold anything, also
/// nothing yet, for a thread whose condition is false: no address and no
/// branch in the body depends on what is loaded.
bool isHarmlessUnguarded(mlir::scf::IfOp branch,
                         std::array<int64_t, 3> blockShape);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_POSITIONS_SPECULATION_H
