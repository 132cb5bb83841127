//===- LaunchArguments.h - arguments of a decided launch --------*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_LAUNCHARGUMENTS_H
#define TOOLS_LIB_LAUNCH_LAUNCHARGUMENTS_H

#include "runtime/Executor.h"
#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// The arguments of `launch`, which does a part of one with the arguments
/// `original`; they point into both.
std::vector<KernelArgument>
argumentsOf(const KernelLaunch &launch,
            llvm::ArrayRef<KernelArgument> original);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_LAUNCHARGUMENTS_H
