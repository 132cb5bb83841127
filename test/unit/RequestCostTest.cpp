//===- RequestCostTest.cpp - transactions of lanes, computed by hand ------===//

#include "passes/Analysis/RequestCost.h"

#include "test/unit/AccessBuilder.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace gpuopt;

namespace {

class Requests : public ::testing::Test, protected AccessBuilder {
protected:
  /// The cost of `count` lanes that each read `bytes`, `stride` bytes apart.
  RequestCost evenly(llvm::StringRef machine, int64_t count, int64_t stride,
                     int64_t bytes, int64_t shift = 0) {
    std::vector<int64_t> lanes(count), addresses(count);
    std::iota(lanes.begin(), lanes.end(), 0);
    for (int64_t lane : lanes)
      addresses[lane] = lane * stride;
    return computeRequestCost(lanes, addresses, shift, bytes, target(machine));
  }
};

TEST_F(Requests, SideBySide) {
  // 32 floats are four sectors of 32 bytes in a line of 128.
  RequestCost cost = evenly("sm_90", 32, 4, 4);
  EXPECT_EQ(cost.sectors, 4);
  EXPECT_EQ(cost.neededSectors, 4);
  EXPECT_EQ(cost.lines, 1);
  EXPECT_EQ(cost.usedBytes, 128);
  // One float further on they take a piece of the next line.
  cost = evenly("sm_90", 32, 4, 4, /*shift=*/4);
  EXPECT_EQ(cost.sectors, 5);
  EXPECT_EQ(cost.neededSectors, 4);
  EXPECT_EQ(cost.lines, 2);
  EXPECT_EQ(cost.neededLines, 1);
}

TEST_F(Requests, Apart) {
  // A sector for each: 128 of 1024 bytes are used.
  RequestCost cost = evenly("sm_90", 32, 32, 4);
  EXPECT_EQ(cost.sectors, 32);
  EXPECT_EQ(cost.neededSectors, 4);
  EXPECT_EQ(cost.lines, 8);
  EXPECT_EQ(cost.usedBytes, 128);
}

TEST_F(Requests, Together) {
  // All lanes read one float, which is fetched once.
  RequestCost cost = evenly("sm_90", 32, 0, 4);
  EXPECT_EQ(cost.sectors, 1);
  EXPECT_EQ(cost.usedBytes, 4);
  EXPECT_EQ(stringifyVerdict(judgeRequests(cost, 0, 32, 4)),
            stringifyVerdict(Verdict::Broadcast));
}

TEST_F(Requests, AcrossTheBorderOfASector) {
  // Eight bytes from 28 on lie in two sectors.
  RequestCost cost = evenly("sm_90", 1, 0, 8, /*shift=*/28);
  EXPECT_EQ(cost.sectors, 2);
  EXPECT_EQ(cost.neededSectors, 1);
}

TEST_F(Requests, BelowZero) {
  // Addresses that a block starts from may be any: -4 is the end of a sector.
  RequestCost cost = evenly("sm_90", 2, 4, 4, /*shift=*/-4);
  EXPECT_EQ(cost.sectors, 2);
}

TEST_F(Requests, HalfWarps) {
  // Each half of a warp fetches a segment, reduced to what it uses of it: 16
  // floats are 64 bytes, two of the units that sectors are counted in.
  RequestCost cost = evenly("nvidia-gtx285", 32, 4, 4);
  EXPECT_EQ(cost.sectors, 4);
  // Two floats 64 bytes apart use both halves of a segment of 128.
  std::vector<int64_t> lanes = {0, 1}, addresses = {0, 64};
  cost = computeRequestCost(lanes, addresses, 0, 4, target("nvidia-gtx285"));
  EXPECT_EQ(cost.sectors, 4);
  // In one half they need a quarter of it.
  addresses = {64, 68};
  cost = computeRequestCost(lanes, addresses, 0, 4, target("nvidia-gtx285"));
  EXPECT_EQ(cost.sectors, 1);
}

TEST_F(Requests, Verdicts) {
  auto judge = [&](const RequestCost &cost, std::optional<int64_t> stride,
                   int64_t lanes) {
    return stringifyVerdict(judgeRequests(cost, stride, lanes, 4));
  };
  // As few sectors as hold the bytes, in whatever order.
  EXPECT_EQ(judge({4, 4, 1, 1, 128}, std::nullopt, 32),
            stringifyVerdict(Verdict::Coalesced));
  EXPECT_EQ(judge({5, 4, 2, 1, 128}, 4, 32),
            stringifyVerdict(Verdict::Misaligned));
  EXPECT_EQ(judge({8, 4, 2, 1, 128}, 8, 32),
            stringifyVerdict(Verdict::Strided));
  // One lane has no neighbour to be apart from.
  EXPECT_EQ(judge({2, 1, 1, 1, 4}, 0, 1),
            stringifyVerdict(Verdict::Misaligned));
  EXPECT_EQ(judge({9, 4, 3, 1, 128}, std::nullopt, 32),
            stringifyVerdict(Verdict::Irregular));
}

} // namespace
