//===- Parser.cpp - text of PTX to its tree -------------------------------===//

#include "conversion/PTX/Parser.h"

#include "conversion/PTX/TokenStream.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

std::optional<RegisterType> ptx::typeNamed(StringRef word) {
  using Kind = RegisterType::Kind;
  if (word == "pred")
    return RegisterType{Kind::Predicate, 1};
  RegisterType type;
  // Numbers for matrices, which have registers of 32 bits.
  if (word == "tf32")
    return RegisterType{Kind::Bits, 32};
  type.lanes = word.consume_back("x2") ? 2 : 1;
  type.kind = word.consume_front("bf")  ? Kind::BFloat
              : word.consume_front("f") ? Kind::Float
              : word.consume_front("u") ? Kind::Unsigned
              : word.consume_front("s") ? Kind::Signed
              : word.consume_front("b") ? Kind::Bits
                                        : Kind::Predicate;
  if (type.isPredicate() || word.getAsInteger(10, type.bits) ||
      !is_contained({8u, 16u, 32u, 64u, 128u}, type.bits))
    return std::nullopt;
  bool isPossible =
      type.lanes == 2 ? (type.bits == 16 && type.kind != Kind::Bits) ||
                            (type.bits == 32 && type.kind == Kind::Float)
      : type.kind == Kind::BFloat ? type.bits == 16
      : type.kind == Kind::Float  ? type.bits >= 16 && type.bits <= 64
      : type.bits == 128          ? type.kind == Kind::Bits
                                  : true;
  if (!isPossible)
    return std::nullopt;
  type.bits *= type.lanes;
  return type;
}

namespace {
class ModuleParser {
public:
  ModuleParser(StringRef text, SourceModule &module, Problems &problems)
      : tokens(text, problems), module(module) {}

  bool parse();

private:
  bool parseDirective();
  bool parseFile();
  bool parseFunction(SourceFunction &function);
  bool parseParameters(std::vector<Variable> &variables);
  bool checkParameter(const Variable &variable);
  bool parseBounds(SourceFunction &function);
  bool parseBody(std::vector<Statement> &body);
  bool parseStatement(std::vector<Statement> &body);
  bool parseBodyDirective(std::vector<Statement> &body);
  bool parseLocation(std::vector<Statement> &body);
  bool parseNames(std::vector<llvm::StringRef> &names);
  bool parsePrototype(Prototype &prototype);
  bool parseLabel(Label &label);
  bool parseVariables(std::vector<Variable> &variables);
  bool parseQualifiers(Variable &variable);
  bool parseQualifier(Variable &variable, bool &isKnown);
  bool parseDeclarator(Variable &variable);
  bool parseExtents(Variable &variable);
  bool parseValues(Variable &variable, unsigned depth);
  bool parseValue(Operand &value);
  bool skipSection();
  /// What is left of a line.
  void skipLine(unsigned line);
  /// Up to a semicolon, which goes, too.
  bool skipStatement();

  TokenStream tokens;
  SourceModule &module;
};
} // namespace

bool ModuleParser::parse() {
  while (!tokens.atEnd())
    if (!parseDirective())
      return false;
  return tokens.peek().kind == Token::Kind::End ||
         tokens.fail("expected a directive");
}

void ModuleParser::skipLine(unsigned line) {
  while (!tokens.atEnd() && tokens.peek().at.line == line)
    tokens.take();
}

bool ModuleParser::skipStatement() {
  while (!tokens.skip(";")) {
    if (tokens.atEnd() || tokens.is("}"))
      return tokens.fail("expected ';'");
    tokens.take();
  }
  return true;
}

/// Data for debuggers.
bool ModuleParser::skipSection() {
  tokens.take();
  while (!tokens.is("{")) {
    if (tokens.atEnd())
      return tokens.fail("expected '{'");
    tokens.take();
  }
  while (!tokens.skip("}")) {
    if (tokens.atEnd())
      return tokens.fail("expected '}'");
    tokens.take();
  }
  return true;
}

/// `.file 1 "a.cu"`, with a time and a size perhaps.
bool ModuleParser::parseFile() {
  unsigned line = tokens.take().at.line;
  int64_t number;
  if (!tokens.takeInteger(number))
    return false;
  if (tokens.peek().kind != Token::Kind::String)
    return tokens.fail("expected the name of a file");
  module.files[unsigned(number)] =
      tokens.take().text.drop_front().drop_back().str();
  skipLine(line);
  return true;
}

