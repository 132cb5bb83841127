//===- Diagnostics.cpp - one clear error ----------------------------------===//

#include "conversion/ImportSource/Diagnostics.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuopt;
using clang::DiagnosticsEngine;

bool HostBodies::contains(clang::SourceLocation location,
                          const clang::SourceManager &sources) const {
  clang::SourceLocation place = sources.getFileLoc(location);
  return any_of(ranges, [&](clang::SourceRange range) {
    return sources.isPointWithin(place, sources.getFileLoc(range.getBegin()),
                                 sources.getFileLoc(range.getEnd()));
  });
}

FirstErrorPrinter::FirstErrorPrinter(clang::DiagnosticOptions &options)
    : printer(errs(), options) {}

void FirstErrorPrinter::BeginSourceFile(
    const clang::LangOptions &language,
    const clang::Preprocessor *preprocessor) {
  printer.BeginSourceFile(language, preprocessor);
}

void FirstErrorPrinter::EndSourceFile() { printer.EndSourceFile(); }

bool FirstErrorPrinter::isInHostBody(
    const clang::Diagnostic &diagnostic) const {
  return diagnostic.getLocation().isValid() && diagnostic.hasSourceManager() &&
         hostBodies.contains(diagnostic.getLocation(),
                             diagnostic.getSourceManager());
}

/// Clang numbers its messages by the part that gives them.
static bool isAboutPrecompiledHeader(const clang::Diagnostic &diagnostic) {
  return diagnostic.getID() > clang::diag::DIAG_START_SERIALIZATION &&
         diagnostic.getID() < clang::diag::DIAG_START_LEX;
}

void FirstErrorPrinter::HandleDiagnostic(DiagnosticsEngine::Level level,
                                         const clang::Diagnostic &diagnostic) {
  if (level == DiagnosticsEngine::Note) {
    if (!droppedLast)
      printer.HandleDiagnostic(level, diagnostic);
    return;
  }
  bool isError = level >= DiagnosticsEngine::Error;
  if (isError && !printedError && isAboutPrecompiledHeader(diagnostic))
    rejectedPrelude = true;
  droppedLast = rejectedPrelude || printedError;
  if (!droppedLast && isInHostBody(diagnostic)) {
    droppedLast = true;
    // Clang must go on as if nothing had been wrong.
    if (isError && engine)
      engine->Reset(/*soft=*/true);
    return;
  }
  if (isError) {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    printedError = true;
  }
  if (!droppedLast)
    printer.HandleDiagnostic(level, diagnostic);
}

static void report(StringRef kind, raw_ostream::Colors color,
                   const SourcePosition &position, const Twine &message) {
  if (!position.file.empty()) {
    errs() << position.file << ":";
    if (position.line)
      errs() << position.line << ":" << std::max(position.column, 1u) << ":";
    errs() << " ";
  }
  WithColor(errs(), color, /*Bold=*/true) << kind << ": ";
  errs() << message << "\n";
}

void gpuopt::reportError(const SourcePosition &position, const Twine &message) {
  report("error", raw_ostream::RED, position, message);
}

void gpuopt::reportWarning(const SourcePosition &position,
                           const Twine &message) {
  report("warning", raw_ostream::MAGENTA, position, message);
}

SourcePosition gpuopt::toSourcePosition(clang::SourceLocation location,
                                        const clang::SourceManager &sources) {
  clang::PresumedLoc place = sources.getPresumedLoc(location);
  if (place.isInvalid())
    return {};
  return {place.getFilename(), place.getLine(), place.getColumn()};
}
