//===- SizeCandidatesTest.cpp - sizes that are worth a try ----------------===//

#include "tools/lib/launch/SizeCandidates.h"
#include "tools/lib/launch/SizeExpressions.h"

#include <gtest/gtest.h>

#include <set>

using namespace gpuopt;

namespace {

using Sizes = std::vector<int64_t>;

constexpr SizeRole threeBounds[] = {SizeRole::Bound, SizeRole::Bound,
                                    SizeRole::Bound};

TEST(SizeCandidates, AreThoseOfTheHeader) {
  EXPECT_EQ(sizesOf(SizePattern::Distinct, threeBounds, 64, 1),
            (Sizes{67, 35, 99}));
  EXPECT_EQ(sizesOf(SizePattern::Rising, threeBounds, 64, 1),
            (Sizes{35, 67, 99}));
  EXPECT_EQ(sizesOf(SizePattern::Falling, threeBounds, 64, 1),
            (Sizes{99, 67, 35}));
  EXPECT_EQ(sizesOf(SizePattern::SameOdd, threeBounds, 64, 1),
            (Sizes{67, 67, 67}));
  EXPECT_EQ(sizesOf(SizePattern::Round, threeBounds, 64, 1),
            (Sizes{64, 64, 64}));
  EXPECT_EQ(sizesOf(SizePattern::Smallest, threeBounds, 64, 1),
            (Sizes{2, 1, 3}));
}

TEST(SizeCandidates, DistinctOnesAreOddAndDiffer) {
  std::vector<SizeRole> roles(6, SizeRole::Bound);
  for (int64_t base : {16, 32, 64, 128}) {
    Sizes sizes = sizesOf(SizePattern::Distinct, roles, base, 1);
    EXPECT_EQ(std::set<int64_t>(sizes.begin(), sizes.end()).size(), 6u);
    for (int64_t size : sizes)
      EXPECT_EQ(size % 2, 1);
  }
}

TEST(SizeCandidates, RowsAreNoShorterThanWhatIsInThem) {
  constexpr SizeRole roles[] = {SizeRole::Stride, SizeRole::Bound,
                                SizeRole::Other};
  EXPECT_EQ(sizesOf(SizePattern::Distinct, roles, 64, 1), (Sizes{71, 67, 1}));
  EXPECT_EQ(sizesOf(SizePattern::Round, roles, 64, 0), (Sizes{64, 64, 0}));
  EXPECT_EQ(sizesOf(SizePattern::Distinct, roles, 64, 2, /*areSteps=*/true),
            (Sizes{2, 67, 2}));
}

TEST(SizeCandidates, BlocksOfTilesComeFirst) {
  SizeUses uses;
  uses.workgroupArrays = {{16, 17}, {2048}};
  std::vector<Dim3> blocks = blocksToTry(uses, {32, 8, 1});
  ASSERT_GE(blocks.size(), 2u);
  EXPECT_EQ(blocks[0], (Dim3{16, 16, 1}));
  EXPECT_EQ(blocks[1], (Dim3{32, 8, 1}));
  EXPECT_EQ(std::set<Dim3>(blocks.begin(), blocks.end()).size(), blocks.size());
  // Threads along y would all do the same.
  EXPECT_EQ(blocksToTry(uses, {256, 1, 1}).front(), (Dim3{16, 1, 1}));
}

TEST(SizeExpressions, AreOverOtherSizesInAnyOrder) {
  NumberMap sizes = {{"n", int64_t(3)}, {"m", int64_t(5)}};
  ASSERT_FALSE(evaluateSizes({{"a", "b + 1"}, {"b", "n*m"}}, sizes));
  EXPECT_EQ(toInteger(sizes["b"]), 15);
  EXPECT_EQ(toInteger(sizes["a"]), 16);
}

TEST(SizeExpressions, SayWhatIsWrong) {
  NumberMap sizes = {{"n", int64_t(3)}};
  EXPECT_EQ(llvm::toString(evaluateSizes({{"a", "x"}}, sizes)),
            "a takes a number, found 'x'");
  std::string circle = llvm::toString(evaluateSizes({{"a", "a*n"}}, sizes));
  EXPECT_EQ(circle.find("a=a*n: "), 0u) << circle;
}

} // namespace
