//===- JoinStructures.h - parameters as the source has them -----*- C++ -*-===//
//
// The numbers and pointers of a structure that the source passes by value are
// parameters of their own (`kStructuresAttrName`), for analyses. A driver has
// the structure.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITBINARY_JOINSTRUCTURES_H
#define CONVERSION_EMITBINARY_JOINSTRUCTURES_H

#include "llvm/IR/Module.h"

namespace gpuopt {

/// Gives the kernels of `module` the structures that the source passes, from
/// which they load the members: `byval` for NVIDIA, `byref` in constant memory
/// for AMD. Which they are stands in the kernels' attribute
/// `kJoinedStructuresAttrName`, which is taken away.
void joinStructures(llvm::Module &module);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_JOINSTRUCTURES_H
