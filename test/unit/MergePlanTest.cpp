//===- MergePlanTest.cpp - how many blocks and threads to merge -----------===//

#include "passes/Transforms/Merge/MergePlan.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

/// The figures of sm_90.
MergeLimits limits() {
  return {.threadsPerBlock = 1024,
          .threadsAimedAt = 256,
          .registersPerThread = 255,
          .registersPerBlock = 32768,
          .workgroupBytes = 49152};
}

/// The matrix product with both operands in tiles: a's is a row of blocks'
/// own, b's a column of blocks' own.
MergeSummary matrixProduct() {
  return {
      .block = {16, 16, 1},
      .hasBlocks = {true, true, false},
      .hasLoop = true,
      .operations = 60,
      .carriedRegisters = 1,
      .loads = {{1, {false, true, false}}, {1, {true, false, false}}},
      .arrays = {{1024, {false, true, false}}, {1024, {true, false, false}}}};
}

TEST(MergePlan, MatrixProduct) {
  MergePlan plan = computeMergePlan(matrixProduct(), limits());
  EXPECT_EQ(plan, (MergePlan{{1, 1, 1}, {8, 8, 1}}));
  // 24 + 64 sums + 8 elements of a + 8 of b.
  EXPECT_EQ(estimateRegisters(matrixProduct(), plan), 104);
  EXPECT_EQ(estimateWorkgroupBytes(matrixProduct(), plan), 16 * 1024);
}

// Neighbouring columns fill vectors of four.
TEST(MergePlan, Vectors) {
  MergeSummary kernel = matrixProduct();
  kernel.vectorItems = {4, 1, 1};
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{1, 1, 1}, {8, 8, 1}, {4, 1, 1}}));
}

// Where two blocks of one item each are all that fits, one block with more of
// them is better.
TEST(MergePlan, OneBlock) {
  MergeLimits few = limits();
  few.registersPerBlock = 8192;
  few.registersAlone = few.registersPlannedAlone = 16384;
  few.workgroupBytesAlone = 16384;
  EXPECT_EQ(computeMergePlan(matrixProduct(), few),
            (MergePlan{{1, 1, 1}, {4, 4, 1}}));
}

// Tiles of their own cost each item the registers to fill them.
TEST(MergePlan, ReplicatedArrays) {
  MergeSummary kernel = matrixProduct();
  for (MergedData &array : kernel.arrays)
    array.isReplicated = true;
  MergePlan plan = computeMergePlan(kernel, limits());
  EXPECT_EQ(plan, (MergePlan{{1, 1, 1}, {4, 8, 1}}));
  EXPECT_EQ(estimateRegisters(kernel, plan), 68 + 2 * (7 + 3));
}

// What a search takes for the registers of targets without an assembler: the
// designs of figure 14 fit into the 63 of a GTX 480, 8 x 8 items do not.
TEST(MergePlan, FewestRegisters) {
  MergeSummary kernel = matrixProduct();
  EXPECT_EQ(estimateFewestRegisters(kernel, {{1, 1, 1}, {8, 4, 1}}), 61);
  EXPECT_EQ(estimateFewestRegisters(kernel, {{1, 1, 1}, {4, 8, 1}}), 61);
  EXPECT_EQ(estimateFewestRegisters(kernel, {{1, 1, 1}, {4, 4, 1}}), 45);
  EXPECT_EQ(estimateFewestRegisters(kernel, {{1, 1, 1}, {8, 8, 1}}), 97);
  EXPECT_EQ(estimateFewestRegisters(kernel, {}), 24 + 1 + 1 + 1);
}

// The cautious estimate is 68 for 4 x 8 items; with 63 registers for a thread
// the fewest decide, as long as all loads are from tiles.
TEST(MergePlan, FewRegistersOfAThread) {
  MergeLimits few = limits();
  few.registersPerThread = 63;
  few.registersPerBlock = 16384;
  MergeSummary kernel = matrixProduct();
  EXPECT_EQ(computeMergePlan(kernel, few), (MergePlan{{1, 1, 1}, {4, 4, 1}}));
  kernel.loadsTilesOnly = true;
  MergePlan plan = computeMergePlan(kernel, few);
  EXPECT_EQ(plan, (MergePlan{{1, 1, 1}, {4, 8, 1}}));
  EXPECT_TRUE(isTight(kernel, plan, few));
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{1, 1, 1}, {8, 8, 1}}));
}

