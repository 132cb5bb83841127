//===- PartitionCampingTest.cpp - blocks that meet in a partition ---------===//

#include "test/unit/AccessBuilder.h"

#include "passes/Analysis/PartitionCamping.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

using Verdict = CampingFact::Verdict;

class PartitionCamping : public ::testing::Test, protected AccessBuilder {
protected:
  CampingFact camping(llvm::StringRef machine, const Polynomial &elements,
                      const SizeMap &sizes = {},
                      const BlockShape &block = {16, 16, 1}) {
    return computeCamping(at(elements), table, target(machine), block, sizes);
  }
  Verdict verdict(llvm::StringRef machine, const Polynomial &elements,
                  int64_t width) {
    return camping(machine, elements, {{"w", width}}).verdict;
  }
  std::vector<int64_t> sectors(llvm::StringRef machine,
                               const Polynomial &elements, ActiveBlocks active,
                               const SizeMap &sizes) {
    auto histogram = computePartitionHistogram(
        at(elements), table, target(machine), {16, 1, 1}, active, sizes);
    return histogram ? histogram->sectors : std::vector<int64_t>();
  }
};

// The table of PartitionCamping.h.
TEST_F(PartitionCamping, RowsOfAMatrix) {
  Polynomial row = idx * w + i;
  EXPECT_EQ(verdict("nvidia-gtx285", row, 4096), Verdict::Camps);
  EXPECT_EQ(verdict("nvidia-gtx285", row, 4100), Verdict::Spread);
  EXPECT_EQ(verdict("nvidia-gtx285", row, 256), Verdict::Spread);
  EXPECT_EQ(verdict("amd-hd5870", row, 4096), Verdict::Camps);
}

// 6 partitions of 256 bytes: 1536 divides rows of 3k floats, not of 4k.
TEST_F(PartitionCamping, SixPartitionsCampForOtherSizes) {
  Polynomial row = idx * w + i;
  EXPECT_EQ(verdict("nvidia-gtx480", row, 4096), Verdict::Spread);
  EXPECT_EQ(verdict("nvidia-gtx480", row, 3072), Verdict::Camps);
  // A multiple of 2048 bytes as well.
  EXPECT_EQ(verdict("nvidia-gtx285", row, 3072), Verdict::Camps);
  EXPECT_EQ(verdict("nvidia-gtx480", row, 2048), Verdict::Spread);
}

TEST_F(PartitionCamping, UnknownSizesGiveACondition) {
  CampingFact fact = camping("nvidia-gtx285", idx * w + i);
  EXPECT_EQ(fact.verdict, Verdict::Depends);
  EXPECT_EQ(fact.strideBytes, Polynomial(64) * w);
  EXPECT_EQ(fact.multiples, std::vector<Polynomial>{Polynomial(4) * w});
}

TEST_F(PartitionCamping, WhatDoesNotCamp) {
  EXPECT_EQ(camping("nvidia-gtx285", idy * w + idx).verdict, Verdict::Spread);
  EXPECT_EQ(camping("nvidia-gtx285", idy * w + i).verdict, Verdict::None);
  // Hashed addresses.
  EXPECT_EQ(camping("sm_90", idx * w + i, {{"w", 4096}}).verdict,
            Verdict::None);
}

// A block of 512 floats moves by a period, but fills all partitions itself; 64
// of them at a time do not.
TEST_F(PartitionCamping, BlocksThatReachAllPartitions) {
  Polynomial whole = bx * Polynomial(512) + tx;
  EXPECT_EQ(camping("nvidia-gtx285", whole, {}, {512, 1, 1}).verdict,
            Verdict::Spread);
  EXPECT_EQ(camping("nvidia-gtx285", whole, {}, {64, 1, 1}).verdict,
            Verdict::Camps);
}

TEST_F(PartitionCamping, IdsThatAreNoFactor) {
  Polynomial half = table.addDerived(Variable::Operator::FloorDiv, bx, 2);
  CampingFact fact = camping("nvidia-gtx285", half * w);
  EXPECT_EQ(fact.verdict, Verdict::Unresolved);
  EXPECT_FALSE(fact.reason.empty());
}

// 32 blocks of 16 threads, a row each: one sector of each, all in partition 0
// for rows of 4096 floats; for rows of 64 floats one partition after the other.
TEST_F(PartitionCamping, HistogramOfRows) {
  ActiveBlocks active{{32, 1, 1}, 32};
  Polynomial row = idx * w + i;
  EXPECT_EQ(sectors("nvidia-gtx285", row, active, {{"w", 4096}}),
            (std::vector<int64_t>{512, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sectors("nvidia-gtx285", row, active, {{"w", 64}}),
            (std::vector<int64_t>(8, 64)));
  // 4096 floats are 10 times 1536 bytes and 4 partitions: 0, 4, 2.
  EXPECT_EQ(sectors("nvidia-gtx480", row, active, {{"w", 4096}}),
            (std::vector<int64_t>{171, 0, 170, 0, 171, 0}));
  EXPECT_TRUE(sectors("sm_90", row, active, {}).empty());
}

TEST_F(PartitionCamping, HistogramOfALoopThatStartsElsewhere) {
  // Block b starts 64 floats further on than block b - 1.
  int start = table.addLoop("j", {bx * Polynomial(64)}, {w});
  Polynomial row = idx * w + var(start);
  EXPECT_EQ(sectors("nvidia-gtx285", row, {{32, 1, 1}, 32}, {{"w", 4096}}),
            (std::vector<int64_t>(8, 64)));
}

TEST_F(PartitionCamping, ActiveBlocksAreThoseOfAllMultiprocessors) {
  ActiveBlocks active =
      activeBlocksOf(target("nvidia-gtx285"), {4096, 100, 1}, {16, 16, 1}, 4);
  EXPECT_EQ(active.grid, (std::array<int64_t, 3>{256, 7, 1}));
  EXPECT_EQ(active.count, 120);
  active = activeBlocksOf(target("nvidia-gtx285"), {64, 1, 1}, {16, 1, 1}, 4);
  EXPECT_EQ(active.count, 4);
}

} // namespace
