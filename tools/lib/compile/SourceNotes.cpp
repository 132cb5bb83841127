//===- SourceNotes.cpp - comments on what was done to a kernel ------------===//

#include "tools/lib/compile/SourceNotes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuopt;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {
/// What a comment says in the place of remarks, in words of the source and with
/// the reason. Of remarks that differ in the value `listed` only, all such
/// values are said at once.
struct Phrase {
  RemarkCode code;
  StringRef text, listed;
  StringRef conjunction = " and ";
};
} // namespace

using Code = RemarkCode;

/// The remarks that comments are made of. The others only prepare these.
static constexpr Phrase kPhrases[] = {
    {Code::FlatIdSplit, "the flat id is several, which are not divided", ""},
    {Code::BlockShapeAssumed, "for blocks of {block} threads", ""},
    {Code::RowsDistributed, "{lanes} lanes share each row", ""},
    {Code::SizesSpecialized, "for {sizes} only, which needs fewer tests", ""},
    {Code::IterationsJammed,
     "{iterations} iterations of a loop are one, so a load serves several",
     "iterations"},
    {Code::StencilUnrolled,
     "loops are unrolled, as neighbours load the same in them", ""},
    {Code::LoadStaged, "{verdict} loads go through tiles, by rows", "verdict"},
    {Code::NestStaged, "{verdict} loads go through tiles, by rows", "verdict"},
    {Code::StencilStaged, "{verdict} loads go through a shared tile, by rows",
     "verdict"},
    {Code::StoreExchanged, "stores go through a tile and leave it by rows", ""},
    {Code::BlocksInsideVersioned,
     "most blocks lie wholly inside, and run without guards", ""},
    {Code::ThreadsInsideVersioned,
     "most threads lie wholly inside, and run without guards", ""},
    {Code::AlignmentVersioned,
     "a version for aligned rows and arrays has wide accesses", ""},
    {Code::AlignmentRequired, "for aligned arrays only, with wide accesses",
     ""},
    {Code::TilesPadded,
     "tiles end in zeros, which add nothing, so all are full", ""},
    {Code::TileDistributed,
     "all threads fill a tile, each {width} of it at a "
     "time",
     "width", " or "},
    {Code::AccessesVectorized, "{accesses} are wide, thus fewer", "accesses"},
    {Code::LoopUnrolledForVectors, "a loop is unrolled by {factor}", "factor"},
    {Code::TilesCopiedAhead,
     "next tiles are copied asynchronously, behind the arithmetic", ""},
    {Code::TilesCarriedAhead,
     "next tiles are loaded to registers, behind the arithmetic", ""},
    {Code::TilesStagedAhead,
     "next tiles are loaded ahead, behind the arithmetic", ""},
    {Code::TileSwizzled,
     "columns of tile {tile} move by row, so {threads} in a "
     "bank",
     "tile"},
    {Code::TileRowsPadded,
     "rows of tile {tile} are padded, so {threads} in a bank", "tile"},
    {Code::TileDimensionPadded,
     "dimension {dimension} of tile {tile} is padded, so {threads} in a bank",
     "tile"},
    {Code::BlocksDiagonal,
     "blocks work in diagonal order{condition}, spread over the partitions of "
     "memory",
     ""},
    {Code::LoopOffset,
     "each block starts the loop {bytes} bytes further along the row than the "
     "one before{condition}, spread over the partitions of memory",
     "bytes"},
    {Code::BlocksGrouped,
     "blocks go in groups of {rows} rows, which share the "
     "cache",
     "rows"},
};

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

/// How many threads meet where `step` has changed the layout of a tile:
/// "no two threads meet", "at most 2 threads meet, not 8,".
static std::string threadsIn(const Step &step) {
  if (step.value("after") == "1")
    return "no two threads meet";
  return ("at most " + step.value("after") + " threads meet, not " +
          step.value("before") + ",")
      .str();
}