// Rows of threads, b in registers: figure 13's 16 items along y, then as many
// along x as two blocks of 64 threads have registers for.
TEST(MergePlan, Rows) {
  MergeSummary kernel = matrixProduct();
  kernel.block = {16, 1, 1};
  kernel.loads[1].size = 3;
  kernel.arrays = {{64, {false, true, false}, /*isReplicated=*/true}};
  MergeLimits few = {.threadsPerBlock = 512,
                     .threadsAimedAt = 128,
                     .fewestThreads = 64,
                     .registersPerThread = 124,
                     .registersPerBlock = 8192,
                     .workgroupBytes = 8192};
  MergePlan plan = computeMergePlan(kernel, few);
  EXPECT_EQ(plan, (MergePlan{{4, 1, 1}, {4, 16, 1}}));
  EXPECT_EQ(estimateFewestRegisters(kernel, plan), 101);
  few.registersPerThread = 40;
  EXPECT_EQ(computeMergePlan(kernel, few), (MergePlan{{8, 1, 1}, {1, 8, 1}}));
}

TEST(MergePlan, ShrinksToRegisters) {
  MergeLimits few = limits();
  few.registersPerThread = 48;
  MergePlan plan = computeMergePlan(matrixProduct(), few);
  EXPECT_EQ(plan, (MergePlan{{1, 1, 1}, {4, 4, 1}}));
  EXPECT_LE(estimateRegisters(matrixProduct(), plan), 48);
}

TEST(MergePlan, ShrinksToWorkgroupMemory) {
  MergeLimits few = limits();
  few.workgroupBytes = 4096;
  EXPECT_EQ(computeMergePlan(matrixProduct(), few),
            (MergePlan{{1, 1, 1}, {2, 2, 1}}));
}

TEST(MergePlan, ShrinksForLargeKernels) {
  MergeSummary kernel = matrixProduct();
  kernel.operations = 1500;
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{1, 1, 1}, {1, 2, 1}}));
}

TEST(MergePlan, NothingShared) {
  MergeSummary kernel = matrixProduct();
  for (MergedData &load : kernel.loads)
    load.variant = {true, true, false};
  EXPECT_EQ(computeMergePlan(kernel, limits()), MergePlan());
}

// A flat kernel with a loop gets 128 threads, and each of them one item; its
// private tiles grow with the block.
TEST(MergePlan, MatrixVectorProduct) {
  MergeSummary kernel = {.block = {32, 1, 1},
                         .hasBlocks = {true, false, false},
                         .hasLoop = true,
                         .operations = 40,
                         .carriedRegisters = 1,
                         .loads = {{1, {true, false, false}}, {1, {}}},
                         .arrays = {{4224, {true, false, false}}, {128, {}}}};
  MergePlan plan = computeMergePlan(kernel, limits());
  EXPECT_EQ(plan, (MergePlan{{4, 1, 1}, {1, 1, 1}}));
  EXPECT_EQ(estimateWorkgroupBytes(kernel, plan), 4 * 4224 + 128);
  MergeLimits few = limits();
  few.workgroupBytes = 10000;
  EXPECT_EQ(computeMergePlan(kernel, few), (MergePlan{{2, 1, 1}, {1, 1, 1}}));
}

TEST(MergePlan, Streaming) {
  MergeSummary kernel = {.block = {32, 1, 1},
                         .hasBlocks = {true, false, false}};
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{8, 1, 1}, {1, 1, 1}}));
}

// What only streams does so by vectors, unless there is a loop.
TEST(MergePlan, StreamOfVectors) {
  MergeSummary kernel = {.block = {32, 1, 1},
                         .hasBlocks = {true, false, false},
                         .vectorItems = {4, 1, 1}};
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{8, 1, 1}, {4, 1, 1}, {4, 1, 1}}));
  kernel.hasLoop = true;
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{4, 1, 1}, {1, 1, 1}}));
}

// A stencil of 9 points: 10 rows for 8, 34 columns for 32.
TEST(MergePlan, Halo) {
  MergeSummary kernel = {.block = {32, 8, 1},
                         .hasBlocks = {true, true, false},
                         .operations = 60,
                         .arrays = {{1360, {true, true, false}}}};
  kernel.arrays[0].halo = {2. / 32, 2. / 8, 0};
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{1, 1, 1}, {1, 4, 1}}));
  kernel.arrays[0].halo[1] = 1. / 8;
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{1, 1, 1}, {1, 2, 1}}));
  kernel.arrays[0].halo[1] = 0;
  EXPECT_EQ(computeMergePlan(kernel, limits()), MergePlan());
}

// A small block of two dimensions grows along y.
TEST(MergePlan, SmallBlock) {
  MergeSummary kernel = {.block = {16, 4, 1}, .hasBlocks = {true, true, false}};
  EXPECT_EQ(computeMergePlan(kernel, limits()),
            (MergePlan{{1, 4, 1}, {1, 1, 1}}));
}

} // namespace
