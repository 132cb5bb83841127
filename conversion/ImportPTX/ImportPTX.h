//===- ImportPTX.h - PTX to LLVM IR -----------------------------*- C++ -*-===//
//
// Reads PTX of any compiler and makes of it what the front end makes of source
// (conversion/ImportSource): everything after that is the same for both. Says
// nothing of what is not known: an instruction has the meaning that the PTX ISA
// gives it, or the kernel is refused at its line and column.
//
//   Parser           text → a tree of what is written      (Module.h)
//   Instructions.def which instructions there are
//   FunctionBuilder  the tree → LLVM IR, registers on the stack
//   RecoverPointers  integers → places in arrays
//   Signature        what parameters are
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTPTX_IMPORTPTX_H
#define CONVERSION_IMPORTPTX_IMPORTPTX_H

#include "conversion/ImportSource/ImportSource.h"

namespace gpuopt {

struct PTXImportOptions {
  /// The text itself, instead of a file. Its path is only a name then.
  std::optional<std::string> text;
  /// By name or symbol; empty for all.
  std::vector<std::string> kernels;
  /// Of the only kernel, see Signature.h; empty for what the PTX tells.
  std::string signature;
  /// As `ImportOptions` has it.
  bool leaveOutUnsupported = false;
  /// Whether products and sums without a rounding mode may be fused.
  bool mayFuse = true;
};

/// Reads the kernels of `path`. After an error, on standard error at the line
/// of the PTX, failure.
mlir::FailureOr<ImportedSource> importPTX(llvm::StringRef path,
                                          TargetAttr target,
                                          const PTXImportOptions &options);

} // namespace gpuopt

#endif // CONVERSION_IMPORTPTX_IMPORTPTX_H
