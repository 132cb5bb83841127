//===- Diagnostics.h - how errors reach the user ----------------*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_DIAGNOSTICS_H
#define TOOLS_LIB_COMPILE_DIAGNOSTICS_H

#include "conversion/ImportSource/KernelInfo.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace gpuopt {

/// Prints `file:line:col: error: message` to standard error, in colour on a
/// terminal. The position is left out where it is unknown.
void printError(const SourcePosition &position, const llvm::Twine &message);
void printWarning(const SourcePosition &position, const llvm::Twine &message);

/// Prints `error` as an error of the file `path`.
void printError(llvm::StringRef path, llvm::Error error);

/// Prints MLIR's errors and warnings in the form above while it lives. Notes
/// follow the diagnostic they belong to; after the first error the rest is
/// dropped, since later ones are mostly its consequences.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  explicit DiagnosticPrinter(mlir::MLIRContext *context);

private:
  bool sawError = false;
};

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_DIAGNOSTICS_H
