//===- PerformanceModelTest.cpp - how long a launch takes -----------------===//

#include "passes/Analysis/PerformanceModel.h"
#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

class PerformanceModel : public ::testing::Test {
protected:
  TargetAttr target(llvm::StringRef name) {
    return llvm::cantFail(lookUpTarget(&context, name));
  }
  mlir::MLIRContext context;
};

AccessProfile load(double sectors, std::array<bool, 3> variant) {
  AccessProfile access;
  access.array = "a";
  access.bytes = 4;
  access.perThread = 1;
  access.sectors = sectors;
  access.blockVariant = access.itemVariant = variant;
  return access;
}

/// A block of 256 threads that multiplies, adds, and reads 1 KiB of its own.
LaunchProfile arithmetic(double operations) {
  LaunchProfile launch;
  launch.kernel.threads = 256;
  launch.kernel.arithmetic = operations;
  launch.kernel.accesses = {load(32, {true, false, false})};
  launch.grid = {132 * 8, 1, 1};
  launch.blocksPerMultiprocessor = 8;
  return launch;
}

// 128 lanes at 1.98 GHz: a multiply-add of 256 threads takes two cycles.
TEST_F(PerformanceModel, Issue) {
  Prediction prediction = predictLaunch(arithmetic(9999), target("sm_90"));
  EXPECT_EQ(prediction.limit, "issue");
  EXPECT_EQ(prediction.issueCycles, 20000);
  EXPECT_EQ(prediction.globalCycles, 32 * 32 / 64);
  EXPECT_EQ(prediction.rounds, 1);
  EXPECT_NEAR(prediction.seconds, 8 * 20000 / 1.98e9, 1e-6);
}

TEST_F(PerformanceModel, Tail) {
  LaunchProfile launch = arithmetic(9999);
  double whole = predictLaunch(launch, target("sm_90")).seconds;
  // One block more is a round more, in which nothing hides the latency of its
  // dependent operations: 10 000 of 4 cycles.
  ++launch.grid[0];
  Prediction more = predictLaunch(launch, target("sm_90"));
  EXPECT_EQ(more.rounds, 2);
  EXPECT_NEAR(more.seconds - whole, 40000 / 1.98e9, 1e-6);
}

// With few blocks at once, waiting for memory costs time; loading ahead does
// not wait.
TEST_F(PerformanceModel, Latency) {
  LaunchProfile launch = arithmetic(3200);
  launch.kernel.accesses.front().loop = 0;
  launch.kernel.accesses.front().rounds = 100;
  launch.grid = {132, 1, 1};
  launch.blocksPerMultiprocessor = 1;
  Prediction waiting = predictLaunch(launch, target("sm_90"));
  EXPECT_EQ(waiting.limit, "latency");
  launch.prefetchDistance = 2;
  Prediction ahead = predictLaunch(launch, target("sm_90"));
  EXPECT_LT(ahead.seconds, waiting.seconds / 1.5);
  // Eight blocks at once wait for each other's work, not for memory.
  launch.prefetchDistance = 0;
  launch.blocksPerMultiprocessor = 16;
  launch.grid = {132 * 16, 1, 1};
  EXPECT_EQ(predictLaunch(launch, target("sm_90")).limit, "issue");
}

// Blocks along y share what does not depend on y: it comes from DRAM once for
// each round, and once only where everything fits into the L2 cache.
TEST_F(PerformanceModel, DRAM) {
  LaunchProfile launch = arithmetic(1);
  launch.grid = {1024, 1024, 1};
  launch.kernel.accesses = {load(32 * 1024, {true, false, false}),
                            load(32, {true, true, false})};
  Prediction prediction = predictLaunch(launch, target("sm_90"));
  EXPECT_EQ(prediction.limit, "DRAM");
  double rows = 1024.0 * 1024 * 1024, own = 1024.0 * 1024 * 1024;
  // 1056 blocks run at once: two rows of 1024, which count as full.
  EXPECT_DOUBLE_EQ(prediction.dramBytes, rows * 512 + own);
  launch.kernel.accesses = {load(32, {true, false, false})};
  EXPECT_DOUBLE_EQ(predictLaunch(launch, target("sm_90")).dramBytes,
                   1024 * 1024);
  // No cache: all that is asked for.
  EXPECT_DOUBLE_EQ(predictLaunch(launch, target("nvidia-gtx285")).dramBytes,
                   1024.0 * 1024 * 1024);
}

// 132 blocks of a row of 1024 read one panel of a and 132 of b; in groups of 11
// rows, 11 of a and 12 of b.
TEST_F(PerformanceModel, GroupsOfRows) {
  LaunchProfile launch = arithmetic(1);
  launch.grid = {1024, 1056, 1};
  launch.blocksPerMultiprocessor = 1;
  launch.kernel.accesses = {load(32 * 64, {false, true, false}),
                            load(32 * 64, {true, false, false})};
  double panel = 32 * 64 * 32, rounds = 1024 * 1056 / 132;
  EXPECT_DOUBLE_EQ(predictLaunch(launch, target("sm_90")).dramBytes,
                   panel * rounds * (1 + 132));
  launch.group = 11;
  EXPECT_DOUBLE_EQ(predictLaunch(launch, target("sm_90")).dramBytes,
                   panel * rounds * (11 + 12));
  // More rows than there are blocks at once.
  launch.group = 1056;
  EXPECT_DOUBLE_EQ(predictLaunch(launch, target("sm_90")).dramBytes,
                   panel * rounds * (132 + 1));
}

TEST_F(PerformanceModel, NothingFits) {
  LaunchProfile launch = arithmetic(1);
  launch.blocksPerMultiprocessor = 0;
  EXPECT_EQ(predictLaunch(launch, target("sm_90")).limit, "occupancy");
}

// The example of KernelProfile.h.
TEST(KernelProfile, Merge) {
  KernelProfile profile;
  profile.threads = 256;
  profile.arithmetic = 16;
  AccessProfile tile;
  tile.space = MemorySpace::Workgroup;
  tile.bytes = 4;
  tile.perThread = 16;
  tile.wavefronts = 128;
  tile.itemVariant = {false, true, false};
  profile.accesses = {load(32, {false, true, false}),
                      load(32, {true, false, false}), tile};
  KernelProfile merged =
      mergeProfile(profile, {{1, 1, 1}, {8, 8, 1}, {1, 1, 1}});
  EXPECT_EQ(merged.arithmetic, 16 * 64);
  EXPECT_EQ(merged.independent, 64);
  EXPECT_EQ(merged.accesses[0].sectors, 32 * 8);
  EXPECT_EQ(merged.accesses[1].sectors, 32 * 8);
  EXPECT_EQ(merged.accesses[2].perThread, 16 * 8);
  EXPECT_EQ(merged.wavefronts(), 128 * 8);
  // Two blocks along x share the rows; each thread then fills less of them.
  merged = mergeProfile(profile, {{2, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  EXPECT_EQ(merged.threads, 512);
  EXPECT_EQ(merged.accesses[0].sectors, 32);
  EXPECT_EQ(merged.accesses[0].perThread, 0.5);
  EXPECT_EQ(merged.accesses[1].sectors, 64);
  EXPECT_EQ(merged.wavefronts(), 256);
}

} // namespace