namespace {
/// What is said once for several steps: a phrase whose values are filled in but
/// for the one that is listed.
struct Sentence {
  const Phrase *phrase;
  std::string text;
  std::vector<std::string> listed;
};
} // namespace

/// What the phrase for `step` says, with `{}` for what is listed.
static std::string textFor(const Phrase &phrase, const Step &step) {
  std::vector<RemarkValue> values = {{phrase.listed, "{}"}};
  for (const auto &[name, text] : step.values)
    if (name != phrase.listed)
      values.emplace_back(name, text);
  values.emplace_back("threads", threadsIn(step));
  return fillIn(phrase.text, values);
}

/// What is said of the steps of one pass.
static std::string describe(ArrayRef<const Step *> steps) {
  std::vector<Sentence> sentences;
  for (const Step *step : steps) {
    const Phrase *phrase = llvm::find_if(kPhrases, [&](const Phrase &other) {
      return other.code == step->code;
    });
    std::string text = textFor(*phrase, *step);
    auto said = llvm::find_if(
        sentences, [&](const Sentence &other) { return other.text == text; });
    if (said == sentences.end())
      said = sentences.insert(said, {phrase, text, {}});
    std::string value = step->value(phrase->listed).str();
    if (!llvm::is_contained(said->listed, value))
      said->listed.push_back(value);
  }
  return llvm::join(
      llvm::map_range(
          sentences,
          [](const Sentence &said) {
            return fillIn(
                said.text,
                {{"", groupedListOf(said.listed, said.phrase->conjunction)}});
          }),
      "; ");
}

/// Whether the blocks that were merged have an array in common.
static bool sharesTiles(const Step &step) {
  return llvm::any_of(step.metrics, [](const auto &metric) {
    return metric.first == "shared_arrays" && metric.second != "0";
  });
}

/// What is said of work items that are merged: their numbers along x, y and z
/// are one shape, "8 x 8".
static std::string describeMerges(ArrayRef<const Step *> steps) {
  int64_t factors[3] = {1, 1, 1};
  for (const Step *step : steps) {
    int64_t factor = 1;
    step->value("factor").getAsInteger(10, factor);
    factors[step->value("dimension").front() - 'x'] *= factor;
  }
  std::string shape = std::to_string(factors[0]);
  for (unsigned dim = 1; dim < 3; ++dim)
    if (factors[dim] != 1 || (dim == 1 && factors[2] != 1))
      shape += " x " + std::to_string(factors[dim]);
  auto all = [&](auto holds) {
    return llvm::all_of(steps, [&](const Step *step) { return holds(*step); });
  };
  if (steps.front()->code == Code::BlocksMerged)
    return shape + " blocks are one, " +
           (all(sharesTiles) ? "so a tile serves several"
                             : "for more threads in each");
  if (all([](const Step &step) { return step.code == Code::NeighboursMerged; }))
    return "a thread does " + shape +
           " neighbouring work items, by wide accesses";
  return "a thread does " + shape + " work items, so a load serves several";
}

static bool isMerge(RemarkCode code) {
  return code == Code::BlocksMerged || code == Code::ThreadsMerged ||
         code == Code::NeighboursMerged;
}

std::vector<std::string>
gpuopt::makeSourceNotes(const KernelInfo &kernel,
                        const std::vector<Step> &steps) {
  llvm::MapVector<StringRef, std::vector<const Step *>> byPass;
  for (const Step &step : steps) {
    bool isSaid =
        isMerge(step.code) || llvm::any_of(kPhrases, [&](const Phrase &phrase) {
          return phrase.code == step.code;
        });
    if (isSaid && step.isAbout(kernel))
      byPass[step.pass].push_back(&step);
  }
  std::vector<std::string> notes;
  for (const auto &[pass, said] : byPass)
    notes.push_back(
        pass.str() + ": " +
        (isMerge(said.front()->code) ? describeMerges(said) : describe(said)) +
        ".");
  return notes;
}
