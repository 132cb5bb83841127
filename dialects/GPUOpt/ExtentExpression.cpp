//===- ExtentExpression.cpp - integer expressions as texts ----------------===//
//
// A recursive-descent parser that evaluates as it goes. Precedence as in C.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/ExtentExpression.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace gpuopt;

namespace {
/// Evaluates one expression; `lookUp` gives the value of a name, or nothing.
/// With `syntaxOnly` names have no values yet, so values cannot be wrong.
class ExtentParser {
public:
  using LookUp = function_ref<std::optional<int64_t>(StringRef)>;

  ExtentParser(StringRef text, LookUp lookUp, bool syntaxOnly)
      : text(text), lookUp(lookUp), syntaxOnly(syntaxOnly) {}

  Expected<int64_t> parse() {
    int64_t value = parseBinary(0);
    skipSpace();
    if (message.empty() && offset != text.size())
      fail("expected an operator");
    if (!message.empty())
      return createStringError(message);
    return value;
  }

private:
  struct Operator {
    StringRef spelling;
    unsigned precedence;
  };

  void skipSpace() {
    while (offset < text.size() && isSpace(text[offset]))
      ++offset;
  }

  /// Remembers the first thing that is wrong.
  int64_t fail(const Twine &what) {
    if (message.empty())
      message =
          ("in '" + text + "' at character " + Twine(offset + 1) + ": " + what)
              .str();
    return 0;
  }

  /// The binary operator at the current place, if one is there.
  std::optional<Operator> peekOperator() {
    static constexpr Operator operators[] = {
        {"<<", 1}, {">>", 1}, {"+", 2}, {"-", 2}, {"*", 3}, {"/", 3}, {"%", 3}};
    skipSpace();
    for (const Operator &candidate : operators)
      if (text.substr(offset).starts_with(candidate.spelling))
        return candidate;
    return std::nullopt;
  }

  int64_t parseBinary(unsigned minimum) {
    int64_t left = parseUnary();
    while (message.empty()) {
      std::optional<Operator> found = peekOperator();
      if (!found || found->precedence < minimum)
        break;
      size_t place = offset;
      offset += found->spelling.size();
      int64_t right = parseBinary(found->precedence + 1);
      if (message.empty())
        left = apply(found->spelling, left, right, place);
    }
    return left;
  }

  int64_t apply(StringRef spelling, int64_t left, int64_t right, size_t place) {
    int64_t result = 0;
    bool overflow = false;
    if (syntaxOnly)
      return 0;
    if (spelling == "+")
      overflow = AddOverflow(left, right, result);
    else if (spelling == "-")
      overflow = SubOverflow(left, right, result);
    else if (spelling == "*")
      overflow = MulOverflow(left, right, result);
    else if (spelling == "<<" || spelling == ">>")
      return shift(spelling == "<<", left, right, place);
    else
      return divide(spelling == "/", left, right, place);
    if (!overflow)
      return result;
    offset = place;
    return fail("the value does not fit into 64 bits");
  }

  int64_t shift(bool toTheLeft, int64_t left, int64_t right, size_t place) {
    offset = right < 0 || right > 62 ? place : offset;
    if (right < 0 || right > 62)
      return fail("the shift distance " + Twine(right) + " is not in 0..62");
    int64_t result = 0;
    if (!toTheLeft)
      return left >> right;
    if (!MulOverflow(left, int64_t(1) << right, result))
      return result;
    offset = place;
    return fail("the value does not fit into 64 bits");
  }

  int64_t divide(bool quotient, int64_t left, int64_t right, size_t place) {
    if (right == 0) {
      offset = place;
      return fail("division by zero");
    }
    if (right == -1)
      return quotient ? apply("-", 0, left, place) : 0;
    return quotient ? left / right : left % right;
  }

  int64_t parseUnary() {
    // Deep nesting is no expression that anyone writes.
    if (++depth > 200)
      return fail("the expression is nested too deeply");
    skipSpace();
    int64_t value = parseUnaryOperator();
    --depth;
    return value;
  }

  int64_t parseUnaryOperator() {
    size_t place = offset;
    if (offset == text.size())
      return fail("expected a number, a name or '('");
    switch (text[offset]) {
    case '+':
      ++offset;
      return parseUnary();
    case '-':
      ++offset;
      return apply("-", 0, parseUnary(), place);
    case '~':
      ++offset;
      return ~parseUnary();
    case '(':
      return parseParenthesis();
    default:
      return parseLeaf();
    }
  }

  int64_t parseParenthesis() {
    ++offset;
    int64_t value = parseBinary(0);
    skipSpace();
    if (!message.empty())
      return 0;
    if (offset == text.size() || text[offset] != ')')
      return fail("expected ')'");
    ++offset;
    return value;
  }

  int64_t parseLeaf() {
    // `s.width` is a member of a structure that the kernel is given.
    auto isNamePart = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
    StringRef word = text.substr(offset).take_while(isNamePart);
    if (word.empty())
      return fail("expected a number, a name or '('");
    if (isDigit(word.front()))
      return parseNumber(word);
    std::optional<int64_t> value = lookUp(word);
    if (!value)
      return fail("unknown name '" + word + "'");
    offset += word.size();
    return *value;
  }

  int64_t parseNumber(StringRef word) {
    int64_t value = 0;
    StringRef digits = word.rtrim("uUlL");
    if (digits.getAsInteger(0, value))
      return fail("'" + word + "' is no integer of 64 bits");
    offset += word.size();
    return value;
  }

  StringRef text;
  LookUp lookUp;
  bool syntaxOnly;
  size_t offset = 0;
  unsigned depth = 0;
  std::string message;
};
} // namespace

Expected<int64_t> gpuopt::evaluateExtent(StringRef expression,
                                         const StringMap<int64_t> &parameters) {
  auto lookUp = [&](StringRef name) -> std::optional<int64_t> {
    auto found = parameters.find(name);
    if (found == parameters.end())
      return std::nullopt;
    return found->second;
  };
  return ExtentParser(expression, lookUp, /*syntaxOnly=*/false).parse();
}

Expected<std::vector<std::string>> gpuopt::namesInExtent(StringRef expression) {
  std::vector<std::string> names;
  auto lookUp = [&](StringRef name) -> std::optional<int64_t> {
    if (!is_contained(names, name))
      names.push_back(name.str());
    return 1;
  };
  Expected<int64_t> value =
      ExtentParser(expression, lookUp, /*syntaxOnly=*/true).parse();
  if (!value)
    return value.takeError();
  return names;
}
