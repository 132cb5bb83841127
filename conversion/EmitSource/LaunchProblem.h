//===- LaunchProblem.h - how much work a kernel has, by itself --*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_LAUNCHPROBLEM_H
#define CONVERSION_EMITSOURCE_LAUNCHPROBLEM_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineExpr.h"

#include <array>
#include <optional>

namespace gpuopt::source {

/// The width of an argument; 64 of an index and of a pointer.
unsigned bitsOfArgument(mlir::gpu::GPUFuncOp function, unsigned number);

/// The work items that a kernel has something to do for, whatever it is
/// launched with: `for (y < m) for (x < n)`.
struct LaunchProblem {
  /// Their number along x, y and z by the arguments (argument i is symbol i):
  /// the least of these; none along a dimension that the kernel takes no note
  /// of.
  std::array<llvm::SmallVector<mlir::AffineExpr, 1>, 3> extents;
  /// Arguments that must not be negative: no launch has the work items then.
  llvm::SmallVector<unsigned> nonNegative;
  /// A block for the kernel as it was written.
  std::array<int64_t, 3> originalBlock;
};

/// The problem of `function`, which was `original`: nothing where what it does
/// depends on the launch, by its block, its number of blocks or a dimension
/// whose end no guard gives, or where an end has no exact form in C.
std::optional<LaunchProblem> findLaunchProblem(mlir::gpu::GPUFuncOp function,
                                               mlir::gpu::GPUFuncOp original);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_LAUNCHPROBLEM_H
