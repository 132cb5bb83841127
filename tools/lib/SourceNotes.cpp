//===- SourceNotes.cpp - comments on what was done to a kernel ------------===//

#include "tools/lib/SourceNotes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace gpuopt;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// What a transform is for, where its remark has no phrase of its own; empty
/// for those that only prepare others.
static StringRef purposeOf(StringRef pass) {
  return llvm::StringSwitch<StringRef>(pass)
      .Case("SpecializeSizes", "fewer tests are needed")
      .Cases({"UnrollAndJam", "UnrollStencils", "MergeThreads", "MergeBlocks"},
             "a load serves several")
      .Case("Coalesce", "neighbours read neighbours")
      .Case("VersionGuards", "most blocks need no tests")
      .Case("VersionAlignment", "accesses are wide")
      .Case("PadTiles", "no loop has a rest")
      .Case("DistributeTiles", "the whole block fills a tile at once")
      .Case("VectorizeAccesses", "there are fewer")
      .Case("Prefetch", "loads take place behind the arithmetic")
      .Case("EliminateBankConflicts", "no two threads wait for one bank")
      .Case("EliminatePartitionCamping",
            "blocks spread over the partitions of memory")
      .Case("SwizzleBlocks", "neighbours share the cache")
      .Default("");
}

namespace {
/// What a comment says, with its reason, in the place of a remark. `{1}` is
/// what the first group of the pattern matches, in all remarks that differ in
/// nothing else; `{2}` and so on are the other groups.
struct Phrase {
  StringRef pass, pattern, text;
  StringRef conjunction = " and ";
};
} // namespace

static constexpr Phrase kPhrases[] = {
    {"SpecializeSizes", "^for (.*) only; other launches",
     "for {1} only, which needs fewer tests"},
    {"UnrollAndJam", "^([0-9]+) iterations share",
     "{1} iterations of a loop are one, so a load serves several"},
    {"UnrollStencils", "^loop unrolled: neighbours load the same",
     "loops are unrolled, as neighbours load the same in them"},
    {"Coalesce", "^([a-z]+) load goes through a tile",
     "{1} loads go through tiles, filled by rows"},
    {"Coalesce", "^[0-9]+ ([a-z]+) loads go through one tile",
     "{1} loads go through a shared tile, filled by rows"},
    {"Coalesce", "^store is done by other threads",
     "stores go through a tile and leave it by rows"},
    {"VersionGuards", "^blocks that lie wholly inside run without guards$",
     "most blocks lie wholly inside, and run without guards"},
    {"VersionGuards", "^threads that lie wholly inside run without guards$",
     "most threads lie wholly inside, and run without guards"},
    {"VersionAlignment",
     "^launches with aligned rows and arrays have a version",
     "a version for aligned rows and arrays has wide accesses"},
    {"VersionAlignment", "^for aligned arrays only$",
     "for aligned arrays only, with wide accesses"},
    {"PadTiles", "^tiles end in zeros that add nothing to the sums",
     "tiles end in zeros, which add nothing, so all are full"},
    {"DistributeTiles", "^a thread takes ([0-9]+) of the elements",
     "all threads fill a tile, each {1} of it at a time", " or "},
    {"VectorizeAccesses", "^(.*) of [0-9]+ neighbouring elements are one$",
     "{1} are wide, thus fewer"},
    {"VectorizeAccesses", "^the loop is unrolled by ([0-9]+)$",
     "a loop is unrolled by {1}"},
    {"Prefetch", "by asynchronous copies$",
     "the next tiles are copied asynchronously, behind the arithmetic"},
    {"Prefetch", "carried in registers over the computation$",
     "the next tiles are loaded to registers, behind the arithmetic"},
    {"Prefetch", "by way of registers$",
     "the next tiles are loaded ahead, behind the arithmetic"},
    {"EliminateBankConflicts",
     "^the tile (.*): columns are exclusive-ored .* becomes 1$",
     "columns of {1} move by row, so no two threads meet in a bank"},
    {"EliminateBankConflicts",
     "^the tile (.*): columns are exclusive-ored .* ([0-9]+) becomes ([0-9]+)$",
     "columns of {1} move by row, so at most {3} threads meet in a bank, not "
     "{2}"},
    {"EliminateBankConflicts", "^the tile (.*): rows are padded .* becomes 1$",
     "rows of {1} are padded, so no two threads meet in a bank"},
    {"SwizzleBlocks", "^blocks work in groups of ([0-9]+) rows",
     "blocks go in groups of {1} rows, which share the cache"},
};

