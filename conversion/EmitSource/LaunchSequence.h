//===- LaunchSequence.h - the host's side of several launches ---*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_LAUNCHSEQUENCE_H
#define CONVERSION_EMITSOURCE_LAUNCHSEQUENCE_H

#include "conversion/EmitSource/Spelling.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/LLVM.h"

namespace gpuopt::source {

/// Whether `argument` of a host function is the grid's or the block's extent:
/// these six are its last ones.
inline bool isOfLaunch(mlir::BlockArgument argument) {
  return argument.getArgNumber() + 6 >= argument.getOwner()->getNumArguments();
}

/// Reads `host`, a function with launches, into `tree`. `launchers` has for
/// each kernel, by symbol, what launches it; see KernelBuilder::setLaunchers.
mlir::LogicalResult
buildHostFunction(mlir::func::FuncOp host,
                  const llvm::StringMap<std::string> &launchers,
                  llvm::StringRef launchContext, Kernel &tree);

/// Prints the host function of a kernel that grid-wide synchronisation has
/// split as `launch_NAME`: it takes an original launch and makes the launches
/// that `host` comes to. `launchers` has for each kernel, by symbol, what
/// launches it. For OpenCL, whose host code is elsewhere, a comment.
mlir::LogicalResult
printLaunchSequence(mlir::func::FuncOp host, llvm::StringRef name,
                    const llvm::StringMap<std::string> &launchers,
                    const Spelling &spelling, llvm::raw_ostream &stream);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_LAUNCHSEQUENCE_H
