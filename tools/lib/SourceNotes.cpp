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

/// What a transform is for; empty for those that only prepare others.
static StringRef purposeOf(StringRef pass) {
  return llvm::StringSwitch<StringRef>(pass)
      .Case("SpecializeSizes", "known sizes need no tests")
      .Case("UnrollAndJam", "a thread uses what it has loaded several times")
      .Case("UnrollStencils", "a thread uses what it has loaded several times")
      .Case("Coalesce", "threads side by side read elements side by side")
      .Cases({"MergeThreads", "MergeBlocks", "Merge"},
             "what has been loaded serves more work items")
      .Case("VersionGuards", "most blocks need no tests")
      .Case("VersionAlignment", "accesses can be wide")
      .Case("DistributeTiles", "the whole block fills a tile at once")
      .Case("VectorizeAccesses", "one wide access costs less than several")
      .Case("Prefetch", "loads take place behind the arithmetic")
      .Case("EliminateBankConflicts", "no two threads wait for one bank")
      .Case("EliminatePartitionCamping",
            "blocks spread over the partitions of memory")
      .Case("SwizzleBlocks", "neighbours in time share the cache")
      .Default("");
}

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
    if (!llvm::is_contained(reasons, reason))
      reasons.push_back(std::move(reason));
  }
  std::vector<std::string> notes;
  for (const auto &[pass, reasons] : byPass) {
    notes.push_back((pass + ": " + joinReasons(reasons) + ", so that " +
                     purposeOf(pass) + ".")
                        .str());
  }
  return notes;
}
