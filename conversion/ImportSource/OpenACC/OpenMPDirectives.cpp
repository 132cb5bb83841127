//===- OpenMPDirectives.cpp - OpenMP's directives as OpenACC's ------------===//

#include "conversion/ImportSource/OpenACC/OpenMPDirectives.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>
#include <vector>

using namespace llvm;
using namespace gpuopt;

namespace {
/// `collapse(2)`, or a word without operands.
struct Word {
  StringRef name;
  /// With its parentheses, or empty.
  StringRef operands;
};

/// What a word of a directive stands for.
enum class Role {
  /// Opens a region of threads, from the widest inwards.
  Target,
  Teams,
  Threads,
  /// The loop behind it is shared out.
  Loop,
  Atomic,
  /// Says nothing that a kernel needs.
  Ignored,
  Unsupported,
  /// No word of a directive: a clause.
  None
};
} // namespace

static Role roleOf(StringRef name) {
  return StringSwitch<Role>(name)
      .Case("target", Role::Target)
      .Case("teams", Role::Teams)
      .Case("parallel", Role::Threads)
      .Cases({"for", "distribute", "loop"}, Role::Loop)
      .Case("atomic", Role::Atomic)
      .Cases({"simd", "master", "masked", "single", "barrier", "taskwait",
              "flush", "data", "enter", "exit", "update", "declare", "end"},
             Role::Ignored)
      .Cases({"critical", "sections", "section", "task", "taskloop",
              "taskgroup", "ordered", "threadprivate", "cancel", "scan"},
             Role::Unsupported)
      .Default(Role::None);
}

/// Takes the first word of `text`, which separators may precede.
static std::optional<Word> takeWord(StringRef &text) {
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

/// A clause that both have; empty for others.
static std::string translateClause(const Word &word) {
  bool isShared = word.name == "private" || word.name == "collapse" ||
                  word.name == "reduction";
  if (!isShared)
    return "";
  std::string operands = word.operands.str();
  // A sum that is subtracted from is a sum.
  size_t colon = operands.find(':'), minus = operands.find('-');
  if (word.name == "reduction" && minus < colon)
    operands[minus] = '+';
  return " " + word.name.str() + operands;
}

/// `atomic` with the clauses `text` behind it. What orders it among others says
/// nothing that a kernel's results may depend on.
static std::optional<std::string> translateAtomic(StringRef text,
                                                  StringRef &unsupported) {
  std::string kind;
  while (std::optional<Word> word = takeWord(text)) {
    if (is_contained({"read", "write", "update", "capture"}, word->name))
      kind = " " + word->name.str();
    if (word->name == "compare") {
      unsupported = "atomic compare";
      return std::nullopt;
    }
  }
  return " atomic" + kind;
}

namespace {
/// Translates the directives of a file in their order.
class Translator {
public:
  /// The directive `text`, what is behind `omp`, as one of OpenACC; empty where
  /// none is needed. Nothing with `unsupported` set where there is none.
  std::optional<std::string> translate(StringRef text);
  /// Notes code between directives, by which regions end.
  void pass(StringRef code);

  StringRef unsupported;

private:
  /// The region whose inner ones are still to come: of `target` those of
  /// `teams`, of these those of threads.
  Role open = Role::None;
  /// Braces around that region, and around the code that comes next.
  int depthOfOpen = 0, depth = 0;
  int parentheses = 0;
  bool isInComment = false;
};
} // namespace

/// The length of a comment or literal that `code` begins with, 0 for others.
static size_t literalLength(StringRef code) {
  if (code.starts_with("//"))
    return std::min(code.find('\n'), code.size());
  if (code[0] != '"' && code[0] != '\'')
    return 0;
  size_t end = 1;
  while (end < code.size() && code[end] != code[0])
    end += code[end] == '\\' ? 2 : 1;
  return std::min(end + 1, code.size());
}

void Translator::pass(StringRef code) {
  while (!code.empty()) {
    if (isInComment) {
      size_t end = code.find("*/");
      isInComment = end == StringRef::npos;
      code = isInComment ? "" : code.drop_front(end + 2);
      continue;
    }
    if (code.consume_front("/*")) {
      isInComment = true;
      continue;
    }
    if (size_t length = literalLength(code)) {
      code = code.drop_front(length);
      continue;
    }
    char c = code[0];
    code = code.drop_front();
    depth += (c == '{') - (c == '}');
    parentheses += (c == '(') - (c == ')');
    // The statement that is the region is at its end.
    if ((c == '}' || (c == ';' && parentheses == 0)) && depth <= depthOfOpen)
      open = Role::None;
  }
}

std::optional<std::string> Translator::translate(StringRef text) {
  bool isRegion = false, isLoop = false, isIgnored = false;
  Role innermost = Role::None, outermost = Role::None;
  std::string clauses;
  while (std::optional<Word> word = takeWord(text)) {
    Role role = roleOf(word->name);
    switch (role) {
    case Role::Target:
    case Role::Teams:
    case Role::Threads:
      outermost = isRegion ? outermost : role;
      innermost = role;
      isRegion = true;
      break;
    case Role::Loop:
      isLoop = true;
      break;
    case Role::Atomic:
      return translateAtomic(text, unsupported);
    case Role::Ignored:
      // `target data` opens no region.
      isIgnored |= word->name != "simd";
      break;
    case Role::Unsupported:
      unsupported = word->name;
      return std::nullopt;
    case Role::None:
      clauses += translateClause(*word);
      break;
    }
  }
  if (isIgnored || (!isRegion && !isLoop))
    return "";
  if (isRegion) {
    bool isInner = open != Role::None && outermost > open;
    if (!isInner)
      depthOfOpen = depth;
    if (innermost != Role::Threads)
      open = innermost;
    else if (!isInner)
      open = Role::None;
    isRegion = !isInner;
  }
  if (!isRegion && !isLoop)
    return "";
  return std::string(isRegion ? " parallel" : "") + (isLoop ? " loop" : "") +
         clauses;
}

/// What is behind `# pragma omp` on `line`; nothing for other lines.
static std::optional<StringRef> directiveOn(StringRef line) {
  line = line.ltrim(" \t");
  for (StringRef word : {"#", "pragma", "omp"}) {
    if (!line.consume_front(word) ||
        (word != "#" && !line.empty() && (isAlnum(line[0]) || line[0] == '_')))
      return std::nullopt;
    line = line.ltrim(" \t");
  }
  return line.take_front(line.find("//"));
}

/// The first line of `text`, with those that continue it.
static StringRef takeLine(StringRef text) {
  size_t end = 0;
  do
    end = text.find('\n', end);
  while (end != StringRef::npos &&
         text.take_front(end++).rtrim("\r").ends_with("\\"));
  return text.take_front(end);
}

mlir::FailureOr<std::string> gpuopt::replaceOpenMP(StringRef path,
                                                   StringRef text) {
  std::string result;
  Translator translator;
  unsigned number = 1;
  while (!text.empty()) {
    StringRef line = takeLine(text);
    text = text.drop_front(line.size());
    if (std::optional<StringRef> directive = directiveOn(line)) {
      std::optional<std::string> translated = translator.translate(*directive);
      if (!translated) {
        auto column = translator.unsupported.data() - line.data() + 1;
        reportError({path.str(), number, static_cast<unsigned>(column)},
                    "OpenMP's '" + translator.unsupported.str() +
                        "' is not supported");
        return mlir::failure();
      }
      if (!translated->empty())
        result += "#pragma acc" + *translated;
      result.append(line.count('\n'), '\n');
    } else {
      translator.pass(line);
      result += line;
    }
    number += line.count('\n');
  }
  return result;
}
