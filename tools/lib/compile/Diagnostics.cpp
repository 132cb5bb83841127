//===- Diagnostics.cpp - how errors reach the user ------------------------===//

#include "tools/lib/compile/Diagnostics.h"

#include "conversion/EmitBinary/PlacedError.h"
#include "conversion/ImportSource/DiagnosticStream.h"
#include "tools/lib/compile/Steps.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gpuopt;

/// Prints the position of a diagnostic in front of it.
static llvm::raw_ostream &printPosition(const SourcePosition &position) {
  llvm::raw_ostream &os = diagnosticStream();
  if (position.file.empty())
    return os << "gpuopt: ";
  os << position.file << ':';
  if (position.line)
    os << position.line << ':';
  if (position.line && position.column)
    os << position.column << ':';
  return os << ' ';
}

void gpuopt::printError(const SourcePosition &position,
                        const llvm::Twine &message) {
  llvm::WithColor::error(printPosition(position)) << message << '\n';
}

void gpuopt::printWarning(const SourcePosition &position,
                          const llvm::Twine &message) {
  llvm::WithColor::warning(printPosition(position)) << message << '\n';
}

char SaidError::ID = 0;

void gpuopt::printError(const SourcePosition &position, llvm::Error error) {
  handleAllErrors(
      std::move(error), [](const SaidError &) {},
      [&](const PlacedError &info) {
        printError({info.file, info.line, info.column},
                   llvm::Twine(info.message()));
      },
      [&](const llvm::ErrorInfoBase &info) {
        printError(position, llvm::Twine(info.message()));
      });
}

void gpuopt::printError(llvm::StringRef path, llvm::Error error) {
  SourcePosition position;
  position.file = path.str();
  printError(position, std::move(error));
}

llvm::Error DiagnosticPrinter::makeError(const llvm::Twine &message) const {
  if (sawError)
    return llvm::make_error<SaidError>(message);
  return llvm::createStringError(message);
}

DiagnosticPrinter::DiagnosticPrinter(MLIRContext *context)
    : ScopedDiagnosticHandler(context) {
  setHandler([this](Diagnostic &diagnostic) {
    SourcePosition position = sourcePosition(diagnostic.getLocation());
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      if (sawError)
        return;
      sawError = true;
      printError(position, diagnostic.str());
      break;
    case DiagnosticSeverity::Warning:
      printWarning(position, diagnostic.str());
      break;
    default:
      return;
    }
    for (Diagnostic &note : diagnostic.getNotes())
      llvm::WithColor::note(printPosition(sourcePosition(note.getLocation())))
          << note.str() << '\n';
  });
}
