//===- ClauseDimensions.cpp - clauses for one dimension -------------------===//

#include "conversion/ImportSource/OpenACC/ClauseDimensions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

static bool isOfWord(char c) { return isAlnum(c) || c == '_'; }

/// Whether `line` begins with `# pragma acc`.
static bool isOpenACCDirective(StringRef line) {
  for (StringRef word : {"#", "pragma", "acc"}) {
    line = line.ltrim(" \t");
    if (!line.consume_front(word))
      return false;
  }
  return line.empty() || !isOfWord(line[0]);
}

/// The length of what is in brackets at the beginning of `text`, with them; 0
/// for others.
static size_t bracketLength(StringRef text, char open, char close) {
  if (!text.starts_with(StringRef(&open, 1)))
    return 0;
  int depth = 0;
  for (auto [place, c] : enumerate(text)) {
    depth += (c == open) - (c == close);
    if (depth == 0)
      return place + 1;
  }
  return 0;
}

/// The length of a clause for one dimension that `text` begins with.
static size_t clauseLength(StringRef text) {
  StringRef name = text.take_while(isOfWord);
  if (!is_contained({"gang", "worker", "vector", "num_gangs", "num_workers",
                     "vector_length"},
                    name))
    return 0;
  size_t dimension = bracketLength(text.drop_front(name.size()), '[', ']');
  if (dimension == 0)
    return 0;
  size_t length = name.size() + dimension;
  return length + bracketLength(text.drop_front(length), '(', ')');
}

/// The end of the line that begins at `begin`, with those that continue it.
static size_t lineEnd(StringRef text, size_t begin) {
  while (true) {
    size_t end = std::min(text.find('\n', begin), text.size());
    if (end == text.size() ||
        !text.slice(begin, end).rtrim("\r").ends_with("\\"))
      return end;
    begin = end + 1;
  }
}

std::string gpuopt::blankClauseDimensions(StringRef text) {
  std::string result = text.str();
  for (size_t begin = 0; begin < text.size();) {
    size_t end = lineEnd(text, begin);
    bool isDirective = isOpenACCDirective(text.slice(begin, end));
    for (size_t at = begin; isDirective && at < end;) {
      StringRef rest = text.slice(at, end);
      size_t length = clauseLength(rest);
      for (char &c : MutableArrayRef<char>(result).slice(at, length))
        c = c == '\n' || c == '\\' ? c : ' ';
      at += length == 0 ? std::max<size_t>(rest.take_while(isOfWord).size(), 1)
                        : length;
    }
    begin = end + 1;
  }
  return result;
}
