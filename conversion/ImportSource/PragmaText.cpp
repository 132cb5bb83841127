//===- PragmaText.cpp - what a pragma says, and where ---------------------===//

#include "conversion/ImportSource/PragmaText.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;

PragmaText::PragmaText(Preprocessor &preprocessor)
    : preprocessor(preprocessor) {
  Token token;
  preprocessor.LexUnexpandedToken(token);
  SourceLocation end = token.getLocation();
  for (; token.isNot(tok::eod); preprocessor.LexUnexpandedToken(token)) {
    if (token.hasLeadingSpace() && !spelling.empty())
      spelling += ' ';
    places.emplace_back(spelling.size(), token.getLocation());
    spelling += preprocessor.getSpelling(token);
    end = token.getEndLoc();
  }
  places.emplace_back(spelling.size(), end);
}

SourceLocation PragmaText::locate(size_t offset) const {
  auto next =
      llvm::upper_bound(places, offset, [](size_t offset, const auto &place) {
        return offset < place.first;
      });
  return next == places.begin() ? next->second : std::prev(next)->second;
}

void PragmaText::report(llvm::StringRef directive,
                        const TextError &error) const {
  DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
  unsigned id =
      diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "'%0': %1");
  diagnostics.Report(locate(error.offset), id) << directive << error.message;
}