/// A remark in the words of the source: `tile [16][128]` for the type of an
/// array in workgroup memory.
static std::string inSourceWords(StringRef reason) {
  static const llvm::Regex type("memref<(([0-9]+x)+)[a-z0-9]+, [^>]*>>");
  static const llvm::Regex number("local[0-9]+");
  std::string text = reason.str();
  SmallVector<StringRef> match;
  while (type.match(text, &match)) {
    std::string extents;
    for (StringRef rest = match[1]; !rest.empty();) {
      auto [extent, others] = rest.split('x');
      extents += "[" + extent.str() + "]";
      rest = others;
    }
    text = type.sub("the tile " + extents, text);
  }
  while (number.match(text, &match))
    text = number.sub("a tile", text);
  // What tiles are in needs no words.
  static const llvm::Regex space(" of workgroup memory");
  return space.match(text) ? space.sub("", text) : text;
}

/// Sentences as one: what all begin and end with is said once.
static std::string joinReasons(ArrayRef<std::string> reasons) {
  SmallVector<SmallVector<StringRef>> sentences;
  for (const std::string &reason : reasons)
    StringRef(reason).split(sentences.emplace_back(), ' ');
  ArrayRef<StringRef> first = sentences[0];
  size_t shortest = first.size();
  for (ArrayRef<StringRef> sentence : sentences)
    shortest = std::min(shortest, sentence.size());
  auto allHave = [&](StringRef word, auto position) {
    return llvm::all_of(sentences, [&](ArrayRef<StringRef> sentence) {
      return sentence[position(sentence)] == word;
    });
  };
  size_t begin = 0, end = 0;
  while (begin + 1 < shortest &&
         allHave(first[begin], [&](ArrayRef<StringRef>) { return begin; }))
    ++begin;
  while (begin + end + 1 < shortest &&
         allHave(first[first.size() - 1 - end],
                 [&](ArrayRef<StringRef> of) { return of.size() - 1 - end; }))
    ++end;
  std::string text;
  for (auto [number, sentence] : llvm::enumerate(sentences)) {
    bool isLast = number + 1 == sentences.size();
    text += number == 0        ? ""
            : begin + end == 0 ? "; "
            : isLast           ? " and "
                               : ", ";
    ArrayRef<StringRef> own = sentence;
    text += llvm::join(
        own.drop_front(number ? begin : 0).drop_back(isLast ? 0 : end), " ");
  }
  return text;
}

/// "4, 2 and 1".
static std::string listOf(ArrayRef<std::string> texts, StringRef conjunction) {
  std::string list;
  for (auto [number, text] : llvm::enumerate(texts))
    list += (number == 0                  ? ""
             : number + 1 == texts.size() ? conjunction.str()
                                          : ", ") +
            text;
  return list;
}

/// The same, with what texts share in front said once: "loads of a and b and
/// stores to c".
static std::string groupedListOf(ArrayRef<std::string> texts,
                                 StringRef conjunction) {
  llvm::MapVector<StringRef, std::vector<std::string>> groups;
  for (StringRef text : texts) {
    size_t verb = text.find(' '), name = text.find(' ', verb + 1);
    bool isLong = verb != StringRef::npos && name != StringRef::npos;
    StringRef front = isLong ? text.take_front(name + 1) : "";
    groups[front].push_back(text.drop_front(front.size()).str());
  }
  std::vector<std::string> lists;
  for (const auto &[front, names] : groups)
    lists.push_back(front.str() + listOf(names, conjunction));
  return listOf(lists, conjunction);
}

/// Puts `value` where `text` says `{number}`.
static void fillPlace(std::string &text, size_t number, StringRef value) {
  std::string place = "{" + std::to_string(number) + "}";
  if (size_t at = text.find(place); at != std::string::npos)
    text.replace(at, place.size(), value);
}

