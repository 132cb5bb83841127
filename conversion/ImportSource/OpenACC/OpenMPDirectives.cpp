//===- OpenMPDirectives.cpp - OpenMP's directives as OpenACC's ------------===//

#include "conversion/ImportSource/OpenACC/OpenMPDirectives.h"

#include "conversion/ImportSource/OpenACC/DirectiveText.h"
#include "conversion/ImportSource/OpenACC/TeamDirectives.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>
#include <vector>

using namespace llvm;
using namespace gpuopt;

namespace {
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

/// Whether the clause is about how work is shared out, or when it is done: all
/// is done before the host goes on.
static bool isHint(const Word &word) {
  return is_contained({"num_teams", "thread_limit", "num_threads", "schedule",
                       "dist_schedule", "proc_bind", "safelen", "simdlen",
                       "order", "shared", "default", "nowait", "depend"},
                      word.name) ||
         (word.name == "device" && !word.operands.contains("ancestor"));
}

/// The operands of `(kind: operands)` or `(operands)`; a colon in brackets is
/// of a section.
static std::pair<StringRef, StringRef> splitKind(StringRef operands) {
  operands = operands.drop_front().drop_back();
  int depth = 0;
  for (size_t place = 0; place < operands.size(); ++place) {
    char c = operands[place];
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    // `::` of C++, `?:`.
    if (c == '?' || depth < 0)
      break;
    if (c == ':' && depth == 0 && !operands.substr(place).starts_with("::"))
      return {operands.take_front(place).trim(),
              operands.drop_front(place + 1)};
    if (c == ':' && depth == 0)
      ++place;
  }
  return {"", operands};
}

/// OpenACC's name for a kind of `map`; empty where there is none.
static StringRef dataClause(StringRef kind) {
  return StringSwitch<StringRef>(kind)
      .Case("to", "copyin")
      .Case("from", "copyout")
      .Cases({"tofrom", ""}, "copy")
      .Case("alloc", "create")
      .Cases({"release", "delete"}, "delete")
      .Default("");
}

/// A clause of a target region or of a directive that moves data; nothing where
/// OpenACC has none.
static std::optional<std::string> translateDataClause(const Word &word) {
  auto [kind, operands] = word.operands.empty()
                              ? std::pair<StringRef, StringRef>()
                              : splitKind(word.operands);
  auto clause = [&, operands = operands](StringRef name) {
    return (" " + name + "(" + operands + ")").str();
  };
  if (std::string shared = translateClause(word); !shared.empty())
    return shared;
  if (isHint(word))
    return "";
  if (word.name == "map") {
    StringRef name = dataClause(kind);
    if (name.empty())
      return std::nullopt;
    return clause(name) + (kind == "delete" ? " finalize" : "");
  }
  if (word.name == "firstprivate")
    return clause("firstprivate");
  if (word.name == "is_device_ptr")
    return clause("deviceptr");
  if (word.name == "if" && (kind.empty() || kind.starts_with("target")))
    return clause("if");
  if (word.name == "to")
    return clause("device");
  if (word.name == "from")
    return clause("self");
  return std::nullopt;
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
      unsupported = word->name;
      return std::nullopt;
    }
  }
  return " atomic" + kind;
}

namespace {
/// Translates the directives of a file in their order.
class Translator {
public:
  /// With `keepsData` clauses say what a device needs.
  explicit Translator(bool keepsData) : keepsData(keepsData) {}

  /// The directive `text`, what is behind `omp`, as one of OpenACC; empty where
  /// none is needed. Nothing with `unsupported` set where there is none.
  std::optional<std::string> translate(StringRef text);
  /// Notes code between directives, by which regions end.
  void pass(StringRef code);

  StringRef unsupported;

private:
  bool addClause(const Word &word, std::string &clauses);

  bool keepsData;
  /// The region whose inner ones are still to come: of `target` those of
  /// `teams`, of these those of threads.
  Role open = Role::None;
  /// Braces around that region, and around the code that comes next.
  int depthOfOpen = 0, depth = 0;
  int parentheses = 0;
  bool isInComment = false;
};
} // namespace

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

/// Adds a clause; false with `unsupported` set where it cannot be left out.
bool Translator::addClause(const Word &word, std::string &clauses) {
  if (!keepsData) {
    clauses += translateClause(word);
    return true;
  }
  std::optional<std::string> translated = translateDataClause(word);
  if (translated)
    clauses += *translated;
  else
    unsupported = word.name;
  return translated.has_value();
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
      if (!addClause(*word, clauses))
        return std::nullopt;
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

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// The text of a file with directives replaced, line by line.
class Replacer {
public:
  explicit Replacer(StringRef path) : path(path) {}

  /// All directives of OpenMP in `text`.
  mlir::LogicalResult replaceAll(StringRef text, bool keepsData);
  /// Those of target regions alone.
  mlir::LogicalResult replaceTargets(StringRef text);

  std::string result;

private:
  mlir::LogicalResult replaceDataDirective(StringRef line, StringRef directive);
  void put(StringRef line, StringRef directive);
  void putCode(StringRef line, StringRef code);
  mlir::LogicalResult replaceInTeam(StringRef line, StringRef directive);
  void keep(StringRef text) {
    result += text;
    number += text.count('\n');
  }
  /// The same for a line, at whose end a comment may be open.
  void keepLine(StringRef line);
  mlir::LogicalResult refuse(StringRef line, StringRef word);

  StringRef path;
  unsigned number = 1;
  bool isInComment = false;
  /// Of the region of teams that is read.
  std::string limit;
};
} // namespace

