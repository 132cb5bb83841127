//===- LaunchHelper.h - the host's side of a tuned kernel -------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_LAUNCHHELPER_H
#define CONVERSION_EMITSOURCE_LAUNCHHELPER_H

#include "conversion/EmitSource/Spelling.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt::source {

/// Whether `function` is launched in another way than it was written, or under
/// conditions only.
bool hasLaunchHelper(mlir::gpu::GPUFuncOp function, const Spelling &spelling);

/// Whether the helper of `function` launches `original` in any case.
bool launchesOriginal(mlir::gpu::GPUFuncOp function,
                      mlir::gpu::GPUFuncOp original, const Spelling &spelling);

/// Prints a host function that launches `function` for all work items that have
/// something to do or, where that is not known of it, in the place of an
/// original launch where its geometry covers that: the arithmetic of
/// runtime/Launch.h. Where neither is right it launches `original`. Nothing for
/// OpenCL, whose host code is C++ elsewhere: there it is a comment.
void printLaunchHelper(mlir::gpu::GPUFuncOp function, llvm::StringRef name,
                       mlir::gpu::GPUFuncOp original,
                       llvm::StringRef originalName, const Spelling &spelling,
                       llvm::raw_ostream &stream);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_LAUNCHHELPER_H
