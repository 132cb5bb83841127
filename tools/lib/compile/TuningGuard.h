//===- TuningGuard.h - nothing ends slower than it began --------*- C++ -*-===//
//
// What passes decide one by one may be no good in the end: each knows its own
// part of what a kernel does. So the kernel that comes out is compared with the
// one that went in, in one launch (ItemModel.h). It is worse where a work item
//
//   * moves more sectors of global memory, or takes more wavefronts for
//     conflicts of banks,
//   * and takes more time by the model of a launch (PerformanceModel.h), since
//     threads that share a row may well move more sectors than one thread for
//     it, and win by their number.
//
// Only what can be compared is: where both blocks that are looked at do not
// stand for all others (loops of unknown trip counts, triangles), or where
// addresses are not known that were, nothing is said against a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_TUNINGGUARD_H
#define TOOLS_LIB_COMPILE_TUNINGGUARD_H

#include "passes/Analysis/Remarks.h"
#include "passes/Transforms/Utils/ItemModel.h"

namespace gpuopt {

/// What keeps a kernel from being worse than it was, by leaving it out.
struct TransformToLeaveOut {
  /// The pass without `gpuopt-`, and what it makes of a kernel, for a person.
  llvm::StringLiteral pass, name;
  /// What it says where it has done something.
  llvm::ArrayRef<RemarkCode> codes;
};

/// Those that may be at fault, the most likely first.
llvm::ArrayRef<TransformToLeaveOut> transformsToLeaveOut();

/// In what `tuned` is worse than `original`, of which it is made: "it would
/// move 2 sectors for a work item instead of 1, and take 3 ns instead of 2 by
/// the model". Empty where it is not, or nothing is known. `block` is the
/// original launch's.
std::string findRegression(mlir::gpu::GPUFuncOp original,
                           mlir::gpu::GPUFuncOp tuned, TargetAttr target,
                           const BlockShape &block, const SizeMap &sizes);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_TUNINGGUARD_H
