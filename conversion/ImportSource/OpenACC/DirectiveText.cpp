//===- DirectiveText.cpp - the text around directives ---------------------===//

#include "conversion/ImportSource/OpenACC/DirectiveText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuopt;

std::optional<Word> gpuopt::takeWord(StringRef &text) {
  text = text.ltrim(" \t,\\\r\n");
  StringRef name =
      text.take_while([](char c) { return isAlnum(c) || c == '_'; });
  if (name.empty())
    return std::nullopt;
  text = text.drop_front(name.size());
  StringRef rest = text.ltrim(" \t\\\r\n");
  if (!rest.starts_with("("))
    return Word{name, ""};
  size_t depth = 0, length = 0;
  do {
    depth += rest[length] == '(';
    depth -= rest[length] == ')';
  } while (++length < rest.size() && depth > 0);
  text = rest.drop_front(length);
  return Word{name, rest.take_front(length)};
}

std::optional<StringRef> gpuopt::directiveOn(StringRef line) {
  line = line.ltrim(" \t");
  for (StringRef word : {"#", "pragma", "omp"}) {
    if (!line.consume_front(word) ||
        (word != "#" && !line.empty() && (isAlnum(line[0]) || line[0] == '_')))
      return std::nullopt;
    line = line.ltrim(" \t");
  }
  return line.take_front(line.find("//"));
}

StringRef gpuopt::takeLine(StringRef text) {
  size_t end = 0;
  do
    end = text.find('\n', end);
  while (end != StringRef::npos &&
         text.take_front(end++).rtrim("\r").ends_with("\\"));
  return text.take_front(end);
}

size_t gpuopt::literalLength(StringRef code) {
  if (code.starts_with("//"))
    return std::min(code.find('\n'), code.size());
  if (code[0] != '"' && code[0] != '\'')
    return 0;
  size_t end = 1;
  while (end < code.size() && code[end] != code[0])
    end += code[end] == '\\' ? 2 : 1;
  return std::min(end + 1, code.size());
}

/// The length of the comment, literal or directive of the preprocessor that
/// `code` begins with; 0 for others.
static size_t skippedLength(StringRef code) {
  if (code.starts_with("/*"))
    return std::min(code.find("*/", 2), code.size() - 2) + 2;
  if (code.starts_with("#"))
    return takeLine(code).size();
  return literalLength(code);
}

size_t gpuopt::blankLength(StringRef text) {
  size_t at = 0;
  while (at < text.size()) {
    StringRef code = text.drop_front(at);
    if (isSpace(code[0]))
      ++at;
    else if (code[0] == '"' || code[0] == '\'')
      break;
    else if (size_t length = skippedLength(code))
      at += length;
    else
      break;
  }
  return at;
}

/// The length up to the bracket that closes the one with which `text` begins,
/// or up to a semicolon outside of brackets.
static size_t bracketLength(StringRef text, bool endsAtSemicolon) {
  int depth = 0;
  for (size_t at = 0; at < text.size();) {
    if (size_t length = skippedLength(text.drop_front(at))) {
      at += length;
      continue;
    }
    char c = text[at++];
    depth += (c == '(' || c == '[' || c == '{');
    depth -= (c == ')' || c == ']' || c == '}');
    if (depth == 0 && (endsAtSemicolon ? c == ';' : true))
      return at;
  }
  return text.size();
}

size_t gpuopt::statementLength(StringRef text) {
  size_t at = blankLength(text);
  auto rest = [&] { return text.drop_front(at); };
  auto takeName = [&] {
    return rest().take_while([](char c) { return isAlnum(c) || c == '_'; });
  };
  if (rest().starts_with("{"))
    return at + bracketLength(rest(), /*endsAtSemicolon=*/false);
  StringRef name = takeName();
  if (name == "do") {
    at += name.size();
    at += statementLength(rest());
    return at + bracketLength(rest(), /*endsAtSemicolon=*/true);
  }
  if (!is_contained({"for", "if", "switch", "while"}, name))
    return at + bracketLength(rest(), /*endsAtSemicolon=*/true);
  at += name.size();
  at += blankLength(rest());
  at += bracketLength(rest(), /*endsAtSemicolon=*/false);
  at += statementLength(rest());
  size_t end = at;
  at += blankLength(rest());
  if (name != "if" || takeName() != "else")
    return end;
  at += StringRef("else").size();
  return at + statementLength(rest());
}