bool ModuleParser::parseDirective() {
  const Token &token = tokens.peek();
  if (tokens.skip(";"))
    return true;
  if (token.is(".file"))
    return parseFile();
  if (token.is(".section"))
    return skipSection();
  if (token.is(".version") || token.is(".target") || token.is(".pragma") ||
      token.is(".loc")) {
    // These have no end of their own.
    skipLine(token.at.line);
    return true;
  }
  if (token.is(".address_size")) {
    tokens.take();
    if (!tokens.is("64"))
      return tokens.fail("expected addresses of 64 bits");
    tokens.take();
    return true;
  }
  if (token.is(".alias"))
    return tokens.fail("expected no alias, which is not supported");
  // Linkage stands before functions and variables alike.
  size_t ahead = 0;
  while (tokens.peek(ahead).is(".visible") ||
         tokens.peek(ahead).is(".extern") || tokens.peek(ahead).is(".weak") ||
         tokens.peek(ahead).is(".common"))
    ++ahead;
  if (tokens.peek(ahead).is(".entry") || tokens.peek(ahead).is(".func"))
    return parseFunction(module.functions.emplace_back());
  if (token.kind != Token::Kind::Word)
    return tokens.fail("expected a directive");
  return parseVariables(module.variables);
}

bool ModuleParser::parseFunction(SourceFunction &function) {
  while (!tokens.is(".entry") && !tokens.is(".func"))
    tokens.take();
  function.isKernel = tokens.take().is(".entry");
  while (tokens.skip(".attribute") || tokens.skip(".noreturn"))
    if (tokens.is("("))
      while (!tokens.atEnd() && !tokens.skip(")"))
        tokens.take();
  if (tokens.is("(") && !function.isKernel &&
      !parseParameters(function.results))
    return false;
  function.at = tokens.peek().at;
  if (!tokens.takeName(function.name))
    return false;
  size_t inRegisters = count_if(function.results, [](const Variable &result) {
    return result.space == Space::Register;
  });
  if (inRegisters && inRegisters != function.results.size())
    return tokens.failAt(function.at,
                         "results in registers and in memory are not "
                         "supported beside each other");
  if (tokens.is("(") && !parseParameters(function.parameters))
    return false;
  if (!parseBounds(function))
    return false;
  if (tokens.skip(";"))
    return true;
  function.isDefined = true;
  return tokens.expect("{") && parseBody(function.body);
}

bool ModuleParser::parseParameters(std::vector<Variable> &variables) {
  tokens.take();
  while (!tokens.skip(")")) {
    if (!variables.empty() && !tokens.expect(","))
      return false;
    Variable variable;
    if (!parseQualifiers(variable) || !parseDeclarator(variable) ||
        !checkParameter(variable))
      return false;
    variables.push_back(std::move(variable));
  }
  return true;
}

/// More than any machine takes.
static constexpr uint64_t largestParameter = 1 << 20;

/// A parameter is memory, or a register.
bool ModuleParser::checkParameter(const Variable &variable) {
  bool isPossible = variable.space == Space::Parameter ||
                    (variable.space == Space::Register && !variable.isArray());
  if (variable.isTexture)
    return tokens.failAt(variable.at,
                         "textures that are parameters are not supported");
  if (!isPossible)
    return tokens.failAt(variable.at, "'" + variable.name +
                                          "' is in no space of parameters");
  return variable.bytes() <= largestParameter ||
         tokens.failAt(variable.at,
                       "parameter '" + variable.name + "' is too large");
}

