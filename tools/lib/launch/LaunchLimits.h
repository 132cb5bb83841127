//===- LaunchLimits.h - launches that a GPU takes ---------------*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_LAUNCHLIMITS_H
#define TOOLS_LIB_LAUNCH_LAUNCHLIMITS_H

#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// Whether a block of `target` has what `--shared-bytes` asks for.
llvm::Error checkDynamicMemory(int64_t bytes, TargetAttr target);

/// Whether any GPU runs `kernel` as it is written in such a launch: kernels are
/// checked for old targets, too, whose blocks were smaller than those that the
/// source is written for. Workgroup memory is the target's.
llvm::Error checkLaunch(const Compilation &compilation,
                        const KernelInfo &kernel, const LaunchConfig &config);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_LAUNCHLIMITS_H
