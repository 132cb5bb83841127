//===- ShareDirectives.cpp - '#pragma acc share' --------------------------===//

#include "conversion/ImportSource/OpenACC/ShareDirectives.h"

#include "conversion/ImportSource/PragmaText.h"

#include "clang/AST/Decl.h"
#include "clang/Lex/Pragma.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace gpuopt;

static constexpr llvm::StringLiteral kName = "#pragma acc share";

/// Where `acc` stands in `line`, if that is such a directive.
static std::optional<size_t> findShareDirective(llvm::StringRef line) {
  llvm::StringRef rest = line.ltrim(" \t\f\v");
  size_t place = 0;
  for (llvm::StringRef word : {"#", "pragma", "acc", "share"}) {
    if (word == "acc")
      place = rest.data() - line.data();
    if (!rest.consume_front(word))
      return std::nullopt;
    bool isLonger = !rest.empty() && (llvm::isAlnum(rest[0]) || rest[0] == '_');
    if (word != "#" && isLonger)
      return std::nullopt;
    rest = rest.ltrim(" \t\f\v");
  }
  return place;
}

std::string gpuopt::renameShareDirectives(llvm::StringRef text) {
  std::string renamed = text.str();
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    if (auto place = findShareDirective(text.slice(begin, end)))
      renamed.replace(begin + *place, 3, "gpu");
    begin = end + 1;
  }
  return renamed;
}

namespace {
class ShareHandler : public PragmaHandler {
public:
  explicit ShareHandler(std::vector<ShareDirective> &directives)
      : PragmaHandler("share"), directives(directives) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &) override {
    PragmaText text(preprocessor);
    ShareDirective directive{introducer.Loc, {}};
    if (std::optional<TextError> error = parse(text, directive))
      text.report(kName, *error);
    else
      directives.push_back(std::move(directive));
  }

private:
  static std::optional<TextError> parse(const PragmaText &text,
                                        ShareDirective &directive);

  std::vector<ShareDirective> &directives;
};
} // namespace

std::optional<TextError> ShareHandler::parse(const PragmaText &text,
                                             ShareDirective &directive) {
  size_t offset = 0;
  std::vector<HintInText> hints;
  if (std::optional<TextError> error =
          parseShareHints(text.text(), offset, hints))
    return error;
  if (offset < text.text().size())
    return TextError{offset, "expected the end of the line"};
  for (HintInText &placed : hints)
    directive.hints.push_back(
        {std::move(placed.hint), text.locate(placed.offset)});
  return std::nullopt;
}

void gpuopt::addShareHandler(Preprocessor &preprocessor,
                             std::vector<ShareDirective> &directives) {
  preprocessor.AddPragmaHandler("gpu", new ShareHandler(directives));
}

std::vector<size_t> gpuopt::partsOf(const ShareDirective &directive,
                                    llvm::ArrayRef<KernelPart> parts,
                                    const SourceManager &sources) {
  auto isBefore = [&](SourceLocation one, SourceLocation other) {
    return sources.isBeforeInTranslationUnit(one, other);
  };
  auto isIn = [&](SourceRange range) {
    return isBefore(range.getBegin(), directive.location) &&
           isBefore(directive.location, range.getEnd());
  };
  std::vector<size_t> found;
  for (auto [number, part] : llvm::enumerate(parts)) {
    if (!isIn(part.function->getSourceRange()))
      continue;
    if (isIn(part.statement->getSourceRange()))
      return {number};
    if (!isBefore(directive.location, part.statement->getBeginLoc()))
      continue;
    // Only the next part of a construct, but all parts of the next construct.
    if (isIn(part.construct))
      return {number};
    if (!found.empty() &&
        parts[found.front()].construct.getBegin() != part.construct.getBegin())
      break;
    found.push_back(number);
  }
  return found;
}