void Replacer::keepLine(StringRef line) {
  keep(line);
  while (!line.empty()) {
    if (isInComment) {
      size_t end = line.find("*/");
      isInComment = end == StringRef::npos;
      line = isInComment ? "" : line.drop_front(end + 2);
    } else if (line.consume_front("/*")) {
      isInComment = true;
    } else {
      line = line.drop_front(std::max<size_t>(literalLength(line), 1));
    }
  }
}

/// Whether the preprocessor chooses between directives in `blanks`, which are
/// in front of a statement: which one it is for is not known then.
static bool hasConditional(StringRef blanks) {
  SmallVector<StringRef> lines;
  blanks.split(lines, '\n');
  return any_of(lines, [](StringRef line) {
    line = line.ltrim(" \t");
    if (!line.consume_front("#"))
      return false;
    line = line.ltrim(" \t");
    return line.starts_with("if") || line.starts_with("el") ||
           line.starts_with("endif");
  });
}

/// Puts `directive` in the place of `line`.
void Replacer::put(StringRef line, StringRef directive) {
  if (!directive.empty())
    result += ("#pragma acc" + directive).str();
  result.append(line.count('\n'), '\n');
  number += line.count('\n');
}

/// Puts `code` in the place of `line`.
void Replacer::putCode(StringRef line, StringRef code) {
  result += code;
  result.append(line.count('\n'), '\n');
  number += line.count('\n');
}

/// In a region of teams whose threads run the same code.
mlir::LogicalResult Replacer::replaceInTeam(StringRef line,
                                            StringRef directive) {
  StringRef unsupported;
  std::optional<std::string> code =
      translateInTeam(directive, limit, unsupported);
  if (!code)
    return refuse(line, unsupported);
  putCode(line, *code);
  return mlir::success();
}

mlir::LogicalResult Replacer::refuse(StringRef line, StringRef word) {
  auto column = word.data() - line.data() + 1;
  reportError({path.str(), number, static_cast<unsigned>(column)},
              "OpenMP's '" + word.str() + "' is not supported");
  return mlir::failure();
}

mlir::LogicalResult Replacer::replaceAll(StringRef text, bool keepsData) {
  Translator translator(keepsData);
  // How much text is left behind the region that is read, and whether it is one
  // of teams.
  size_t behindRegion = text.size();
  bool isOfTeam = false;
  while (!text.empty()) {
    StringRef line = takeLine(text);
    text = text.drop_front(line.size());
    bool isInRegion = text.size() > behindRegion;
    isOfTeam &= isInRegion;
    std::optional<StringRef> directive = directiveOn(line);
    if (!directive) {
      translator.pass(line);
      keep(line);
      continue;
    }
    if (isOfTeam || (!keepsData && !isInRegion && isBarrier(*directive))) {
      if (failed(replaceInTeam(line, *directive)))
        return mlir::failure();
      continue;
    }
    StringRef region = text.take_front(statementLength(text));
    isOfTeam = !keepsData && isTeamDirective(*directive, region);
    if (isOfTeam) {
      behindRegion = text.size() - region.size();
      limit = threadLimit(*directive).str();
      putCode(line, "#pragma acc parallel");
      continue;
    }
    std::optional<std::string> translated = translator.translate(*directive);
    if (!translated)
      return refuse(line, translator.unsupported);
    if (!isInRegion && StringRef(*translated).starts_with(" parallel"))
      behindRegion = text.size() - region.size();
    put(line, *translated);
  }
  return mlir::success();
}

/// `target data`, `target enter data`, `target exit data` or `target update`.
mlir::LogicalResult Replacer::replaceDataDirective(StringRef line,
                                                   StringRef directive) {
  std::string translated;
  while (std::optional<Word> word = takeWord(directive)) {
    if (word->name == "target")
      continue;
    if (is_contained({"data", "enter", "exit", "update"}, word->name)) {
      translated += " " + word->name.str();
      continue;
    }
    std::optional<std::string> clause = translateDataClause(*word);
    if (!clause)
      return refuse(line, word->name);
    translated += *clause;
  }
  put(line, translated);
  return mlir::success();
}

mlir::LogicalResult Replacer::replaceTargets(StringRef text) {
  while (!text.empty()) {
    StringRef line = takeLine(text);
    std::optional<StringRef> directive = directiveOn(line);
    StringRef rest = directive.value_or("");
    std::optional<Word> first = takeWord(rest), second = takeWord(rest);
    StringRef behind = text.drop_front(line.size());
    bool isHost = isInComment || !first || first->name != "target" ||
                  hasConditional(behind.take_front(blankLength(behind)));
    bool declares = !isInComment && first && second &&
                    second->name == "target" &&
                    is_contained({"declare", "begin"}, first->name);
    if (declares)
      return refuse(line, first->name);
    if (isHost) {
      keepLine(line);
      text = behind;
      continue;
    }
    bool movesData = second && is_contained({"data", "enter", "exit", "update"},
                                            second->name);
    if (movesData) {
      if (failed(replaceDataDirective(line, *directive)))
        return mlir::failure();
      text = text.drop_front(line.size());
      continue;
    }
    size_t length = line.size() + statementLength(text.drop_front(line.size()));
    if (failed(replaceAll(text.take_front(length), /*keepsData=*/true)))
      return mlir::failure();
    text = text.drop_front(length);
  }
  return mlir::success();
}

mlir::FailureOr<std::string> gpuopt::replaceOpenMP(StringRef path,
                                                   StringRef text) {
  Replacer replacer(path);
  if (failed(replacer.replaceAll(text, /*keepsData=*/false)))
    return mlir::failure();
  return std::move(replacer.result);
}

mlir::FailureOr<std::string> gpuopt::replaceTargets(StringRef path,
                                                    StringRef text) {
  Replacer replacer(path);
  if (failed(replacer.replaceTargets(text)))
    return mlir::failure();
  return std::move(replacer.result);
}
