//===- LaunchTest.cpp - launch arithmetic ---------------------------------===//

#include "runtime/Launch.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

LaunchGeometry tile(Dim3 block, Dim3 itemsPerBlock) {
  LaunchGeometry geometry;
  geometry.block = block;
  geometry.itemsPerBlock = itemsPerBlock;
  for (size_t dim = 0; dim < 3; ++dim)
    geometry.itemsPerThread[dim] = itemsPerBlock[dim] / block[dim];
  return geometry;
}

TEST(Launch, MultipleOfTheTileNeedsNoExtent) {
  auto launch =
      computeLaunch(tile({16, 16, 1}, {64, 128, 1}), {{8, 8, 3}, {32, 32, 1}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid, (Dim3{4, 2, 3}));
  EXPECT_EQ(launch->block, (Dim3{16, 16, 1}));
}

TEST(Launch, DynamicWorkgroupMemoryIsKept) {
  LaunchConfig original{{1, 1, 1}, {64, 1, 1}, 1024};
  auto launch = computeLaunch(tile({64, 1, 1}, {64, 1, 1}), original);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->dynamicSharedBytes, 1024);
}

TEST(Launch, TheTunedKernelsOwnMemoryIsAddedToIt) {
  LaunchGeometry geometry = tile({64, 1, 1}, {64, 1, 1});
  geometry.dynamicSharedBytes = 196608;
  auto launch = computeLaunch(geometry, {{1, 1, 1}, {64, 1, 1}, 16});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->dynamicSharedBytes, 196624);
}

TEST(Launch, RoundsUpWhereAGuardStopsTheRest) {
  LaunchGeometry geometry = tile({64, 1, 1}, {256, 1, 1});
  LaunchConfig original{{5, 1, 1}, {60, 1, 1}};
  EXPECT_FALSE(computeLaunch(geometry, original));
  geometry.extents[0] = 300;
  auto launch = computeLaunch(geometry, original);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid[0], 2);
}

TEST(Launch, BlocksAsWorkItemsHaveOneThread) {
  LaunchGeometry geometry = tile({16, 16, 1}, {64, 64, 1});
  geometry.originalBlock[2] = 1;
  auto launch = computeLaunch(geometry, {{4, 8, 3}, {32, 8, 1}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid, (Dim3{2, 1, 3}));
  EXPECT_FALSE(findWrongBlock(geometry, {{4, 8, 3}, {32, 8, 1}}));
  EXPECT_FALSE(computeLaunch(geometry, {{4, 8, 3}, {32, 8, 2}}));
  EXPECT_EQ(findWrongBlock(geometry, {{4, 8, 3}, {32, 8, 2}}), 2u);
}

TEST(Launch, ExtentBeyondTheOriginalLaunchFallsBack) {
  LaunchGeometry geometry = tile({64, 1, 1}, {256, 1, 1});
  geometry.extents[0] = 301;
  EXPECT_FALSE(computeLaunch(geometry, {{5, 1, 1}, {60, 1, 1}}));
}

TEST(Launch, LeavesOutBlocksThatAreNotNeeded) {
  LaunchGeometry geometry = tile({64, 1, 1}, {256, 1, 1});
  geometry.needed[0] = 257;
  EXPECT_EQ(computeLaunch(geometry, {{64, 1, 1}, {256, 1, 1}})->grid[0], 2);
  // There is more to do than was launched.
  EXPECT_EQ(computeLaunch(geometry, {{1, 1, 1}, {256, 1, 1}})->grid[0], 1);
}

TEST(Launch, ExtentOfZeroStillNeedsAGrid) {
  LaunchGeometry geometry = tile({64, 1, 1}, {256, 1, 1});
  geometry.extents[0] = geometry.needed[0] = 0;
  auto launch = computeLaunch(geometry, {{1, 1, 1}, {1, 1, 1}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid[0], 1);
}

TEST(Launch, RefusesIdsBeyond32Bits) {
  LaunchGeometry geometry = tile({256, 1, 1}, {256, 1, 1});
  EXPECT_FALSE(
      computeLaunch(geometry, {{int64_t(1) << 23, 1, 1}, {256, 1, 1}}));
  EXPECT_FALSE(
      computeLaunch(geometry, {{int64_t(1) << 62, 1, 1}, {256, 1, 1}}));
  geometry.extents[0] = 1;
  // 2^31 - 2 items would be rounded up to 2^31.
  EXPECT_FALSE(computeLaunch(geometry, {{1073741823, 1, 1}, {2, 1, 1}}));
}

TEST(Launch, RefusesEmptyLaunches) {
  EXPECT_FALSE(
      computeLaunch(tile({1, 1, 1}, {1, 1, 1}), {{0, 1, 1}, {1, 1, 1}}));
}

} // namespace
