//===- Diagnostics.cpp - one clear error ----------------------------------===//

#include "conversion/ImportSource/Diagnostics.h"

#include "conversion/ImportSource/Prelude.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/LexDiagnostic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuopt;
using clang::DiagnosticsEngine;

bool HostCode::contains(clang::SourceLocation location,
                        const clang::SourceManager &sources) const {
  clang::SourceLocation place = sources.getFileLoc(location);
  if (any_of(bodies, [&](clang::SourceRange body) {
        return sources.isPointWithin(place, sources.getFileLoc(body.getBegin()),
                                     sources.getFileLoc(body.getEnd()));
      }))
    return true;
  StringRef file = sources.getFilename(place);
  unsigned offset = sources.getFileOffset(place);
  return any_of(declarations, [&](const FileRange &range) {
    return range.file == file && range.begin <= offset && offset <= range.end;
  });
}

FirstErrorPrinter::FirstErrorPrinter(clang::DiagnosticOptions &options,
                                     ArrayRef<FileRange> declarations,
                                     raw_ostream &stream)
    : stream(stream), printer(stream, options), hostCode(declarations) {}

void FirstErrorPrinter::printWarning(clang::SourceLocation location,
                                     const Twine &message) {
  SourcePosition position;
  if (engine && engine->hasSourceManager())
    position = toSourcePosition(location, engine->getSourceManager());
  reportWarning(position, message, stream);
}

void FirstErrorPrinter::BeginSourceFile(
    const clang::LangOptions &language,
    const clang::Preprocessor *preprocessor) {
  printer.BeginSourceFile(language, preprocessor);
}

void FirstErrorPrinter::EndSourceFile() { printer.EndSourceFile(); }

bool FirstErrorPrinter::isInHostCode(
    const clang::Diagnostic &diagnostic) const {
  return diagnostic.getLocation().isValid() && diagnostic.hasSourceManager() &&
         hostCode.contains(diagnostic.getLocation(),
                           diagnostic.getSourceManager());
}

/// Where something is declared that the user has not written.
static bool isInPrelude(const clang::Diagnostic &diagnostic) {
  if (diagnostic.getLocation().isInvalid() || !diagnostic.hasSourceManager())
    return false;
  const clang::SourceManager &sources = diagnostic.getSourceManager();
  return sources.getFilename(sources.getFileLoc(diagnostic.getLocation()))
      .starts_with(kPreludeDirectory);
}

/// Clang numbers its messages by the part that gives them.
static bool isAboutPrecompiledHeader(const clang::Diagnostic &diagnostic) {
  return diagnostic.getID() > clang::diag::DIAG_START_SERIALIZATION &&
         diagnostic.getID() < clang::diag::DIAG_START_LEX;
}

/// The precompiled prelude is for every architecture and defines none; Clang
/// believes otherwise.
static bool isAboutArchitecture(const clang::Diagnostic &diagnostic) {
  return diagnostic.getID() == clang::diag::ext_pp_macro_redef &&
         diagnostic.getArgKind(0) == DiagnosticsEngine::ak_identifierinfo &&
         diagnostic.getArgIdentifier(0)->isStr("__CUDA_ARCH__");
}

/// About what declarations mean; the parser has gone on behind it.
static bool isSemantic(unsigned id) {
  return id > clang::diag::DIAG_START_SEMA &&
         id < clang::diag::DIAG_START_ANALYSIS;
}

void FirstErrorPrinter::noteError(const clang::Diagnostic &diagnostic) {
  unsigned id = diagnostic.getID();
  errors.push_back(diagnostic.getLocation());
  onlySemanticErrors &= isSemantic(id) && diagnostic.getLocation().isValid();
  anySemanticError |= isSemantic(id);
}

void FirstErrorPrinter::HandleDiagnostic(DiagnosticsEngine::Level level,
                                         const clang::Diagnostic &diagnostic) {
  if (level == DiagnosticsEngine::Note) {
    if (!droppedLast && !isInPrelude(diagnostic))
      printer.HandleDiagnostic(level, diagnostic);
    return;
  }
  bool isError = level >= DiagnosticsEngine::Error;
  if (isError && !printedError && isAboutPrecompiledHeader(diagnostic))
    rejectedPrelude = true;
  droppedLast =
      rejectedPrelude || printedError || isAboutArchitecture(diagnostic);
  if (isInHostCode(diagnostic)) {
    droppedLast = true;
    // Clang must go on as if nothing had been wrong.
    if (isError && engine && !printedError)
      engine->Reset(/*soft=*/true);
    anySemanticError |= isError && isSemantic(diagnostic.getID());
    return;
  }
  if (isError) {
    noteError(diagnostic);
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    printedError = true;
  }
  if (!droppedLast)
    printer.HandleDiagnostic(level, diagnostic);
}

static void report(raw_ostream &stream, StringRef kind,
                   raw_ostream::Colors color, const SourcePosition &position,
                   const Twine &message) {
  if (!position.file.empty()) {
    stream << position.file << ":";
    if (position.line)
      stream << position.line << ":" << std::max(position.column, 1u) << ":";
    stream << " ";
  }
  WithColor(stream, color, /*Bold=*/true) << kind << ": ";
  stream << message << "\n";
}

void gpuopt::reportError(const SourcePosition &position, const Twine &message) {
  report(diagnosticStream(), "error", raw_ostream::RED, position, message);
}

void gpuopt::reportWarning(const SourcePosition &position, const Twine &message,
                           raw_ostream &stream) {
  report(stream, "warning", raw_ostream::MAGENTA, position, message);
}

SourcePosition gpuopt::toSourcePosition(clang::SourceLocation location,
                                        const clang::SourceManager &sources) {
  clang::PresumedLoc place = sources.getPresumedLoc(location);
  if (place.isInvalid())
    return {};
  return {place.getFilename(), place.getLine(), place.getColumn()};
}
