//===- PTXText.cpp - statements of inline PTX -----------------------------===//

#include "conversion/ImportSource/InlineAssembly/PTXText.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuopt;

SmallVector<PTXOperand, 4> PTXOperand::parts() const {
  StringRef inner = text;
  char separator = '|';
  if (isVector() || isAddress()) {
    inner = text.drop_front().drop_back();
    separator = ',';
  }
  SmallVector<StringRef, 4> texts;
  inner.split(texts, separator);
  SmallVector<PTXOperand, 4> parts;
  for (StringRef part : texts)
    parts.push_back({part});
  return parts;
}

/// `text` without comments; nothing where one does not end.
static std::optional<std::string> withoutComments(StringRef text) {
  std::string result;
  while (!text.empty()) {
    size_t begin = text.find('/');
    result += text.take_front(begin).str();
    text = text.substr(begin);
    if (text.starts_with("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.starts_with("/*")) {
      size_t end = text.find("*/", 2);
      if (end == StringRef::npos)
        return std::nullopt;
      text = text.substr(end + 2);
      result += ' ';
    } else if (!text.empty()) {
      return std::nullopt;
    }
  }
  return result;
}

static std::string withoutSpaces(StringRef text) {
  std::string result;
  for (char c : text)
    if (!isSpace(c))
      result += c;
  return result;
}

/// Splits at commas outside of brackets.
static SmallVector<PTXOperand, 4> splitOperands(StringRef text) {
  SmallVector<PTXOperand, 4> operands;
  size_t begin = 0, depth = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    char c = at < text.size() ? text[at] : ',';
    depth += c == '{' || c == '[';
    depth -= depth && (c == '}' || c == ']');
    if (c != ',' || depth)
      continue;
    if (at > begin)
      operands.push_back({text.slice(begin, at)});
    begin = at + 1;
  }
  return operands;
}

/// `.reg .pred p, q` without `.reg`.
static bool parseRegisters(StringRef statement, PTXBlock &block) {
  auto [type, names] = statement.ltrim().split(' ');
  if (!type.consume_front("."))
    return false;
  SmallVector<StringRef> all;
  names.split(all, ',');
  for (StringRef name : all) {
    name = name.trim();
    // `r<4>` declares four.
    if (name.empty() || name.contains('<') ||
        !block.registers.try_emplace(name, type).second)
      return false;
  }
  return true;
}

static bool parseStatement(StringRef statement, PTXBlock &block) {
  if (statement.consume_front(".reg"))
    return parseRegisters(statement, block);
  PTXInstruction instruction;
  if (statement.consume_front("@")) {
    statement = statement.ltrim();
    instruction.isGuardNegated = statement.consume_front("!");
    std::tie(instruction.guard, statement) = getToken(statement);
    statement = statement.ltrim();
  }
  auto [opcode, rest] = getToken(statement);
  // `again:` is a label, `ld.L1::no_allocate` is not.
  if (opcode.empty() || !isAlpha(opcode.front()) ||
      opcode.count(':') != 2 * opcode.count("::"))
    return false;
  opcode.split(instruction.opcode, '.');
  block.storage.push_back(withoutSpaces(rest));
  instruction.operands = splitOperands(block.storage.back());
  block.instructions.push_back(std::move(instruction));
  return true;
}

std::optional<PTXBlock> gpuopt::parsePTX(StringRef text) {
  std::optional<std::string> plain = withoutComments(text);
  if (!plain)
    return std::nullopt;
  // One block around everything, or none.
  for (char &c : *plain)
    if (isSpace(c))
      c = ' ';
  StringRef body = StringRef(*plain).trim();
  bool isBlock = body.starts_with("{");
  if (isBlock) {
    if (!body.ends_with("}"))
      return std::nullopt;
    body = body.drop_front().drop_back();
  }
  PTXBlock block;
  SmallVector<StringRef> statements;
  // Operands refer to texts of the block, which must stay where they are.
  block.storage.reserve(body.count(';') + 2);
  block.storage.push_back(body.str());
  StringRef(block.storage.front()).split(statements, ';');
  for (StringRef statement : statements)
    if (statement = statement.trim();
        !statement.empty() && !parseStatement(statement, block))
      return std::nullopt;
  // Other statements may use registers that are declared for the whole kernel.
  if (!isBlock && !block.registers.empty())
    return std::nullopt;
  return block;
}
