//===- CompileParts.h - Clang on a program with OpenACC ---------*- C++ -*-===//
//
// One run of Clang: parse a program for the host, outline the kernels of its
// compute constructs and generate LLVM IR for them and what they call.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_COMPILEPARTS_H
#define CONVERSION_IMPORTSOURCE_OPENACC_COMPILEPARTS_H

#include "conversion/ImportSource/ImportSource.h"

namespace gpuopt {

struct CompiledPart {
  KernelInfo kernel;
  /// Each thread of a team runs it: it has no sequential form.
  bool isOfTeam = false;
  /// The threads of a block of such a part, where the source has a constant.
  std::optional<int64_t> threads;
};

struct PartsCompilation {
  /// For the host; null where Clang, or we, reported an error.
  std::unique_ptr<llvm::Module> module;
  std::vector<CompiledPart> parts;
  /// Functions with constructs that have no kernels, beside others.
  std::vector<KernelInfo> leftOut;
  std::vector<SourceSpan> reassociable;
  /// Of a program: what the host does (HostRewriter.h).
  std::string hostText;
  std::vector<std::string> files;
  std::string diagnostics;
};

/// Compiles `path`: with loops as work items, or sequentially.
PartsCompilation compileParts(llvm::StringRef path,
                              const ImportOptions &options, bool asWorkItems,
                              llvm::LLVMContext &context);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_COMPILEPARTS_H
