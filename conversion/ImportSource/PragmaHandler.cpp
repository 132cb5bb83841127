//===- PragmaHandler.cpp - '#pragma gpuopt' in the preprocessor -----------===//

#include "conversion/ImportSource/DeviceConsumer.h"
#include "conversion/ImportSource/Pragma.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace gpuopt;

namespace {
/// Takes the tokens of one line, with macros expanded as Clang does it for
/// pragmas that ask for it, and parses their spelling.
class GPUOptPragmaHandler : public PragmaHandler {
public:
  explicit GPUOptPragmaHandler(std::vector<PlacedPragma> &pragmas)
      : PragmaHandler("gpuopt"), pragmas(pragmas) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &firstToken) override {
    std::string text;
    // Where each byte of `text` comes from, by token.
    std::vector<std::pair<size_t, SourceLocation>> places;
    SourceLocation end = firstToken.getLocation();
    for (Token token = lexNext(preprocessor); token.isNot(tok::eod);
         token = lexNext(preprocessor)) {
      if (token.hasLeadingSpace() && !text.empty())
        text += ' ';
      places.emplace_back(text.size(), token.getLocation());
      text += preprocessor.getSpelling(token);
      end = token.getEndLoc();
    }
    places.emplace_back(text.size(), end);

    PlacedPragma placed{introducer.Loc, end, {}};
    if (std::optional<PragmaError> error =
            parsePragmaClauses(text, placed.pragma))
      report(preprocessor, *error, places);
    else
      pragmas.push_back(std::move(placed));
  }

private:
  static Token lexNext(Preprocessor &preprocessor) {
    Token token;
    preprocessor.LexUnexpandedToken(token);
    return token;
  }

  static void report(Preprocessor &preprocessor, const PragmaError &error,
                     llvm::ArrayRef<std::pair<size_t, SourceLocation>> places) {
    // The last token that starts at or before the error.
    auto next = llvm::upper_bound(
        places, error.offset,
        [](size_t offset, const auto &place) { return offset < place.first; });
    SourceLocation location =
        next == places.begin() ? next->second : std::prev(next)->second;
    DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
    unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                              "'#pragma gpuopt': %0");
    diagnostics.Report(location, id) << error.message;
  }

  std::vector<PlacedPragma> &pragmas;
};
} // namespace

void gpuopt::addPragmaHandler(Preprocessor &preprocessor,
                              std::vector<PlacedPragma> &pragmas) {
  preprocessor.AddPragmaHandler(new GPUOptPragmaHandler(pragmas));
}
