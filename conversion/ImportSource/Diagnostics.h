//===- Diagnostics.h - one clear error --------------------------*- C++ -*-===//
//
// However wrong the input, the user gets one error: the first. Errors inside
// host function bodies are none of ours: such a body is parsed only to see
// which kernels it instantiates. Nor are those in declarations that no kernel
// needs.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_DIAGNOSTICS_H
#define CONVERSION_IMPORTSOURCE_DIAGNOSTICS_H

#include "conversion/ImportSource/DiagnosticStream.h"
#include "conversion/ImportSource/HostDeclarations.h"
#include "conversion/ImportSource/KernelInfo.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <vector>

namespace gpuopt {

/// Parts of host code in which errors are overlooked.
class HostCode {
public:
  explicit HostCode(llvm::ArrayRef<FileRange> declarations)
      : declarations(declarations) {}

  /// Adds the body of a function.
  void add(clang::SourceRange body) { bodies.push_back(body); }
  bool contains(clang::SourceLocation location,
                const clang::SourceManager &sources) const;

private:
  std::vector<clang::SourceRange> bodies;
  llvm::ArrayRef<FileRange> declarations;
};

/// Prints Clang's warnings and its first error with the notes behind it to
/// `stream`. Overlooks errors in `declarations`.
class FirstErrorPrinter : public clang::DiagnosticConsumer {
public:
  FirstErrorPrinter(clang::DiagnosticOptions &options,
                    llvm::ArrayRef<FileRange> declarations,
                    llvm::raw_ostream &stream);

  void setEngine(clang::DiagnosticsEngine *newEngine) { engine = newEngine; }
  HostCode &getHostCode() { return hostCode; }
  /// Prints a warning that is not Clang's.
  void printWarning(clang::SourceLocation location, const llvm::Twine &message);
  /// True once an error is printed.
  bool hasPrintedError() const { return printedError; }
  /// Where there are errors, printed or not.
  llvm::ArrayRef<clang::SourceLocation> getErrors() const { return errors; }
  /// True where each error is about what declarations mean, so that none is
  /// lost to the parser.
  bool hasOnlySemanticErrors() const { return onlySemanticErrors; }
  /// True where an error, overlooked or not, may come from a name that is not
  /// declared, or not all of its overloads.
  bool mayMissNames() const { return anySemanticError; }
  /// True where Clang did not take the precompiled prelude. Nothing is printed
  /// then: there is another way.
  bool hasRejectedPrelude() const { return rejectedPrelude; }

  void BeginSourceFile(const clang::LangOptions &language,
                       const clang::Preprocessor *preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  bool isInHostCode(const clang::Diagnostic &diagnostic) const;
  void noteError(const clang::Diagnostic &diagnostic);

  llvm::raw_ostream &stream;
  clang::TextDiagnosticPrinter printer;
  clang::DiagnosticsEngine *engine = nullptr;
  HostCode hostCode;
  std::vector<clang::SourceLocation> errors;
  bool onlySemanticErrors = true;
  bool anySemanticError = false;
  bool printedError = false;
  /// The last error or warning was dropped, and so are its notes.
  bool droppedLast = false;
  bool rejectedPrelude = false;
};

/// Prints `FILE:LINE:COL: error: MESSAGE`. Without a line, only the file is
/// named; without a file, nothing is.
void reportError(const SourcePosition &position, const llvm::Twine &message);
void reportWarning(const SourcePosition &position, const llvm::Twine &message,
                   llvm::raw_ostream &stream = diagnosticStream());

/// The position that a user reads for `location`.
SourcePosition toSourcePosition(clang::SourceLocation location,
                                const clang::SourceManager &sources);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_DIAGNOSTICS_H
