//===- KnownTargets.h - machine descriptions by name ------------*- C++ -*-===//
//
// Machine descriptions are text in the syntax of `#gpuopt.target`. The known
// ones are the files of dialects/GPUOpt/targets/, compiled into the library; a
// user's own is a file of the same form, named by its path.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_KNOWNTARGETS_H
#define DIALECTS_GPUOPT_KNOWNTARGETS_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "llvm/Support/Error.h"

#include <vector>

namespace gpuopt {

/// The names that `lookUpTarget` knows, sorted.
std::vector<llvm::StringRef> knownTargetNames();

/// Returns the machine description called `nameOrPath`: a known name, or the
/// path of a file that holds one. The error names the nearest known target, or
/// the line and column of the syntax error in the file.
llvm::Expected<TargetAttr> lookUpTarget(mlir::MLIRContext *context,
                                        llvm::StringRef nameOrPath);

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_KNOWNTARGETS_H
