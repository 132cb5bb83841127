//===- DirectiveLines.cpp - directives in the text of a program -----------===//

#include "conversion/ImportSource/OpenACC/DirectiveLines.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuopt;

StringRef gpuopt::takeLine(StringRef text) {
  size_t end = 0;
  do
    end = text.find('\n', end);
  while (end != StringRef::npos &&
         text.take_front(end++).rtrim("\r").ends_with("\\"));
  return text.take_front(end);
}

std::optional<StringRef> gpuopt::directiveOn(StringRef line,
                                             ArrayRef<StringRef> words) {
  line = line.ltrim(" \t");
  for (StringRef word : words) {
    if (!line.consume_front(word) ||
        (word != "#" && !line.empty() && (isAlnum(line[0]) || line[0] == '_')))
      return std::nullopt;
    line = line.ltrim(" \t");
  }
  return line.take_front(line.find("//"));
}