/// What is said of a pass by its phrases; nothing where one of its remarks has
/// none.
static std::string phraseOf(StringRef pass, ArrayRef<std::string> reasons) {
  struct Said {
    std::string text;
    const Phrase *phrase;
    std::vector<std::string> first;
  };
  std::vector<Said> all;
  for (const std::string &reason : reasons) {
    SmallVector<StringRef> match;
    const Phrase *phrase = llvm::find_if(kPhrases, [&](const Phrase &other) {
      return other.pass == pass &&
             llvm::Regex(other.pattern).match(reason, &match);
    });
    if (phrase == std::end(kPhrases))
      return "";
    std::string text = phrase->text.str();
    for (size_t number = 2; number < match.size(); ++number)
      fillPlace(text, number, match[number]);
    auto said =
        llvm::find_if(all, [&](const Said &one) { return one.text == text; });
    if (said == all.end())
      said = all.insert(said, {text, phrase, {}});
    if (match.size() > 1 && !llvm::is_contained(said->first, match[1].str()))
      said->first.push_back(match[1].str());
  }
  std::vector<std::string> sentences;
  for (const Said &said : all) {
    std::string sentence = said.text;
    fillPlace(sentence, 1, groupedListOf(said.first, said.phrase->conjunction));
    sentences.push_back(sentence);
  }
  return llvm::join(sentences, "; ");
}

/// What is said of work items that are merged: their numbers along x, y and z
/// are one shape, "8 x 8".
static std::string phraseOfMerging(StringRef pass,
                                   ArrayRef<std::string> reasons) {
  static const llvm::Regex pattern(
      "^a (thread|block) does the work of ([0-9]+) along ([xyz])(.*)$");
  int64_t factors[3] = {1, 1, 1};
  // Neighbours of a thread, tiles of a block.
  bool hasExtras = true;
  for (const std::string &reason : reasons) {
    SmallVector<StringRef> match;
    int64_t factor;
    if (!pattern.match(reason, &match) || match[2].getAsInteger(10, factor))
      return "";
    factors[match[3][0] - 'x'] *= factor;
    hasExtras &= !match[4].empty();
  }
  std::string shape = std::to_string(factors[0]);
  for (unsigned dim = 1; dim < 3; ++dim)
    if (factors[dim] != 1 || (dim == 1 && factors[2] != 1))
      shape += " x " + std::to_string(factors[dim]);
  if (pass == "MergeBlocks")
    return shape + " blocks are one, " +
           (hasExtras ? "so a tile serves several"
                      : "for more threads in each");
  if (hasExtras)
    return "a thread does " + shape +
           " neighbouring work items, by wide accesses";
  return "a thread does " + shape + " work items, so a load serves several";
}

static std::string describe(StringRef pass, ArrayRef<std::string> reasons) {
  bool isMerge = pass == "MergeThreads" || pass == "MergeBlocks";
  std::string phrase =
      isMerge ? phraseOfMerging(pass, reasons) : phraseOf(pass, reasons);
  if (!phrase.empty())
    return phrase;
  return joinReasons(reasons) + ", so that " + purposeOf(pass).str();
}

/// Whether the blocks that were merged have an array in common.
static bool sharesTiles(const Step &step) {
  return llvm::any_of(step.metrics, [](const auto &metric) {
    return metric.first == "shared_arrays" && metric.second != "0";
  });
}

std::vector<std::string>
gpuopt::makeSourceNotes(const KernelInfo &kernel,
                        const std::vector<Step> &steps) {
  llvm::MapVector<StringRef, std::vector<std::string>> byPass;
  for (const Step &step : steps) {
    if (step.outcome != Step::Outcome::Passed || !step.isAbout(kernel) ||
        step.reason.empty() || purposeOf(step.pass).empty())
      continue;
    std::vector<std::string> &reasons = byPass[step.pass];
    std::string reason = inSourceWords(step.reason);
    if (step.pass == "MergeBlocks" && sharesTiles(step))
      reason += ", with tiles";
    if (!llvm::is_contained(reasons, reason))
      reasons.push_back(std::move(reason));
  }
  std::vector<std::string> notes;
  for (const auto &[pass, reasons] : byPass)
    notes.push_back(pass.str() + ": " + describe(pass, reasons) + ".");
  return notes;
}
