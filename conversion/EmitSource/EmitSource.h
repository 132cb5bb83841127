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

/// C is for functions of the host (EmitAssistant.h).
enum class OutputLanguage { CUDA, HIP, OpenCL, C };

struct EmitSourceOptions {
  OutputLanguage language = OutputLanguage::CUDA;
  /// What was done to a kernel, by its symbol: each is a comment in front of
  /// it.
  std::vector<std::pair<std::string, std::string>> notes;
  /// The symbols of the kernels to emit, with their fallbacks; all kernels
  /// where empty.
  std::vector<std::string> kernels;
  /// A kernel without a source form is an error, however many others there are.
  bool strict = false;
};

/// A kernel that has no source form.
struct FormlessKernel {
  std::string symbol;
  std::string reason;
};

/// The raised kernels under `root` as one source file. A kernel with a
/// `gpuopt.geometry` gets the kernel that it falls back to and a host function
/// that launches what covers an original launch. What has no source form is
/// left out with a warning or, where the caller asks for them, is among
/// `formless`; where nothing is left, that is an error.
mlir::FailureOr<std::string>
emitSource(mlir::Operation *root, const EmitSourceOptions &options,
           std::vector<FormlessKernel> *formless = nullptr);

/// Registers `--mlir-to-cuda`, `--mlir-to-hip` and `--mlir-to-opencl`.
void registerSourceTranslations();

} // namespace gpuopt

#endif // CONVERSION_EMITSOURCE_EMITSOURCE_H
