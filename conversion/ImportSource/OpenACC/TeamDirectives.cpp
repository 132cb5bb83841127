//===- TeamDirectives.cpp - directives of teams as calls ------------------===//

#include "conversion/ImportSource/OpenACC/TeamDirectives.h"

#include "conversion/ImportSource/OpenACC/DirectiveText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace gpuopt;

static SmallVector<Word> wordsOf(StringRef directive) {
  SmallVector<Word> words;
  while (std::optional<Word> word = takeWord(directive))
    words.push_back(*word);
  return words;
}

static bool hasWord(ArrayRef<Word> words, StringRef name) {
  return any_of(words, [&](const Word &word) { return word.name == name; });
}

static bool sharesLoop(ArrayRef<Word> words) {
  return hasWord(words, "for") || hasWord(words, "distribute") ||
         hasWord(words, "loop");
}

bool gpuopt::isTeamDirective(StringRef directive, StringRef region) {
  SmallVector<Word> words = wordsOf(directive);
  if (!hasWord(words, "target") || !hasWord(words, "teams") ||
      sharesLoop(words))
    return false;
  // All of its threads run the same code: no loop is shared out among them.
  bool hasThreads = hasWord(words, "parallel"), sharesLoops = false;
  while (!region.empty()) {
    StringRef line = takeLine(region);
    region = region.drop_front(line.size());
    std::optional<StringRef> inner = directiveOn(line);
    SmallVector<Word> own = inner ? wordsOf(*inner) : SmallVector<Word>();
    hasThreads |= !own.empty() && own.front().name == "parallel";
    sharesLoops |= sharesLoop(own);
  }
  return hasThreads && !sharesLoops && !hasWord(words, "parallel");
}

bool gpuopt::isBarrier(StringRef directive) {
  SmallVector<Word> words = wordsOf(directive);
  return words.size() == 1 && words.front().name == "barrier";
}

StringRef gpuopt::threadLimit(StringRef directive) {
  for (const Word &word : wordsOf(directive))
    if (word.name == "thread_limit")
      return word.operands;
  return "";
}

/// `parallel`, whose clauses are `clauses`.
static std::optional<std::string> translateThreads(ArrayRef<Word> clauses,
                                                   StringRef limit,
                                                   StringRef &unsupported) {
  std::string threads = limit.empty() ? "(0)" : limit.str();
  for (const Word &clause : clauses) {
    if (clause.name == "num_threads")
      threads = clause.operands.str();
    else if (!is_contained({"default", "shared", "proc_bind"}, clause.name)) {
      unsupported = clause.name;
      return std::nullopt;
    }
  }
  return "if (__gpuopt_threads" + threads + ")";
}

std::optional<std::string> gpuopt::translateInTeam(StringRef directive,
                                                   StringRef limit,
                                                   StringRef &unsupported) {
  SmallVector<Word> words = wordsOf(directive);
  StringRef name = words.empty() ? "" : words.front().name;
  if (name == "parallel")
    return translateThreads(ArrayRef(words).drop_front(), limit, unsupported);
  if (name == "barrier")
    return "__gpuopt_barrier();";
  if (name == "master" || name == "masked")
    return "if (__gpuopt_thread_id_x() == 0)";
  // How an iteration is computed.
  if (name == "simd" || name == "unroll")
    return "";
  if (name == "atomic") {
    std::string kind;
    for (const Word &word : words) {
      if (word.name == "compare") {
        unsupported = word.name;
        return std::nullopt;
      }
      if (is_contained({"read", "write", "update", "capture"}, word.name))
        kind = " " + word.name.str();
    }
    return "#pragma acc atomic" + kind;
  }
  unsupported = name;
  return std::nullopt;
}
