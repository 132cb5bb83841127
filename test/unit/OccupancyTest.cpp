//===- OccupancyTest.cpp - blocks that fit on a multiprocessor ------------===//

#include "passes/Analysis/Occupancy.h"
#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace gpuopt;
using Limit = OccupancyFact::Limit;

namespace {

struct Case {
  const char *target;
  BlockResources block;
  int64_t blocks;
  double occupancy;
  Limit limit;
};

TEST(Occupancy, HandComputed) {
  mlir::MLIRContext context;
  const Case cases[] = {
      // The table of Occupancy.h. 2048 / 256 threads.
      {"sm_90", {256, 32, 0}, 8, 1.0, Limit::Threads},
      // 64 registers * 32 = 2048 per subgroup; 16384 / 2048 = 8 in each of four
      // files: 32 subgroups, 4 blocks of 8.
      {"sm_90", {256, 64, 0}, 4, 0.5, Limit::Registers},
      // 64 KiB + 1 KiB: 228 / 65 = 3 blocks, 24 of 64 subgroups.
      {"sm_90", {256, 32, 65536}, 3, 0.375, Limit::WorkgroupMemory},
      // 32 blocks of one subgroup.
      {"sm_90", {32, 16, 0}, 32, 0.5, Limit::Blocks},
      // 72 registers: 2304 per subgroup, 7 per file, 28 subgroups, 3 blocks of
      // 8 (without files it would be 65536 / 2304 = 28 as well).
      {"sm_90", {256, 72, 0}, 3, 0.375, Limit::Registers},
      // 33 registers round up to 40: 1280 per subgroup, 12 per file, 48
      // subgroups, 6 blocks.
      {"sm_90", {256, 33, 0}, 6, 0.75, Limit::Registers},
      // 48 subgroups on this one.
      {"sm_86", {256, 40, 0}, 6, 1.0, Limit::Threads},
      // 100 registers of 64 lanes round up to 104: 6656; a file of 32768 holds
      // 4: 16 wavefronts, 4 blocks of 4.
      {"gfx942", {256, 100, 0}, 4, 0.5, Limit::Registers},
      // 20 KiB of 64.
      {"gfx942", {256, 32, 20480}, 3, 0.375, Limit::WorkgroupMemory},
      // The paper's GTX 285: 1024 threads, 16 KiB. 16x16 threads with 4 KiB
      // and 16 bytes more, in units of 512: 4608; 16384 / 4608 = 3.
      {"nvidia-gtx285", {256, 16, 4096}, 3, 0.75, Limit::WorkgroupMemory},
  };
  for (const Case &test : cases) {
    OccupancyFact fact = computeOccupancy(
        test.block, llvm::cantFail(lookUpTarget(&context, test.target)));
    EXPECT_EQ(fact.blocksPerMultiprocessor, test.blocks) << test.target;
    EXPECT_DOUBLE_EQ(fact.occupancy, test.occupancy) << test.target;
    EXPECT_EQ(stringify(fact.limit), stringify(test.limit)) << test.target;
  }
}

TEST(Occupancy, Illegal) {
  mlir::MLIRContext context;
  TargetAttr target = llvm::cantFail(lookUpTarget(&context, "sm_90"));
  for (const BlockResources &block :
       {BlockResources{0, 32, 0}, BlockResources{1056, 32, 0},
        BlockResources{256, 256, 0}, BlockResources{256, 32, 232449}}) {
    OccupancyFact fact = computeOccupancy(block, target);
    EXPECT_EQ(fact.blocksPerMultiprocessor, 0);
    EXPECT_EQ(fact.limit, Limit::Illegal);
  }
  // 1024 threads of 255 registers: 8192 per subgroup, 2 per file: 8 of the 32
  // subgroups fit.
  OccupancyFact fact = computeOccupancy({1024, 255, 0}, target);
  EXPECT_EQ(fact.blocksPerMultiprocessor, 0);
  EXPECT_EQ(fact.limit, Limit::Registers);
}

} // namespace
