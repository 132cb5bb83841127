//===- LowerDeviceFunctions.h - __gpuopt_* to intrinsics --------*- C++ -*-===//

#ifndef CONVERSION_GPUTOLLVM_LOWERDEVICEFUNCTIONS_H
#define CONVERSION_GPUTOLLVM_LOWERDEVICEFUNCTIONS_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "llvm/IR/Module.h"

namespace gpuopt {

/// Replaces every call to a function of DeviceFunctions.def by the target's
/// intrinsics. What raising left in the LLVM dialect, and what it never
/// touched, meets here; `global_sync` stays a call (see `expandGridBarriers`).
void lowerDeviceFunctions(llvm::Module &module, TargetAttr target);

} // namespace gpuopt

#endif // CONVERSION_GPUTOLLVM_LOWERDEVICEFUNCTIONS_H
