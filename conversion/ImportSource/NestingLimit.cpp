//===- NestingLimit.cpp - how deeply MLIR text may be nested --------------===//

#include "conversion/ImportSource/NestingLimit.h"

using namespace gpuopt;
using llvm::StringRef;

/// The parser and many passes recurse from level to level, some more than once.
static constexpr int64_t kMostLevels = 1024;

static bool isComparison(StringRef text) {
  return text.starts_with(">=") || text.starts_with("<=");
}

/// The place behind what starts at `text` and holds no brackets: a string or a
/// comment, else one character.
static size_t skipToken(StringRef text) {
  if (text.starts_with("//"))
    return std::min(text.find('\n'), text.size());
  // Not brackets, but parts of `->`, `>=` and `<=`.
  if (text.starts_with("->") || isComparison(text))
    return 2;
  if (text.front() != '"')
    return 1;
  size_t end = 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

std::optional<size_t> gpuopt::findTooDeep(StringRef text) {
  int64_t level = 0;
  for (size_t at = 0; at < text.size(); at += skipToken(text.substr(at))) {
    if (isComparison(text.substr(at)))
      continue;
    level += StringRef("([{<").contains(text[at]);
    level -= StringRef(")]}>").contains(text[at]);
    if (level > kMostLevels)
      return at;
  }
  return std::nullopt;
}