/// `.maxntid 256, 1, 1`
bool ModuleParser::parseBounds(SourceFunction &function) {
  while (tokens.peek().kind == Token::Kind::Word) {
    StringRef name = tokens.take().text.drop_front();
    if (name == "pragma" || name == "abi_preserve" ||
        name == "abi_preserve_control") {
      while (!tokens.atEnd() && !tokens.is(";") && !tokens.is("{"))
        tokens.take();
      tokens.skip(";");
      continue;
    }
    auto &numbers = function.bounds[name];
    while (tokens.peek().kind == Token::Kind::Integer) {
      int64_t number;
      if (!tokens.takeInteger(number))
        return false;
      numbers.push_back(number);
      tokens.skip(",");
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

bool ModuleParser::parseBody(std::vector<Statement> &body) {
  unsigned depth = 1;
  while (depth) {
    if (tokens.atEnd())
      return tokens.fail("expected '}'");
    if (tokens.is("{") || tokens.is("}")) {
      bool begins = tokens.take().is("{");
      depth += begins ? 1 : -1;
      if (depth)
        body.push_back(ScopeMark{begins});
    } else if (!parseStatement(body)) {
      return false;
    }
  }
  return true;
}

bool ModuleParser::parseNames(std::vector<StringRef> &names) {
  tokens.take();
  do {
    StringRef name;
    if (!tokens.takeName(name))
      return false;
    names.push_back(name);
  } while (tokens.skip(","));
  return tokens.expect(";");
}

/// `.callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;`
bool ModuleParser::parsePrototype(Prototype &prototype) {
  tokens.take();
  if (tokens.is("(") && !parseParameters(prototype.results))
    return false;
  StringRef name;
  if (!tokens.takeName(name))
    return false;
  if (tokens.is("(") && !parseParameters(prototype.parameters))
    return false;
  return skipStatement();
}

/// With what a directive behind it says.
bool ModuleParser::parseLabel(Label &label) {
  label.at = tokens.peek().at;
  label.name = tokens.take().text;
  tokens.take();
  if (tokens.is(".branchtargets"))
    return parseNames(label.targets);
  if (tokens.is(".calltargets"))
    return parseNames(label.callees);
  return !tokens.is(".callprototype") ||
         parsePrototype(label.prototype.emplace());
}

bool ModuleParser::parseStatement(std::vector<Statement> &body) {
  if (tokens.skip(";"))
    return true;
  if (tokens.peek().kind == Token::Kind::Word)
    return parseBodyDirective(body);
  if (tokens.peek().kind == Token::Kind::Name && tokens.peek(1).is(":")) {
    Label label;
    if (!parseLabel(label))
      return false;
    body.push_back(std::move(label));
    return true;
  }
  SourceInstruction instruction;
  if (!parseInstruction(tokens, instruction))
    return false;
  body.push_back(std::move(instruction));
  return true;
}

/// `.loc 1 12 5, function_name $L__info_string0+2, inlined_at 1 20 3`
bool ModuleParser::parseLocation(std::vector<Statement> &body) {
  unsigned line = tokens.take().at.line;
  int64_t numbers[3];
  for (int64_t &number : numbers)
    if (!tokens.takeInteger(number))
      return false;
  body.push_back(Location{unsigned(numbers[0]), unsigned(numbers[1]),
                          unsigned(numbers[2])});
  while (!tokens.atEnd() && tokens.peek().at.line == line && !tokens.is("}"))
    tokens.take();
  return true;
}

bool ModuleParser::parseBodyDirective(std::vector<Statement> &body) {
  if (tokens.is(".loc"))
    return parseLocation(body);
  if (tokens.is(".pragma"))
    return skipStatement();
  std::vector<Variable> variables;
  if (!parseVariables(variables))
    return false;
  for (Variable &variable : variables)
    body.push_back(std::move(variable));
  return true;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static std::optional<Space> spaceNamed(StringRef word) {
  return StringSwitch<std::optional<Space>>(word)
      .Case(".reg", Space::Register)
      .Case(".global", Space::Global)
      .Case(".const", Space::Constant)
      .Case(".shared", Space::Shared)
      .Case(".local", Space::Local)
      .Case(".param", Space::Parameter)
      .Default(std::nullopt);
}

/// `.align 4`, `.ptr .global`, `.v4`: what stands before the type and behind
/// it.
bool ModuleParser::parseQualifier(Variable &variable, bool &isKnown) {
  StringRef word = tokens.peek().text;
  isKnown = true;
  if (word == ".extern" || word == ".visible" || word == ".weak" ||
      word == ".common") {
    variable.isExternal |= word == ".extern";
    variable.isVisible |= word != ".extern";
  } else if (word == ".ptr") {
    variable.isPointer = true;
  } else if (word == ".align") {
    tokens.take();
    int64_t alignment;
    if (!tokens.takeInteger(alignment))
      return false;
    if (alignment <= 0 || alignment > 1 << 20 || (alignment & (alignment - 1)))
      return tokens.fail("expected an alignment that is a power of two before");
    // That of a pointer is what it points to.
    if (!variable.isPointer)
      variable.alignment = alignment;
    return true;
  } else if (word == ".attribute") {
    for (; !tokens.atEnd() && !tokens.is(")"); tokens.take())
      variable.isManaged |= tokens.is(".managed");
  } else if (word == ".v2" || word == ".v4" || word == ".v8") {
    variable.extents.push_back(word[2] - '0');
  } else {
    isKnown = false;
    return true;
  }
  tokens.take();
  return true;
}

bool ModuleParser::parseQualifiers(Variable &variable) {
  bool hasSpace = false, hasType = false;
  while (tokens.peek().kind == Token::Kind::Word) {
    bool isKnown = false;
    if (!parseQualifier(variable, isKnown))
      return false;
    if (isKnown)
      continue;
    StringRef word = tokens.peek().text;
    if (word == ".tex") { // As it was written before `.global .texref`.
      variable.space = Space::Global;
      hasSpace = variable.isTexture = true;
    } else if (word == ".texref") {
      variable.type = {RegisterType::Kind::Bits, 64};
      hasType = variable.isTexture = true;
    } else if (std::optional<Space> space = spaceNamed(word)) {
      // `.ptr .global` says where a parameter points.
      if (!variable.isPointer)
        variable.space = *space;
      hasSpace = true;
    } else if (std::optional<RegisterType> type =
                   typeNamed(word.drop_front())) {
      variable.type = *type;
      hasType = true;
    } else {
      return tokens.fail("expected the declaration of a variable");
    }
    tokens.take();
  }
  if (!hasSpace || !hasType)
    return tokens.fail("expected a state space and a type");
  return !variable.type.isPredicate() || variable.space == Space::Register ||
         tokens.fail("expected no predicates but in registers");
}

bool ModuleParser::parseExtents(Variable &variable) {
  // A vector's elements are its last dimension.
  SmallVector<uint64_t, 2> vector = std::exchange(variable.extents, {});
  while (tokens.skip("[")) {
    int64_t extent = 0;
    if (!tokens.is("]") && !tokens.takeInteger(extent))
      return false;
    if (extent < 0 || extent > int64_t(1) << 40)
      return tokens.fail("expected a size of an array before");
    variable.extents.push_back(extent);
    if (!tokens.expect("]"))
      return false;
  }
  append_range(variable.extents, vector);
  uint64_t elements = 1;
  for (uint64_t extent : variable.extents)
    if ((elements *= std::max<uint64_t>(extent, 1)) > uint64_t(1) << 40)
      return tokens.fail("expected an array of fewer elements before");
  return true;
}

bool ModuleParser::parseDeclarator(Variable &variable) {
  variable.at = tokens.peek().at;
  if (!tokens.takeName(variable.name))
    return false;
  if (tokens.skip("<")) {
    int64_t count;
    if (!tokens.takeInteger(count) || !tokens.expect(">"))
      return false;
    variable.count = unsigned(std::clamp<int64_t>(count, 0, 1 << 30));
  }
  if (!parseExtents(variable))
    return false;
  return !tokens.skip("=") || parseValues(variable, /*depth=*/0);
}

/// `generic(a)+4` is the address of a variable.
bool ModuleParser::parseValue(Operand &value) {
  if (!tokens.is("generic"))
    return parseOperand(tokens, value);
  tokens.take();
  if (!tokens.expect("(") || !parseOperand(tokens, value) ||
      !tokens.expect(")"))
    return false;
  while (tokens.is("+") || tokens.is("-")) {
    tokens.skip("+");
    int64_t offset;
    if (!tokens.takeInteger(offset))
      return false;
    value.number = uint64_t(value.number) + uint64_t(offset);
  }
  return true;
}

bool ModuleParser::parseValues(Variable &variable, unsigned depth) {
  if (!tokens.is("{"))
    return parseValue(variable.values.emplace_back());
  if (depth > variable.extents.size())
    return tokens.fail("expected a value");
  tokens.take();
  while (!tokens.skip("}")) {
    if (!parseValues(variable, depth + 1))
      return false;
    if (!tokens.is("}") && !tokens.expect(","))
      return false;
  }
  return true;
}

bool ModuleParser::parseVariables(std::vector<Variable> &variables) {
  Variable common;
  if (!parseQualifiers(common))
    return false;
  do {
    Variable variable = common;
    if (!parseDeclarator(variable))
      return false;
    variables.push_back(std::move(variable));
  } while (tokens.skip(","));
  return tokens.expect(";");
}

bool ptx::parseModule(StringRef text, SourceModule &module,
                      Problems &problems) {
  return ModuleParser(text, module, problems).parse();
}
