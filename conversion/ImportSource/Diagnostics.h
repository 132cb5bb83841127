//===- Diagnostics.h - one clear error --------------------------*- C++ -*-===//
//
// However wrong the input, the user gets one error: the first. Errors inside
// host function bodies are none of ours: such a body is parsed only to see
// which kernels it instantiates.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_DIAGNOSTICS_H
#define CONVERSION_IMPORTSOURCE_DIAGNOSTICS_H

#include "conversion/ImportSource/KernelInfo.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/Twine.h"

#include <optional>
#include <vector>

namespace gpuopt {

/// The bodies of host functions that are parsed, as ranges of file offsets.
class HostBodies {
public:
  void add(clang::SourceRange range) { ranges.push_back(range); }
  bool contains(clang::SourceLocation location,
                const clang::SourceManager &sources) const;

private:
  std::vector<clang::SourceRange> ranges;
};

/// Prints Clang's warnings and its first error with the notes behind it.
class FirstErrorPrinter : public clang::DiagnosticConsumer {
public:
  explicit FirstErrorPrinter(clang::DiagnosticOptions &options);

  void setEngine(clang::DiagnosticsEngine *newEngine) { engine = newEngine; }
  HostBodies &getHostBodies() { return hostBodies; }
  /// True once an error is printed.
  bool hasPrintedError() const { return printedError; }
  /// True where Clang did not take the precompiled prelude. Nothing is printed
  /// then: there is another way.
  bool hasRejectedPrelude() const { return rejectedPrelude; }

  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  bool isInHostBody(const clang::Diagnostic &diagnostic) const;

  clang::TextDiagnosticPrinter printer;
  clang::DiagnosticsEngine *engine = nullptr;
  HostBodies hostBodies;
  bool printedError = false;
  /// The last error or warning was dropped, and so are its notes.
  bool droppedLast = false;
  bool rejectedPrelude = false;
};

/// Prints `FILE:LINE:COL: error: MESSAGE` on standard error. Without a line,
/// only the file is named; without a file, nothing is.
void reportError(const SourcePosition &position, const llvm::Twine &message);
void reportWarning(const SourcePosition &position, const llvm::Twine &message);

/// The position that a user reads for `location`.
SourcePosition toSourcePosition(clang::SourceLocation location,
                                const clang::SourceManager &sources);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_DIAGNOSTICS_H
