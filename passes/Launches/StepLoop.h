//===- StepLoop.h - a loop of launches over halving steps -------*- C++ -*-===//
//
// The form in which a tree over an array comes out of
// `gpuopt-split-at-grid-barriers`: a loop on the host over s, s/2, s/4, …, 1
// that launches one kernel, in which work item i < s reads and writes nothing
// of the arrays that it changes but the elements i and i + s.
//
//   while (s > 0) {                 kernel (a, …, s):
//     launch kernel (a, …, s)         if (i < s) a[i] = f(a[i], a[i + s], …)
//     s = s / 2
//   }
//
// Work items that are equal modulo P, for a P that divides s, touch only
// elements that are equal modulo P: for the steps s, s/2, …, P nobody else has
// to do with these elements, and a thread (or a block, for several such
// classes) that does all items of a class needs no synchronisation with others.
//
// The step's kernel may be one of butterflies instead (GuardedKernel.h).
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_STEPLOOP_H
#define PASSES_LAUNCHES_STEPLOOP_H

#include "passes/Launches/GuardedKernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpuopt {

/// The loop on the host.
struct StepLoop {
  mlir::scf::WhileOp loop;
  /// True where the loop carries the step before and halves it at its test:
  /// `while ((s = s / 2) > 0)`; see `rotate`.
  bool halvesFirst = false;
  mlir::gpu::LaunchFuncOp launch;
  GuardedKernel step;
  /// Not of butterflies: the launch right before the loop whose kernel sets
  /// elements of the arrays from others; null where there is none.
  mlir::gpu::LaunchFuncOp firstLaunch;
  GuardedKernel first;
  /// For each array the number of leading elements that count when the host
  /// function is done; nothing for all.
  llvm::DenseMap<mlir::Value, int64_t> outputs;
};

/// Lets a loop that halves first carry the step itself.
void rotate(StepLoop &steps);

/// Reads `loop`, or says in `reason` why it is not of this kind.
std::optional<StepLoop> readStepLoop(mlir::scf::WhileOp loop,
                                     std::string &reason);

} // namespace gpuopt

#endif // PASSES_LAUNCHES_STEPLOOP_H
