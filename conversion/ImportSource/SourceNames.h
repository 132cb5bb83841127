//===- SourceNames.h - what the source calls its variables ------*- C++ -*-===//
//
// The names of local variables, for those who read what is made of a kernel.
// Clang names the memory of a variable after it. `nameValues` gives these names
// to the values that go through that memory; they survive LLVM's passes as
// names of values. MLIR has no such names: locations carry them over
// (`hideNamesInLocations` before the import, `takeNamesFromLocations` behind
// it), and at last a value with a name has a `NameLoc`.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_SOURCENAMES_H
#define CONVERSION_IMPORTSOURCE_SOURCENAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace gpuopt {

/// Names what is stored in local variables of the user's functions; to be run
/// before memory becomes values.
void nameValues(llvm::Module &module);

/// Puts the names of values into their debug locations.
void hideNamesInLocations(llvm::Module &module);

/// Makes locations with a name of those that hide one.
void takeNamesFromLocations(mlir::ModuleOp module);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_SOURCENAMES_H
