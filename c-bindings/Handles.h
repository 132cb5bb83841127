//===- Handles.h - what the C interface's handles are -----------*- C++ -*-===//

#ifndef C_BINDINGS_HANDLES_H
#define C_BINDINGS_HANDLES_H

#include "c-bindings/gpuopt-c/gpuopt.h"
#include "tools/lib/compile/Compiler.h"
#include "tools/lib/launch/HostRunner.h"

#include <mutex>

struct GpuoptOptions {
  gpuopt::CompileOptions options;
};

struct GpuoptFile {
  explicit GpuoptFile(std::unique_ptr<gpuopt::Compilation> made)
      : compilation(std::move(made)), runner(*compilation) {}

  /// Null where there is no such kernel.
  const gpuopt::KernelInfo *kernel(size_t index) const {
    const std::vector<gpuopt::KernelInfo> &kernels = compilation->kernels();
    return index < kernels.size() ? &kernels[index] : nullptr;
  }

  std::unique_ptr<gpuopt::Compilation> compilation;
  gpuopt::HostRunner runner;
  /// Held by whoever uses either.
  std::mutex mutex;
};

namespace gpuopt::c {

/// A copy that the caller frees. It ends in a null.
char *copyText(llvm::StringRef text);

/// Leaves `message` at `place`, if there is one. Returns false.
bool fail(char **place, llvm::StringRef message);

} // namespace gpuopt::c

#endif // C_BINDINGS_HANDLES_H
