//===- LegalizeForTarget.h - repairs on lowered LLVM IR ---------*- C++ -*-===//

#ifndef CONVERSION_GPUTOLLVM_LEGALIZEFORTARGET_H
#define CONVERSION_GPUTOLLVM_LEGALIZEFORTARGET_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "llvm/IR/Module.h"

namespace gpuopt {

/// Makes stack slots private memory where the target's data layout says so,
/// and aligns workgroup arrays for the widest access.
void legalizeForTarget(llvm::Module &module, TargetAttr target);

} // namespace gpuopt

#endif // CONVERSION_GPUTOLLVM_LEGALIZEFORTARGET_H
