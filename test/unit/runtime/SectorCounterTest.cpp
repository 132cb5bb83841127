//===- SectorCounterTest.cpp - memory transactions of a block -------------===//

#include "runtime/CPU/SectorCounter.h"

#include <gtest/gtest.h>

using namespace gpuopt::runtime;

namespace {

struct SectorTest : testing::Test {
  SectorCounter counter{/*sites=*/2, /*groupSize=*/32, /*sectorBytes=*/32};

  void lanes(uint32_t site, uint64_t stride, uint64_t bytes = 4) {
    for (uint32_t lane = 0; lane < 32; ++lane)
      counter.note(0, lane, site, lane * stride, bytes);
  }
};

TEST_F(SectorTest, ConsecutiveFloatsTakeFourSectors) {
  lanes(0, 4);
  counter.flush();
  EXPECT_EQ(counter.total()[0].requests, 1u);
  EXPECT_EQ(counter.total()[0].sectors, 4u);
}

TEST_F(SectorTest, BroadcastTakesOne) {
  lanes(0, 0);
  counter.flush();
  EXPECT_EQ(counter.total()[0].sectors, 1u);
}

TEST_F(SectorTest, ColumnsTakeOneEach) {
  lanes(1, 4096);
  counter.flush();
  EXPECT_EQ(counter.total()[0].requests, 0u);
  EXPECT_EQ(counter.total()[1].sectors, 32u);
}

TEST_F(SectorTest, VectorsTakeTheirBytes) {
  lanes(0, 16, 16);
  counter.flush();
  EXPECT_EQ(counter.total()[0].sectors, 16u);
}

TEST_F(SectorTest, EachTurnIsARequest) {
  // One lane after the other, as threads run.
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint64_t turn = 0; turn < 3; ++turn)
      counter.note(0, lane, 0, turn * 4096 + lane * 4, 4);
  counter.flush();
  EXPECT_EQ(counter.total()[0].requests, 3u);
  EXPECT_EQ(counter.total()[0].sectors, 12u);
}

TEST_F(SectorTest, SubgroupsAreApart) {
  counter.note(0, 0, 0, 0, 4);
  counter.note(1, 0, 0, 0, 4);
  counter.flush();
  EXPECT_EQ(counter.total()[0].requests, 2u);
  EXPECT_EQ(counter.total()[0].sectors, 2u);
}

} // namespace
