//===- ParseInstruction.cpp - one instruction -----------------------------===//

#include "conversion/PTX/TokenStream.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

/// `add` with the words that touch it.
static bool parseOpcode(TokenStream &tokens, SourceInstruction &instruction) {
  instruction.at = tokens.peek().at;
  if (tokens.peek().kind != Token::Kind::Name)
    return tokens.fail("expected an instruction");
  const Token *last = &tokens.take();
  const char *begin = last->text.begin();
  instruction.words.push_back(last->text);
  while (tokens.peek().kind == Token::Kind::Word) {
    last = &tokens.take();
    instruction.words.push_back(last->text.drop_front());
  }
  instruction.opcode = StringRef(begin, last->text.end() - begin);
  return true;
}

/// `a+4`, `-8` and `a+-4` behind a name.
static bool parseOffset(TokenStream &tokens, Operand &operand) {
  while (tokens.is("+") || tokens.is("-")) {
    if (tokens.is("+"))
      tokens.take();
    int64_t number;
    if (!tokens.takeInteger(number))
      return false;
    operand.number = uint64_t(operand.number) + uint64_t(number);
  }
  return true;
}

static bool parseFloat(TokenStream &tokens, Operand &operand, bool negative) {
  StringRef text = tokens.peek().text;
  operand.kind = Operand::Kind::Float;
  operand.isSingle = text.starts_with_insensitive("0f");
  if (operand.isSingle || text.starts_with_insensitive("0d")) {
    size_t digits = operand.isSingle ? 8 : 16;
    if (text.size() != digits + 2 ||
        text.drop_front(2).getAsInteger(16, operand.bits))
      return tokens.fail("expected " + Twine(digits) + " digits behind '" +
                         text.take_front(2) + "'");
  } else {
    APFloat value(APFloat::IEEEdouble());
    auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      consumeError(status.takeError());
      return tokens.fail("expected a number");
    }
    operand.bits = value.bitcastToAPInt().getZExtValue();
  }
  if (negative)
    operand.bits ^= operand.isSingle ? 1ull << 31 : 1ull << 63;
  tokens.take();
  return true;
}

/// `%tid.x` is one name; so is a component of a vector register.
static bool parseName(TokenStream &tokens, Operand &operand) {
  const Token &first = tokens.take();
  const Token *last = &first;
  if (tokens.peek().kind == Token::Kind::Word && first.touches(tokens.peek()))
    last = &tokens.take();
  operand.name =
      StringRef(first.text.begin(), last->text.end() - first.text.begin());
  return parseOffset(tokens, operand);
}

/// What stands between `open` and `close`; an address is one, or a name and a
/// vector of coordinates.
static bool parseParts(TokenStream &tokens, Operand &operand,
                       Operand::Kind kind, StringRef close) {
  operand.kind = kind;
  tokens.take();
  while (!tokens.skip(close)) {
    if (!operand.parts.empty() && !tokens.expect(","))
      return false;
    if (!parseOperand(tokens, operand.parts.emplace_back()))
      return false;
  }
  return true;
}

static bool parseSimpleOperand(TokenStream &tokens, Operand &operand) {
  operand.at = tokens.peek().at;
  operand.isNegated = tokens.skip("!");
  if (tokens.peek().kind == Token::Kind::Name)
    return parseName(tokens, operand);
  bool isNegative = tokens.is("-");
  if (tokens.peek(isNegative).kind == Token::Kind::Float) {
    if (isNegative)
      tokens.take();
    return parseFloat(tokens, operand, isNegative);
  }
  operand.kind = Operand::Kind::Integer;
  return tokens.takeInteger(operand.number) && parseOffset(tokens, operand);
}

/// Nested brackets go no deeper than PTX has them.
bool ptx::parseOperand(TokenStream &tokens, Operand &operand) {
  operand.at = tokens.peek().at;
  auto parseInner = [&](Operand::Kind kind, StringRef close) {
    return parseParts(tokens, operand, kind, close) &&
           (all_of(operand.parts,
                   [](const Operand &part) {
                     return part.kind != Operand::Kind::List &&
                            part.kind != Operand::Kind::Address;
                   }) ||
            tokens.failAt(operand.at, "brackets in brackets"));
  };
  if (tokens.is("{") || tokens.is("[") || tokens.is("(")) {
    for (unsigned ahead = 1; ahead <= 2; ++ahead)
      if (!(tokens.peek(ahead).is("{") || tokens.peek(ahead).is("[") ||
            tokens.peek(ahead).is("(")))
        break;
      else if (ahead == 2)
        return tokens.fail("brackets in brackets");
  }
  bool isVector = tokens.is("{");
  if (isVector && !parseInner(Operand::Kind::Vector, "}"))
    return false;
  if (!isVector && tokens.is("["))
    return parseInner(Operand::Kind::Address, "]");
  if (!isVector && tokens.is("("))
    return parseInner(Operand::Kind::List, ")");
  if (!isVector && !parseSimpleOperand(tokens, operand))
    return false;
  if (!tokens.is("|"))
    return true;
  Operand first = operand;
  operand = Operand();
  operand.at = first.at;
  operand.kind = Operand::Kind::Pair;
  operand.parts.push_back(std::move(first));
  tokens.take();
  return parseSimpleOperand(tokens, operand.parts.emplace_back());
}

bool ptx::parseInstruction(TokenStream &tokens,
                           SourceInstruction &instruction) {
  if (tokens.skip("@")) {
    instruction.isGuardNegated = tokens.skip("!");
    if (!tokens.takeName(instruction.guard))
      return false;
  }
  if (!parseOpcode(tokens, instruction))
    return false;
  while (!tokens.skip(";")) {
    if (!instruction.operands.empty() && !tokens.expect(","))
      return false;
    if (!parseOperand(tokens, instruction.operands.emplace_back()))
      return false;
  }
  return true;
}
