//===- EmitApart.h - PTX of several kernels at once -------------*- C++ -*-===//
//
// LLVM generates code for one module in one thread. Kernels that share nothing
// but declarations are modules of their own here, and the texts of modules
// follow each other in one file, which does not depend on the number of
// threads. Small ones go together, so that the code of a large kernel does not
// depend on its neighbours, but that of small ones may: LLVM's budgets count
// per module.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_EMITAPART_H
#define TOOLS_LIB_COMPILE_EMITAPART_H

#include "conversion/EmitBinary/EmitBinary.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace gpuopt {

/// PTX for the kernels of `module`, before they are lowered, for `target`,
/// which `targetName` is the name of, or the path of its description. Nothing
/// where the kernels hang together, there is one only, or something is wrong,
/// which is left to others to say.
std::optional<std::string> emitPTXApart(mlir::ModuleOp module,
                                        TargetAttr target,
                                        llvm::StringRef targetName,
                                        const EmitOptions &options);

/// One PTX file of several. Nothing where more than functions, variables and
/// names of files would have to be merged.
std::optional<std::string> mergePTX(llvm::ArrayRef<std::string> files);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_EMITAPART_H
