//===- LaunchHelper.h - the host's side of a tuned kernel -------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_LAUNCHHELPER_H
#define CONVERSION_EMITSOURCE_LAUNCHHELPER_H

#include "conversion/EmitSource/Spelling.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt::source {

/// Prints a host function that takes an original launch and launches `function`
/// where its geometry covers that, else the kernel `original`: the arithmetic
/// of runtime/Launch.h. Nothing for OpenCL, whose host code is C++ elsewhere:
/// there it is a comment.
void printLaunchHelper(mlir::gpu::GPUFuncOp function, llvm::StringRef name,
                       llvm::StringRef original, const Spelling &spelling,
                       llvm::raw_ostream &stream);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_LAUNCHHELPER_H
