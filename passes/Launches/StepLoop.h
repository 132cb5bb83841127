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
// Several steps s0 = s, s1 = s0/2, … sL (rounded down) can be done without any
// synchronisation with others: by one thread, or one block, for each work item
// t < sL of the last step. What leads to it is a tree: in step i the work items
// t + b, b being a sum of some of the s_k with i < k <= L, which read and write
// the elements t + b and t + b + s_i. For any s
//
//   * they exist: s_k + s_k <= s_(k-1), so that t + s_L + … + s_(i+1) < s_i by
//     adding from the right, with t < s_L;
//   * no two of them are the same: likewise s_(k) is more than t and all
//   smaller
//     terms together, so that the largest term can be told from the sum;
//   * each reads elements that only this tree has written in steps before i:
//     t + b was that of work item t + b, and t + b + s_i that of the work item
//     with s_i among its terms, both of the tree in step i - 1.
//
// So two trees have no element in common, and the order of operations on each
// element is that of the source. With s = 13 steps 13, 6, 3 have three trees;
// the one of t = 1 has the work items 1 of step 3; 1 and 4 of step 6; 1, 4, 7
// and 10 of step 13.
//
// Work items of a step that lead to none of the last step are those that write
// an element s_i - 1 where s_i is odd, and what leads to these. No later step
// reads it, since step i + 1 reads elements below 2 * s_(i+1) = s_i - 1. They
// are left out where the element is no output; where it may be one, steps are
// merged only if s is a multiple of 2^L, for which there are none.
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
