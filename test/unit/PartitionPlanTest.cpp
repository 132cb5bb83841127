//===- PartitionPlanTest.cpp - the best parts of arrays for a block -------===//
//
// The matrix product is the walk-through of Li et al. 2016, section 3.2, with
// its figures: 48 KB of shared memory, a quarter of it for a block, and 256
// bytes saved for each transaction.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Share/PartitionPlan.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

PartitionLimits limits() {
  return {.workgroupBytes = 48 * 1024 / 4,
          .threads = 1024,
          .threadsAlongX = 32,
          .transactionBytes = 256};
}

ShareHint hint(llvm::StringRef text) {
  size_t offset = 0;
  ShareHint hint;
  EXPECT_FALSE(parseShareHint(text, offset, hint));
  EXPECT_EQ(offset, text.size());
  return hint;
}

/// Dimensions 0 and 1 are the ids along x and y, 2 is the loop k.
constexpr unsigned x = 0, y = 1, k = 2;

AffineSubscript along(unsigned dimension, int64_t offset = 0) {
  AffineSubscript subscript{llvm::SmallVector<int64_t>(3, 0), offset};
  subscript.factors[dimension] = 1;
  return subscript;
}

/// C[y][x] = sum over k of A[y][k] * B[k][x], of floats; n = 1024.
PartitionProblem gemm(std::vector<ShareHint> hints) {
  PartitionProblem problem;
  Polynomial n = problem.parameters.addSize("n", 1024);
  problem.dimensions = {{"x", 0u, n}, {"y", 1u, n}, {"k", std::nullopt, n}};
  problem.arrays = {{"A", 4}, {"B", 4}, {"C", 4}};
  problem.references = {
      {0, false, {x, y, k}, {along(y), along(k)}, ""},
      {1, false, {x, y, k}, {along(k), along(x)}, ""},
      {2, true, {x, y}, {along(y), along(x)}, ""},
  };
  problem.dependences = {{2, 0}, {2, 1}};
  problem.hints = std::move(hints);
  return problem;
}

PartitionProblem hintedGemm() {
  return gemm({hint("A[TBY][*]:coalesce"), hint("B[*][TBX]")});
}

TEST(PartitionPlan, CandidatesAreWhatDependsOnSeeds) {
  EXPECT_EQ(selectCandidates(hintedGemm()),
            (llvm::SmallVector<unsigned>{0, 1, 2}));
  PartitionProblem apart = hintedGemm();
  apart.dependences.clear();
  EXPECT_EQ(selectCandidates(apart), (llvm::SmallVector<unsigned>{0, 1}));
}

TEST(PartitionPlan, CompatibleSplitsAreIntersected) {
  PartitionProblem problem = hintedGemm();
  std::vector<std::pair<unsigned, std::string>> ignored;
  std::vector<IterationSplit> splits = splitIterations(problem, ignored);
  ASSERT_EQ(splits.size(), 1u);
  EXPECT_TRUE(ignored.empty());
  // x: TBX, y: TBY, k: *.
  EXPECT_EQ(splits[0].lengths[x].length, Polynomial::variable(0));
  EXPECT_EQ(splits[0].lengths[y].length, Polynomial::variable(1));
  EXPECT_EQ(splits[0].lengths[k].kind, SplitLength::Kind::Vague);
  EXPECT_EQ(splits[0].hints, (llvm::SmallVector<unsigned>{0, 1}));
}

TEST(PartitionPlan, SplitsThatContradictStayApart) {
  PartitionProblem problem = gemm({hint("A[16][*]"), hint("C[32][TBX]")});
  std::vector<std::pair<unsigned, std::string>> ignored;
  EXPECT_EQ(splitIterations(problem, ignored).size(), 2u);
}

