//===- SubgroupExchange.h - values between lanes of a subgroup --*- C++ -*-===//
//
// Shuffles and votes: what a lane gets depends on other lanes of its subgroup,
// and on nothing else. They touch no memory and order none (CUDA C++
// Programming Guide, "Warp Shuffle Functions" and "Warp Vote Functions"), so
// that they concern nobody but the lanes: a kernel that sums with them may be
// launched in larger blocks, as long as its subgroups stay what they are.
//
//   %1 = llvm.call @__gpuopt_shuffle_xor(%mask, %0, %c16, %c32)
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_SUBGROUPEXCHANGE_H
#define PASSES_ANALYSIS_SUBGROUPEXCHANGE_H

#include "mlir/IR/Operation.h"

namespace gpuopt {

/// Whether the lanes of a subgroup exchange values in `op` and do nothing else.
bool isSubgroupExchange(mlir::Operation *op);

/// What the device library calls a barrier of a subgroup; it takes the mask of
/// its lanes (conversion/ImportSource/DeviceFunctions.def).
inline constexpr llvm::StringLiteral kSubgroupBarrier =
    "__gpuopt_subgroup_barrier";

/// Whether `op` is such a barrier, for all lanes or some.
bool isSubgroupBarrier(mlir::Operation *op);

/// Whether `op` is known to touch no memory, although MLIR knows of no effects
/// that it has or has not: such an exchange, or a function of numbers
/// (LibraryCalls.h).
bool touchesNoMemory(mlir::Operation *op);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_SUBGROUPEXCHANGE_H
