//===- Lexer.cpp - words of PTX -------------------------------------------===//

#include "conversion/PTX/Lexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

static bool isNameStart(char c) {
  return isAlpha(c) || c == '_' || c == '$' || c == '%';
}

static bool isNamePart(char c) { return isAlnum(c) || c == '_' || c == '$'; }

namespace {
class Lexer {
public:
  explicit Lexer(StringRef text) : text(text) {}

  Token next();

private:
  bool skipSpace();
  void advance(size_t count);
  Token take(Token::Kind kind, size_t length);
  size_t lengthOfWord() const;
  Token number();

  StringRef text;
  Position at = {1, 1};
};
} // namespace

void Lexer::advance(size_t count) {
  StringRef skipped = text.take_front(count);
  size_t lines = skipped.count('\n');
  at.line += lines;
  at.column = lines ? count - skipped.rfind('\n') : at.column + count;
  text = text.drop_front(count);
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token = {kind, text.take_front(length), at};
  advance(length);
  return token;
}

/// Also comments; false where one does not end.
bool Lexer::skipSpace() {
  while (!text.empty()) {
    if (isSpace(text.front())) {
      advance(text.size() - text.ltrim().size());
    } else if (text.starts_with("//")) {
      advance(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      size_t end = text.find("*/", 2);
      if (end == StringRef::npos)
        return false;
      advance(end + 2);
    } else {
      break;
    }
  }
  return true;
}

/// Of `.L1::evict_last`.
size_t Lexer::lengthOfWord() const {
  size_t length = 1;
  while (length < text.size()) {
    if (isNamePart(text[length]))
      ++length;
    else if (text.substr(length).starts_with("::"))
      length += 2;
    else
      break;
  }
  return length;
}

/// `0f` and `0d` are the bits of a number; `1.5`, `1e-3` and `1.` have a value.
Token Lexer::number() {
  bool isBits =
      text.starts_with_insensitive("0f") || text.starts_with_insensitive("0d");
  bool isHex = text.starts_with_insensitive("0x");
  size_t length = 1;
  bool isFloat = isBits;
  while (length < text.size()) {
    char c = text[length], before = text[length - 1];
    bool isExponent = !isHex && !isBits && (before == 'e' || before == 'E');
    if (!isAlnum(c) && !(c == '.' && !isBits && !isHex) &&
        !(isExponent && (c == '+' || c == '-')))
      break;
    isFloat |= c == '.' || (!isHex && (c == 'e' || c == 'E'));
    ++length;
  }
  return take(isFloat ? Token::Kind::Float : Token::Kind::Integer, length);
}

Token Lexer::next() {
  if (!skipSpace())
    return take(Token::Kind::Bad, 2);
  if (text.empty())
    return take(Token::Kind::End, 0);
  char c = text.front();
  if (isNameStart(c)) {
    size_t length = 1;
    while (length < text.size() && isNamePart(text[length]))
      ++length;
    return take(Token::Kind::Name, length);
  }
  if (c == '.' && text.size() > 1 && isNamePart(text[1]))
    return take(Token::Kind::Word, lengthOfWord());
  if (isDigit(c))
    return number();
  if (c == '"') {
    size_t end = text.find('"', 1);
    return end == StringRef::npos ? take(Token::Kind::Bad, 1)
                                  : take(Token::Kind::String, end + 1);
  }
  bool isKnown = StringRef("{}[]()<>,;:@!|+-*/=~&^").contains(c);
  return take(isKnown ? Token::Kind::Punctuation : Token::Kind::Bad, 1);
}

std::vector<Token> ptx::splitTokens(StringRef text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  do
    tokens.push_back(lexer.next());
  while (tokens.back().kind != Token::Kind::End &&
         tokens.back().kind != Token::Kind::Bad);
  return tokens;
}
