//===- SplitStructures.h - members of structures as parameters --*- C++ -*-===//
//
// Clang passes a structure by value as memory, or as one aggregate. Analyses
// know numbers and arrays: each number and pointer of a structure becomes a
// parameter of its own, in all modules. Who calls for a device, or has the
// arguments of the source, takes the structures again (`SplitStructure`).
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_SPLITSTRUCTURES_H
#define CONVERSION_IMPORTSOURCE_SPLITSTRUCTURES_H

#include "conversion/ImportSource/KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace gpuopt {

/// Splits the structures that `kernels` are given, in `module` and in what is
/// known of the kernels. A structure with a member whose place is computed
/// (`s.bias[k]`), or that is accessed in another way than by loads and stores,
/// stays as it is.
void splitStructures(llvm::Module &module,
                     llvm::MutableArrayRef<KernelInfo> kernels);

/// Splits what `kernel`, which has the parameters of the source, is given, as
/// `like` has it: members whose places are computed, too.
void splitStructures(llvm::Function &kernel, const KernelInfo &like);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_SPLITSTRUCTURES_H
