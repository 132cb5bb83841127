//===- Diagnostics.h - how errors reach the user ----------------*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_DIAGNOSTICS_H
#define TOOLS_LIB_COMPILE_DIAGNOSTICS_H

#include "conversion/ImportSource/KernelInfo.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace gpuopt {

/// Prints `file:line:col: error: message` to `diagnosticStream`, in colour on
/// a terminal. The position is left out where it is unknown.
void printError(const SourcePosition &position, const llvm::Twine &message);
void printWarning(const SourcePosition &position, const llvm::Twine &message);

/// An error that a diagnostic has said. Its text is for programs that embed the
/// compiler.
class SaidError : public llvm::ErrorInfo<SaidError, llvm::StringError> {
public:
  static char ID;
  explicit SaidError(const llvm::Twine &message)
      : ErrorInfo(message, llvm::inconvertibleErrorCode()) {}
};

/// Prints `error`, unless it has been said.
void printError(const SourcePosition &position, llvm::Error error);
/// The same, as an error of the file `path`.
void printError(llvm::StringRef path, llvm::Error error);

/// Prints MLIR's errors and warnings in the form above while it lives. Notes
/// follow the diagnostic they belong to; after the first error the rest is
/// dropped, since later ones are mostly its consequences.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  explicit DiagnosticPrinter(mlir::MLIRContext *context);

  /// `message` as an error, for a failure that may have been said.
  llvm::Error makeError(const llvm::Twine &message) const;

private:
  bool sawError = false;
};

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_DIAGNOSTICS_H
