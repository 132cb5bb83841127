//===- PrefetchPlanTest.cpp - how far ahead to load, and where to ---------===//

#include "passes/Transforms/Prefetch/PrefetchPlan.h"

#include "dialects/GPUOpt/GPUOptDialect.h"
#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

struct PrefetchPlanTest : testing::Test {
  PrefetchPlanTest() { context.loadDialect<GPUOptDialect>(); }

  PrefetchPlan plan(llvm::StringRef target, const PrefetchSummary &kernel,
                    int64_t stages = 0) {
    return computePrefetchPlan(
        kernel, llvm::cantFail(lookUpTarget(&context, target)), stages);
  }
  mlir::MLIRContext context;
};

/// The example of PrefetchPlan.h.
PrefetchSummary product() {
  return {.threads = 256,
          .registers = 96,
          .carriedRegisters = 16,
          .tileBytes = 16384,
          .otherBytes = 0,
          .mostBytes = 49152,
          .mayStage = true,
          .mayCopyAsync = true};
}

PrefetchSummary withoutCopies() {
  PrefetchSummary kernel = product();
  kernel.mayCopyAsync = false;
  return kernel;
}

TEST_F(PrefetchPlanTest, TwoStagesCoverTheLatencyOfLargeTiles) {
  EXPECT_EQ(plan("sm_90", product()),
            (PrefetchPlan{PrefetchMethod::AsyncStages, 2, ""}));
}

TEST_F(PrefetchPlanTest, SmallTilesGetMoreStages) {
  PrefetchSummary kernel = product();
  kernel.tileBytes = 4096;
  EXPECT_EQ(plan("sm_90", kernel).stages, 4);
  kernel.tileBytes = 8192;
  EXPECT_EQ(plan("sm_90", kernel).stages, 3);
}

TEST_F(PrefetchPlanTest, TilesOfWarpgroupsHaveAsManyStagesAsFit) {
  PrefetchSummary kernel = product();
  kernel.ofWarpgroups = true;
  kernel.registers = 168;
  kernel.tileBytes = 49152;
  kernel.mostBytes = 232448;
  EXPECT_EQ(plan("sm_90a", kernel),
            (PrefetchPlan{PrefetchMethod::AsyncStages, 4, ""}));
  kernel.tileBytes = 65536;
  EXPECT_EQ(plan("sm_90a", kernel).stages, 3);
}

TEST_F(PrefetchPlanTest, StagesShrinkToWhatABlockMayDeclare) {
  EXPECT_EQ(plan("sm_90", product(), 4).stages, 3);
  PrefetchSummary kernel = product();
  kernel.tileBytes = 32768;
  // One stage is left, what is loaded ahead goes to registers.
  EXPECT_EQ(plan("sm_90", kernel).method, PrefetchMethod::Registers);
}

TEST_F(PrefetchPlanTest, RegistersCarryWhatCannotBeCopied) {
  EXPECT_EQ(plan("sm_70", withoutCopies()),
            (PrefetchPlan{PrefetchMethod::RegisterStages, 2, ""}));
}

TEST_F(PrefetchPlanTest, StagesThatCostABlockAreLeft) {
  PrefetchSummary kernel = withoutCopies();
  // Two blocks by registers; two of 2 x 32 KiB would not fit on gfx942.
  kernel.tileBytes = 32768;
  kernel.mostBytes = 65536;
  EXPECT_EQ(plan("gfx942", kernel).method, PrefetchMethod::Registers);
}

TEST_F(PrefetchPlanTest, RegistersThatCostABlockAreNotSpent) {
  PrefetchSummary kernel = withoutCopies();
  kernel.registers = 124;
  PrefetchPlan refused = plan("sm_70", kernel);
  EXPECT_EQ(refused.method, PrefetchMethod::None);
  EXPECT_EQ(refused.reason, "124 registers and 16 more for what is loaded "
                            "ahead leave room for fewer than 2 blocks");
  kernel.registers = 250;
  EXPECT_EQ(plan("sm_70", kernel).reason,
            "250 registers and 16 more for what is loaded ahead are too many "
            "for a block");
}

TEST_F(PrefetchPlanTest, DataThatDiffersIsOnlyCopied) {
  PrefetchSummary kernel = product();
  kernel.mayCarry = false;
  EXPECT_EQ(plan("sm_90", kernel),
            (PrefetchPlan{PrefetchMethod::AsyncStages, 2, ""}));
  EXPECT_EQ(plan("sm_90", kernel, 1).reason,
            "what is loaded differs from block to block, and cannot be copied "
            "asynchronously");
  kernel.tileBytes = 32768;
  EXPECT_EQ(plan("sm_90", kernel).reason,
            "two stages of the tiles leave room for fewer than 2 blocks");
  kernel.registers = 265;
  EXPECT_EQ(plan("sm_90", kernel).reason,
            "265 registers are too many for a block");
}

TEST_F(PrefetchPlanTest, OneStageMeansRegisters) {
  EXPECT_EQ(plan("sm_90", product(), 1),
            (PrefetchPlan{PrefetchMethod::Registers, 1, ""}));
}

} // namespace
