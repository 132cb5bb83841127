//===- Pragma.cpp - '#pragma gpuopt' --------------------------------------===//

#include "conversion/ImportSource/Pragma.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuopt;

namespace {
/// Reads the clauses of one pragma from left to right.
class ClauseParser {
public:
  ClauseParser(StringRef text, KernelPragma &pragma)
      : text(text), pragma(pragma) {}

  std::optional<TextError> parse() {
    skipSpace();
    if (offset == text.size())
      fail("expected 'domain(…)', 'array(…)', 'output(…)', 'share(…)' or "
           "'reassociate'");
    while (!error && offset < text.size()) {
      parseClause();
      skipSpace();
    }
    return error;
  }

private:
  void skipSpace() {
    while (offset < text.size() && isSpace(text[offset]))
      ++offset;
  }

  void fail(const Twine &message) {
    if (!error)
      error = TextError{offset, message.str()};
  }

  bool consume(char c) {
    skipSpace();
    if (offset == text.size() || text[offset] != c)
      return false;
    ++offset;
    return true;
  }

  void expect(char c) {
    if (!error && !consume(c))
      fail(Twine("expected '") + Twine(c) + "'");
  }

  StringRef parseName() {
    skipSpace();
    // `s.width` is a member of a structure that the kernel is given.
    StringRef name = text.substr(offset).take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == '.'; });
    if (name.empty() || isDigit(name.front())) {
      fail("expected a name");
      return "";
    }
    offset += name.size();
    return name;
  }

  /// The text up to a ',', ':' or ')' outside of parentheses.
  std::string parseExtent() {
    skipSpace();
    size_t begin = offset;
    unsigned depth = 0;
    for (; offset < text.size(); ++offset) {
      char c = text[offset];
      if (depth == 0 && (c == ',' || c == ':' || c == ')'))
        break;
      depth += c == '(';
      depth -= c == ')';
    }
    std::string extent = text.slice(begin, offset).trim().str();
    if (extent.empty()) {
      fail("expected an extent");
    } else if (Expected<std::vector<std::string>> names = namesInExtent(extent);
               !names) {
      offset = begin;
      fail(toString(names.takeError()));
    }
    return extent;
  }

  std::vector<std::string> parseExtents() {
    std::vector<std::string> extents;
    do
      extents.push_back(parseExtent());
    while (!error && consume(','));
    return extents;
  }

  void parseClause() {
    size_t begin = offset;
    StringRef clause = parseName();
    if (clause == "reassociate") {
      pragma.reassociate = true;
      return;
    }
    if (error ||
        !is_contained({"domain", "array", "output", "share"}, clause)) {
      constexpr char expected[] =
          "expected 'domain', 'array', 'output', 'share' or 'reassociate'";
      error.reset();
      offset = begin;
      return fail(clause.empty()
                      ? Twine(expected)
                      : "unknown clause '" + clause + "'; " + expected);
    }
    if (clause == "share")
      return parseHints();
    expect('(');
    if (error)
      return;
    if (clause == "domain")
      parseDomain(begin);
    else if (clause == "array")
      parseArray();
    else
      parseOutputs();
    expect(')');
  }

  void parseDomain(size_t begin) {
    if (!pragma.domain.empty()) {
      offset = begin;
      return fail("this kernel has a 'domain' already");
    }
    pragma.domain = parseExtents();
    if (!error && pragma.domain.size() > 3) {
      offset = begin;
      fail("expected at most three extents in 'domain', found " +
           Twine(pragma.domain.size()));
    }
  }

  void parseArray() {
    skipSpace();
    size_t begin = offset;
    std::string name = parseName().str();
    expect(':');
    if (error)
      return;
    if (!pragma.arrays.emplace(name, parseExtents()).second) {
      offset = begin;
      fail("'" + Twine(name) + "' has a shape already");
    }
  }

  /// output(a, b: n): an extent belongs to the name before it.
  void parseOutputs() {
    do {
      std::string name = parseName().str();
      std::vector<std::string> extents;
      if (!error && consume(':'))
        extents.push_back(parseExtent());
      if (!error)
        pragma.outputs[name] = extents;
    } while (!error && consume(','));
  }

  void parseHints() {
    std::vector<HintInText> hints;
    error = parseShareHints(text, offset, hints);
    for (HintInText &placed : hints)
      pragma.share.push_back(std::move(placed.hint));
  }

  StringRef text;
  KernelPragma &pragma;
  size_t offset = 0;
  std::optional<TextError> error;
};
} // namespace

std::optional<TextError> gpuopt::parsePragmaClauses(StringRef text,
                                                    KernelPragma &pragma) {
  return ClauseParser(text, pragma).parse();
}

namespace {
/// What a name in a pragma stands for.
struct Named {
  ElementType element;
  bool isPointer;
  StringRef typeName;
};
} // namespace

/// Finds a parameter, or a member of one that is a structure.
static std::optional<Named>
findNamed(StringRef name, const std::vector<KernelParameter> &parameters) {
  auto [base, member] = name.split('.');
  for (const KernelParameter &parameter : parameters) {
    if (parameter.name == name)
      return Named{parameter.element, parameter.isPointer, parameter.typeName};
    for (const StructureMember &candidate : parameter.members)
      if (parameter.name == base && candidate.name == member &&
          candidate.extents.empty())
        return Named{candidate.element, candidate.isPointer,
                     candidate.typeName};
  }
  return std::nullopt;
}

/// What is wrong with one extent, if anything is.
static std::optional<std::string>
checkExtent(StringRef extent, const std::vector<KernelParameter> &parameters) {
  Expected<std::vector<std::string>> names = namesInExtent(extent);
  if (!names)
    return toString(names.takeError());
  for (const std::string &name : *names) {
    std::optional<Named> found = findNamed(name, parameters);
    if (!found)
      return "'" + name + "' is no parameter of the kernel";
    bool isInteger = found->element.kind == ElementKind::SignedInt ||
                     found->element.kind == ElementKind::UnsignedInt;
    if (found->isPointer || !isInteger)
      return "'" + name + "' is no integer parameter";
  }
  return std::nullopt;
}

/// What is wrong with the clauses for one array, if anything is.
static std::optional<std::string>
checkArray(StringRef name, const std::vector<std::string> &extents,
           const std::vector<KernelParameter> &parameters) {
  std::optional<Named> found = findNamed(name, parameters);
  if (!found)
    return ("'" + name + "' is no parameter of the kernel").str();
  if (!found->isPointer)
    return ("'" + name + "' is no array but of type '" + found->typeName + "'")
        .str();
  for (const std::string &extent : extents)
    if (std::optional<std::string> message = checkExtent(extent, parameters))
      return message;
  return std::nullopt;
}

std::optional<std::string>
gpuopt::checkPragma(const KernelPragma &pragma,
                    const std::vector<KernelParameter> &parameters) {
  for (const std::string &extent : pragma.domain)
    if (std::optional<std::string> message = checkExtent(extent, parameters))
      return message;
  for (const auto *clauses : {&pragma.arrays, &pragma.outputs})
    for (const auto &[name, extents] : *clauses)
      if (std::optional<std::string> message =
              checkArray(name, extents, parameters))
        return message;
  for (const ShareHint &hint : pragma.share)
    if (std::optional<std::string> message =
            checkArray(hint.array, /*extents=*/{}, parameters))
      return message;
  return std::nullopt;
}
