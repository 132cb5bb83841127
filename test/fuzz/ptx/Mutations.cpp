//===- Mutations.cpp - PTX that is almost right ---------------------------===//

#include "test/fuzz/ptx/Mutations.h"

#include "conversion/PTX/Lexer.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt::fuzz;
using gpuopt::ptx::splitTokens;
using gpuopt::ptx::Token;
using llvm::StringRef;

/// What stands from `begin` to `end` in one text.
static StringRef between(const char *begin, const char *end) {
  return StringRef(begin, end - begin);
}

/// The tokens of `text`, up to the first that is none.
static std::vector<Token> tokensOf(StringRef text) {
  std::vector<Token> tokens = splitTokens(text);
  tokens.pop_back();
  return tokens;
}

/// `add.s32 %r1, %r2, 5;` and what else ends in a semicolon or at a brace.
static std::vector<StringRef> statementsOf(StringRef text) {
  std::vector<StringRef> statements;
  const char *begin = nullptr;
  for (const Token &token : tokensOf(text)) {
    if (!begin)
      begin = token.text.begin();
    if (token.is(";") || token.is("{") || token.is("}") || token.is(":"))
      statements.push_back(
          between(std::exchange(begin, nullptr), token.text.end()));
  }
  return statements;
}

static std::vector<StringRef> linesOf(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return lines;
}

/// `text` with `replacement` for `part`, which is in it.
static std::string replaced(StringRef text, StringRef part,
                            const llvm::Twine &replacement) {
  return (between(text.begin(), part.begin()) + replacement +
          between(part.end(), text.end()))
      .str();
}

/// Deletes, doubles, overwrites or swaps parts of `text`.
static std::string
rearrange(StringRef text, const std::vector<StringRef> &parts, Random &random) {
  if (parts.empty())
    return text.str();
  StringRef part = random.pick(parts), other = random.pick(parts);
  switch (random.below(4)) {
  case 0:
    return replaced(text, part, "");
  case 1:
    return replaced(text, part, part + " " + part);
  case 2:
    return replaced(text, part, other);
  default:
    if (other.begin() < part.begin())
      std::swap(part, other);
    if (part.data() == other.data())
      return text.str();
    return replaced(text, between(part.begin(), other.end()),
                    other + between(part.end(), other.begin()) + part);
  }
}

/// One of the same kind, mostly.
static std::string wordFor(Token::Kind kind, Random &random) {
  if (random.oneIn(16))
    kind = Token::Kind(random.below(unsigned(Token::Kind::Bad)));
  switch (kind) {
  case Token::Kind::Name:
    return random.oneIn(2) ? randomSpecialRegister(random)
                           : randomOpcode(random);
  case Token::Kind::Word:
    return randomWord(random);
  case Token::Kind::Integer:
    return randomNumber(random);
  case Token::Kind::Float:
    return randomFloat(random);
  case Token::Kind::String:
    return "\"a\"";
  default:
    return std::string(1, random.pick(StringRef("{}[]()<>,;:@!|+-=")));
  }
}

static std::string replaceToken(StringRef text, Random &random) {
  std::vector<Token> tokens = tokensOf(text);
  if (tokens.empty())
    return text.str();
  const Token &token = random.pick(tokens);
  return replaced(text, token.text, wordFor(token.kind, random));
}

/// A register or label by another, a number by another, of the text.
static std::string exchangeAlike(StringRef text, Random &random) {
  std::vector<Token> tokens = tokensOf(text);
  if (tokens.empty())
    return text.str();
  const Token token = random.pick(tokens);
  llvm::erase_if(tokens,
                 [&](const Token &other) { return other.kind != token.kind; });
  return replaced(text, token.text, random.pick(tokens).text);
}

/// Another instruction for one of the text, with the same operands.
static std::string replaceOpcode(StringRef text, Random &random) {
  std::vector<StringRef> statements = statementsOf(text);
  if (statements.empty())
    return text.str();
  StringRef opcode = random.pick(statements).take_until(llvm::isSpace);
  return replaced(text, opcode, randomOpcode(random));
}

static std::string insertInstruction(StringRef text, Random &random) {
  std::vector<StringRef> statements = statementsOf(text), names;
  if (statements.empty())
    return text.str();
  if (random.oneIn(2))
    for (const Token &token : tokensOf(text))
      if (token.text.starts_with("%") || token.text.starts_with("$"))
        names.push_back(token.text);
  StringRef statement = random.pick(statements);
  return replaced(text, statement.take_back(0),
                  "\n" + randomInstruction(names, random));
}

static std::string mutateOnce(StringRef text, Random &random) {
  switch (random.below(8)) {
  case 0:
    return rearrange(text, linesOf(text), random);
  case 1:
    return rearrange(text, statementsOf(text), random);
  case 2: {
    std::vector<StringRef> words;
    for (const Token &token : tokensOf(text))
      words.push_back(token.text);
    return rearrange(text, words, random);
  }
  case 3:
    return replaceOpcode(text, random);
  case 4:
    return exchangeAlike(text, random);
  case 5:
    return replaceToken(text, random);
  default:
    return insertInstruction(text, random);
  }
}

/// A kernel where one instruction is all that can be wrong.
static std::string makeKernel(Random &random) {
  return ".version 8.7\n.target sm_90\n.address_size 64\n"
         ".visible .entry k() {\n" +
         randomInstruction({}, random) + "\n}\n";
}

std::string gpuopt::fuzz::mutate(std::string text, Random &random) {
  if (random.oneIn(4))
    return makeKernel(random);
  for (size_t left = 1 + random.below(3); left; --left)
    text = mutateOnce(text, random);
  return text;
}

std::string gpuopt::fuzz::splice(std::string text, StringRef other,
                                 Random &random) {
  std::vector<StringRef> places = statementsOf(text);
  std::vector<StringRef> found = statementsOf(other);
  if (places.empty() || found.empty())
    return text;
  size_t first = random.below(found.size());
  size_t last = std::min(first + random.below(8), found.size() - 1);
  StringRef part = between(found[first].begin(), found[last].end());
  return replaced(text, random.pick(places).take_back(0), "\n" + part);
}
