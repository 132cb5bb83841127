//===- SourceNotesTest.cpp - comments on what was done --------------------===//

#include "tools/lib/compile/SourceNotes.h"

#include <gtest/gtest.h>

using namespace gpuopt;
using Values = std::vector<std::pair<std::string, std::string>>;

namespace {

Step stepOf(RemarkCode code, Values values = {}, Values metrics = {}) {
  Step step;
  step.code = code;
  step.pass = passOf(code).str();
  step.values = std::move(values);
  step.metrics = std::move(metrics);
  return step;
}

std::vector<std::string> notesOf(const std::vector<Step> &steps) {
  return makeSourceNotes(KernelInfo(), steps);
}

using Lines = std::vector<std::string>;

TEST(SourceNotes, MergesAreOneShape) {
  Values x4 = {{"factor", "4"}, {"dimension", "x"}};
  Values x2 = {{"factor", "2"}, {"dimension", "x"}};
  Values y8 = {{"factor", "8"}, {"dimension", "y"}};
  EXPECT_EQ(notesOf({stepOf(RemarkCode::NeighboursMerged, x4),
                     stepOf(RemarkCode::ThreadsMerged, x2),
                     stepOf(RemarkCode::ThreadsMerged, y8)}),
            Lines{"MergeThreads: a thread does 8 x 8 work items, so a load "
                  "serves several."});
  EXPECT_EQ(notesOf({stepOf(RemarkCode::NeighboursMerged, x4)}),
            Lines{"MergeThreads: a thread does 4 neighbouring work items, by "
                  "wide accesses."});
  EXPECT_EQ(
      notesOf({stepOf(RemarkCode::BlocksMerged, y8, {{"shared_arrays", "1"}})}),
      Lines{"MergeBlocks: 1 x 8 blocks are one, so a tile serves "
            "several."});
}

TEST(SourceNotes, ValuesAreListedOnce) {
  auto vectors = [](const char *accesses) {
    return stepOf(RemarkCode::AccessesVectorized,
                  {{"accesses", accesses}, {"elements", "4"}});
  };
  EXPECT_EQ(
      notesOf({vectors("loads of a"), vectors("loads of b"),
               vectors("loads of a"), vectors("stores to c"),
               stepOf(RemarkCode::LoopUnrolledForVectors, {{"factor", "4"}})}),
      Lines{"VectorizeAccesses: loads of a and b and stores to c are "
            "wide, thus fewer; a loop is unrolled by 4."});
}

TEST(SourceNotes, LayoutsSayWhatIsLeft) {
  EXPECT_EQ(notesOf({stepOf(
                RemarkCode::TileRowsPadded,
                {{"tile", "[32][32]"}, {"before", "32"}, {"after", "1"}})}),
            Lines{"EliminateBankConflicts: rows of tile [32][32] are padded, "
                  "so no two threads meet in a bank."});
  EXPECT_EQ(notesOf({stepOf(
                RemarkCode::TileSwizzled,
                {{"tile", "[16][16]"}, {"before", "8"}, {"after", "2"}})}),
            Lines{"EliminateBankConflicts: columns of tile [16][16] move by "
                  "row, so at most 2 threads meet, not 8, in a bank."});
}

TEST(SourceNotes, PreparationsAndRefusalsAreNotSaid) {
  EXPECT_EQ(
      notesOf({stepOf(RemarkCode::LoopAffine),
               stepOf(RemarkCode::NotPrefetched, {{"reason", "too large"}})}),
      Lines{});
}

} // namespace
