//===- TrafficTest.cpp - executions of accesses, computed by hand ---------===//

#include "test/unit/AccessBuilder.h"

#include "passes/Analysis/Traffic.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

class Traffic : public ::testing::Test, protected AccessBuilder {
protected:
  Executions executions(std::vector<int> loops, const SizeMap &sizes = {}) {
    AccessFunction access = at(tx);
    access.loops = std::move(loops);
    return computeExecutions(access, table, {16, 16, 1}, sizes);
  }
};

TEST_F(Traffic, TripCounts) {
  EXPECT_EQ(executions({}).count, 1);
  int loop = iNumber;
  EXPECT_EQ(executions({loop}, {{"w", 100}}).count, 100);
  EXPECT_EQ(executions({loop}, {{"w", 0}}).count, 0);
  // ceil((100 - 3) / 16) = 7 iterations of the inner loop.
  int inner = table.addLoop("j", {Polynomial(3)}, {n}, Polynomial(16));
  EXPECT_EQ(executions({loop, inner}, {{"w", 100}, {"n", 100}}).count, 700);
  // A tail: min(n, 40).
  int tail = table.addLoop("l", {Polynomial(0)}, {n, Polynomial(40)});
  EXPECT_EQ(executions({tail}, {{"n", 100}}).count, 40);
  EXPECT_EQ(executions({tail}, {{"n", 7}}).count, 7);
}

TEST_F(Traffic, Triangle) {
  // for i < w, for j < i: w * (w - 1) / 2.
  int inner = table.addLoop("j", {Polynomial(0)}, {i});
  int outer = iNumber;
  Executions exact = executions({outer, inner}, {{"w", 50}});
  EXPECT_EQ(exact.count, 50 * 49 / 2);
  EXPECT_TRUE(exact.assumptions.empty());
  // Sampled: w^2/2 within a thousandth.
  Executions estimate = executions({outer, inner}, {{"w", 4096}});
  EXPECT_NEAR(estimate.count / (4096.0 * 4095 / 2), 1, 1e-3);
  EXPECT_FALSE(estimate.assumptions.empty());
}

TEST_F(Traffic, SaysWhatItAssumes) {
  int loop = iNumber;
  EXPECT_EQ(executions({loop}).count, 4096);
  EXPECT_EQ(executions({loop}).assumptions,
            std::vector<std::string>{"w = 4096"});
  EXPECT_EQ(executions({-1}).count, 1);
  EXPECT_FALSE(executions({-1}).assumptions.empty());
}

TEST_F(Traffic, BlockStrideLoop) {
  // for (i = tx; i < n; i += 16): the first thread runs ceil(100 / 16).
  int loop = table.addLoop("s", {tx}, {n}, Polynomial(16));
  EXPECT_EQ(executions({loop}, {{"n", 100}}).count, 7);
}

} // namespace
