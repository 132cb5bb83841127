//===- PragmaHandler.cpp - '#pragma gpuopt' in the preprocessor -----------===//

#include "conversion/ImportSource/DeviceConsumer.h"
#include "conversion/ImportSource/Pragma.h"
#include "conversion/ImportSource/PragmaText.h"

#include "clang/Lex/Pragma.h"

using namespace clang;
using namespace gpuopt;

namespace {
/// Takes the tokens of one line and parses their spelling.
class GPUOptPragmaHandler : public PragmaHandler {
public:
  explicit GPUOptPragmaHandler(std::vector<PlacedPragma> &pragmas)
      : PragmaHandler("gpuopt"), pragmas(pragmas) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &) override {
    PragmaText text(preprocessor);
    PlacedPragma placed{introducer.Loc, text.end(), {}};
    if (std::optional<TextError> error =
            parsePragmaClauses(text.text(), placed.pragma))
      text.report("#pragma gpuopt", *error);
    else
      pragmas.push_back(std::move(placed));
  }

private:
  std::vector<PlacedPragma> &pragmas;
};
} // namespace

void gpuopt::addPragmaHandler(Preprocessor &preprocessor,
                              std::vector<PlacedPragma> &pragmas) {
  preprocessor.AddPragmaHandler(new GPUOptPragmaHandler(pragmas));
}
