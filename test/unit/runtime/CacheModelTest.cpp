//===- CacheModelTest.cpp - traffic to DRAM, computed by hand -------------===//

#include "runtime/CPU/CacheModel.h"

#include <gtest/gtest.h>

using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {

constexpr uint64_t read(uint64_t sector) { return 2 * sector; }
constexpr uint64_t written(uint64_t sector) { return 2 * sector + 1; }

/// One set of 16 lines with 4 sectors of 32 bytes each.
struct CacheTest : testing::Test {
  CacheModel cache{/*cacheBytes=*/2048, /*lineBytes=*/128, /*sectorBytes=*/32};
};

TEST_F(CacheTest, ReadsFetchSectorsOnce) {
  cache.replay({read(0), read(1), read(0), read(1)});
  DRAMTraffic traffic = cache.finish();
  EXPECT_EQ(traffic.readBytes, 64u);
  EXPECT_EQ(traffic.writtenBytes, 0u);
  EXPECT_EQ(traffic.compulsoryBytes, 64u);
}

TEST_F(CacheTest, WritesAreNotFetched) {
  cache.replay({written(0), written(0), read(0)});
  DRAMTraffic traffic = cache.finish();
  EXPECT_EQ(traffic.readBytes, 0u);
  EXPECT_EQ(traffic.writtenBytes, 32u);
  EXPECT_EQ(traffic.compulsoryBytes, 32u);
}

TEST_F(CacheTest, UpdatesCountTwice) {
  cache.replay({read(5), written(5)});
  DRAMTraffic traffic = cache.finish();
  EXPECT_EQ(traffic.bytes(), 64u);
  EXPECT_EQ(traffic.compulsoryBytes, 64u);
}

TEST_F(CacheTest, LeastRecentlyUsedLeaves) {
  // 17 lines do not fit: sector 0 was used again, line 1 leaves.
  SectorTrace trace;
  for (uint64_t line = 0; line < 16; ++line)
    trace.push_back(read(4 * line));
  trace.insert(trace.end(), {read(0), read(64), read(0), read(4)});
  cache.replay(trace);
  DRAMTraffic traffic = cache.finish();
  EXPECT_EQ(traffic.readBytes, 18u * 32);
  EXPECT_EQ(traffic.compulsoryBytes, 17u * 32);
}

TEST_F(CacheTest, DirtySectorsAreWrittenEachTime) {
  SectorTrace trace = {written(0)};
  for (uint64_t line = 1; line <= 16; ++line)
    trace.push_back(read(4 * line));
  trace.push_back(written(0));
  cache.replay(trace);
  DRAMTraffic traffic = cache.finish();
  EXPECT_EQ(traffic.writtenBytes, 64u);
  EXPECT_EQ(traffic.compulsoryBytes, 17u * 32);
}

} // namespace