TEST(PartitionPlan, FeaturesOfTheProduct) {
  PartitionProblem problem = hintedGemm();
  std::vector<std::pair<unsigned, std::string>> ignored;
  IterationSplit split = splitIterations(problem, ignored).front();
  std::vector<ArrayFeatures> features = extractFeatures(problem, split, 256);
  ASSERT_EQ(features.size(), 3u);
  auto text = [&](const Polynomial &polynomial) {
    return problem.parameters.toString(polynomial);
  };
  EXPECT_EQ(text(features[0].references), "TBX*TBY*n");
  EXPECT_EQ(text(features[0].elements), "TBY*n");
  EXPECT_EQ(text(features[0].tileElements), "TBY*k1");
  EXPECT_EQ(text(features[0].transactions), "TBY*n");
  EXPECT_FALSE(features[0].isCoalesced);
  EXPECT_EQ(text(features[1].references), "TBX*TBY*n");
  EXPECT_EQ(text(features[1].elements), "TBX*n");
  EXPECT_EQ(text(features[1].tileElements), "TBX*k2");
  EXPECT_TRUE(features[1].isCoalesced);
  // C is stored to.
  EXPECT_TRUE(features[2].references.isZero());
  EXPECT_TRUE(features[2].isCoalesced);
}

TEST(PartitionPlan, WalkThroughOfThePaper) {
  PartitionSearch search = searchPartitions(hintedGemm(), limits());
  ASSERT_EQ(search.plans.size(), 1u);
  const PartitionPlan &plan = search.plans.front();
  EXPECT_EQ(plan.block, (std::array<int64_t, 3>{32, 32, 1}));
  EXPECT_EQ(plan.iterations, 32);
  EXPECT_EQ(plan.arrays, (llvm::SmallVector<unsigned>{0, 1}));
  // 8 * n * TBY * (TBX + 32).
  EXPECT_EQ(plan.formula, "8*TBX*TBY*n + 256*TBY*n");
  EXPECT_EQ(plan.profit, 8 * 1024 * 32 * (32 + 32));
  EXPECT_EQ(plan.limit, "k1 + k2 <= 96");
}

TEST(PartitionPlan, WithoutHintsAllArraysAreSeeds) {
  PartitionProblem problem = gemm({});
  std::vector<ShareHint> hints = defaultHints(problem);
  ASSERT_EQ(hints.size(), 2u);
  EXPECT_EQ(hints[0].toString(), "A[TBY][*]");
  EXPECT_EQ(hints[1].toString(), "B[*][TBX]");
  problem.hints = hints;
  PartitionSearch search = searchPartitions(problem, limits());
  ASSERT_EQ(search.plans.size(), 1u);
  EXPECT_EQ(search.plans.front().block, (std::array<int64_t, 3>{32, 32, 1}));
}

TEST(PartitionPlan, EqualLengthsAreOne) {
  PartitionProblem problem =
      gemm({hint("A[2*TBY][*]"), hint("B[*][(TBX)]"), hint("C[TBY+TBY][TBX]")});
  std::vector<std::pair<unsigned, std::string>> ignored;
  std::vector<IterationSplit> splits = splitIterations(problem, ignored);
  ASSERT_EQ(splits.size(), 1u);
  EXPECT_EQ(problem.parameters.toString(splits[0].lengths[y].length), "2*TBY");
}

TEST(PartitionPlan, EachSplitGoesWithAllThatFitIt) {
  // B fits either, which do not fit each other.
  PartitionProblem problem =
      gemm({hint("A[2*TBY][*]"), hint("B[*][TBX]"), hint("C[16][TBX]")});
  std::vector<std::pair<unsigned, std::string>> ignored;
  std::vector<IterationSplit> splits = splitIterations(problem, ignored);
  ASSERT_EQ(splits.size(), 2u);
  for (const IterationSplit &split : splits)
    EXPECT_EQ(split.lengths[k].kind, SplitLength::Kind::Vague);
}

TEST(PartitionPlan, LengthsOfLoopsAreKept) {
  PartitionSearch search = searchPartitions(
      gemm({hint("A[TBY][64]"), hint("B[64][TBX]")}), limits());
  ASSERT_EQ(search.plans.size(), 1u);
  EXPECT_EQ(search.plans.front().iterations, 64);
  // 4 * 64 * (TBX + TBY) bytes: no more than 12288.
  EXPECT_EQ(search.plans.front().block, (std::array<int64_t, 3>{32, 16, 1}));
}

