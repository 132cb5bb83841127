//===- TargetMachines.h - LLVM's back end for a machine ---------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_TARGETMACHINES_H
#define CONVERSION_EMITBINARY_TARGETMACHINES_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace gpuopt {

/// `nvptx64-nvidia-cuda` or `amdgcn-amd-amdhsa`.
llvm::StringRef getTargetTriple(TargetAttr target);

/// LLVM's target machine for `target`, or for `processor` of its family,
/// registering the back ends on first use. The error says which processor LLVM
/// does not know.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(TargetAttr target, unsigned optLevel,
                    llvm::StringRef processor = "");

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_TARGETMACHINES_H
