//===- SwizzlePlanTest.cpp - how many rows of blocks to group -------------===//

#include "passes/Transforms/BlockOrder/SwizzlePlan.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

constexpr double kMiB = 1 << 20;

/// The example of SwizzlePlan.h: panels of 128 rows of 8192 floats.
SwizzleSummary product() {
  return {.columns = 64,
          .rows = 64,
          .rowPanelBytes = 4 * kMiB,
          .columnPanelBytes = 4 * kMiB,
          .activeBlocks = 132,
          .cacheBytes = 50 << 20};
}

TEST(SwizzlePlan, ActiveBlocksFormARectangle) {
  SwizzlePlan plan = computeSwizzlePlan(product());
  EXPECT_EQ(plan.group, 8);
  // 4096 / 132 waves of 2 + 64 and of 8 + 16.5 panels.
  EXPECT_NEAR(plan.bytesBefore / kMiB, 4096. / 132 * (132. / 64 + 64) * 4, 1);
  EXPECT_NEAR(plan.bytesAfter / kMiB, 4096. / 132 * (8 + 132. / 8) * 4, 1);
}

TEST(SwizzlePlan, WiderPanelsWantFewerOfTheirKind) {
  SwizzleSummary kernel = product();
  kernel.columnPanelBytes *= 4;
  EXPECT_EQ(computeSwizzlePlan(kernel).group, 16);
  kernel = product();
  kernel.rowPanelBytes *= 4;
  EXPECT_EQ(computeSwizzlePlan(kernel).group, 4);
}

// Panels of the group's rows stay in a cache that has room for them: of one
// block at a time, 8 rows and a column.
TEST(SwizzlePlan, RowsThatStayInTheCache) {
  SwizzleSummary kernel = product();
  kernel.activeBlocks = 1;
  kernel.cacheBytes = 40 << 20;
  SwizzlePlan plan = computeSwizzlePlan(kernel);
  EXPECT_EQ(plan.group, 8);
  EXPECT_EQ(plan.bytesBefore / kMiB, 64 * 4 + 64 * 64 * 4);
  EXPECT_EQ(plan.bytesAfter / kMiB, 64 * 4 + 8 * 64 * 4);
}

TEST(SwizzlePlan, NothingToGain) {
  SwizzleSummary kernel = product();
  kernel.cacheBytes = 1 << 30;
  EXPECT_EQ(computeSwizzlePlan(kernel).group, 0);
  EXPECT_EQ(computeSwizzlePlan(kernel).reason,
            "the cache holds all that the blocks share");
  kernel = product();
  kernel.rowPanelBytes = 0;
  EXPECT_EQ(computeSwizzlePlan(kernel).reason,
            "blocks share nothing along one of x and y");
  // Eight columns: the launch's order is groups of rows already.
  kernel = product();
  kernel.columns = 8;
  kernel.rows = 512;
  EXPECT_EQ(computeSwizzlePlan(kernel).group, 0);
}

// The second array fits: the launch's order reads it once.
TEST(SwizzlePlan, ACacheThatHoldsTheColumns) {
  SwizzleSummary kernel = product();
  kernel.columnPanelBytes = kMiB / 4;
  kernel.rows = 1024;
  EXPECT_EQ(computeSwizzlePlan(kernel).group, 0);
}

} // namespace