TEST(PartitionPlan, LengthsOfSeveralItemsAThread) {
  PartitionSearch search = searchPartitions(
      gemm({hint("A[2*TBY][*]"), hint("B[*][TBX]")}), limits());
  ASSERT_EQ(search.plans.size(), 1u);
  EXPECT_EQ(search.plans.front().items, (std::array<int64_t, 3>{1, 2, 1}));
}

TEST(PartitionPlan, NeighboursShareTheirHull) {
  // B[i + 1] and B[i - 1] in blocks of TBX: TBX + 2 elements.
  PartitionProblem problem;
  Polynomial n = problem.parameters.addSize("n", 1024);
  problem.dimensions = {{"x", 0u, n}, {"y", 1u, n}, {"k", std::nullopt, n}};
  problem.arrays = {{"B", 4}, {"C", 4}};
  problem.references = {
      {0, false, {x, y, k}, {along(x, 1)}, ""},
      {0, false, {x, y, k}, {along(x, -1)}, ""},
      {1, true, {x, y, k}, {along(x)}, ""},
  };
  problem.dependences = {{1, 0}};
  problem.hints = {hint("B[TBX]")};
  std::vector<std::pair<unsigned, std::string>> ignored;
  IterationSplit split = splitIterations(problem, ignored).front();
  std::vector<ArrayFeatures> features = extractFeatures(problem, split, 32);
  EXPECT_EQ(problem.parameters.toString(features[0].tileElements), "TBX + 2");
  // The hint may count them.
  problem.hints = {hint("B[TBX + 2]")};
  EXPECT_EQ(splitIterations(problem, ignored).front().lengths, split.lengths);
}

TEST(PartitionPlan, WhyThereIsNone) {
  auto obstacle = [](std::vector<ShareHint> hints) {
    return searchPartitions(gemm(std::move(hints)), limits()).obstacle;
  };
  EXPECT_EQ(obstacle({hint("A[1024][*]")}), "parts take more than 12288 bytes");
  EXPECT_EQ(obstacle({hint("A[4096][*]")}),
            "no block has a whole number of work items of the parts for each "
            "thread");
  EXPECT_EQ(obstacle({hint("D[4]")}), "no hint says what a block works on");
}

TEST(PartitionPlan, HintsThatCutNothing) {
  PartitionSearch search =
      searchPartitions(gemm({hint("A[TBY]"), hint("D[4]")}), limits());
  EXPECT_TRUE(search.plans.empty());
  ASSERT_EQ(search.ignoredHints.size(), 2u);
  EXPECT_EQ(search.ignoredHints[0].second, "it has 1 dimensions, the access 2");
  EXPECT_EQ(search.ignoredHints[1].second, "the kernel does not access it");
}

TEST(ShareHint, WhatIsWrongAndWhere) {
  auto wrong = [](llvm::StringRef text) {
    size_t offset = 0;
    ShareHint hint;
    auto error = parseShareHint(text, offset, hint);
    return error ? std::to_string(error->offset) + ": " + error->message
                 : std::string();
  };
  EXPECT_EQ(wrong("A"),
            "1: expected '[' and the elements of 'A' that a block works on");
  EXPECT_EQ(wrong("A[TBY"), "5: expected ']'");
  EXPECT_EQ(wrong("A[]"), "2: expected a number of elements, or '*'");
  EXPECT_EQ(wrong("A[n]"), "2: unknown name 'n'; lengths are made of numbers, "
                           "TBX, TBY and TBZ");
  EXPECT_EQ(wrong("A[0]"), "2: expected a positive number of elements");
  EXPECT_EQ(wrong("A[TBX - TBX]"), "2: expected a positive number of elements");
  EXPECT_EQ(wrong("A[TBX / 0]"),
            "2: in 'TBX / 0' at character 5: division by zero");
  EXPECT_EQ(wrong("A[TBX + B]"), "8: unknown name 'B'; lengths are made of "
                                 "numbers, TBX, TBY and TBZ");
  EXPECT_EQ(wrong("A[*]:coalesc"), "5: expected 'coalesce'");
  EXPECT_EQ(wrong("[4]"), "0: expected the name of an array");
}

} // namespace
