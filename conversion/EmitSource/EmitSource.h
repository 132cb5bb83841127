//===- EmitSource.h - kernels as source code --------------------*- C++ -*-===//
//
// Raised kernels, optimised or not, as CUDA, HIP or OpenCL C that a person can
// read: names from the source, subscripts, loops. See docs/source.md.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_EMITSOURCE_H
#define CONVERSION_EMITSOURCE_EMITSOURCE_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace gpuopt {

enum class OutputLanguage { CUDA, HIP, OpenCL };

struct EmitSourceOptions {
  OutputLanguage language = OutputLanguage::CUDA;
  /// What was done to a kernel, by its symbol: each is a comment in front of
  /// it.
  std::vector<std::pair<std::string, std::string>> notes;
  /// The symbols of the kernels to emit, with their fallbacks; all kernels
  /// where empty.
  std::vector<std::string> kernels;
};

/// The raised kernels under `root` as one source file. A kernel with a
/// `gpuopt.geometry` gets the kernel that it falls back to and a host function
/// that launches what covers an original launch. Fails with a diagnostic on
/// what has no source form.
mlir::FailureOr<std::string> emitSource(mlir::Operation *root,
                                        const EmitSourceOptions &options);

/// Registers `--mlir-to-cuda`, `--mlir-to-hip` and `--mlir-to-opencl`.
void registerSourceTranslations();

} // namespace gpuopt

#endif // CONVERSION_EMITSOURCE_EMITSOURCE_H
