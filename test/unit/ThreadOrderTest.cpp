#include "passes/Analysis/ThreadOrder.h"

#include "gtest/gtest.h"

using namespace gpuopt;

namespace {

constexpr LaneStride Z = LaneStride::Zero, U = LaneStride::Large,
                     C = LaneStride::Unit;

AccessStrides access(LaneStride x, LaneStride y, LaneStride z,
                     double executions = 1) {
  AccessStrides result;
  result.strides = {x, y, z};
  for (unsigned dim = 0; dim < 3; ++dim)
    result.cost[dim] = result.strides[dim] == U   ? 32
                       : result.strides[dim] == C ? 4
                                                  : 1;
  result.executions = executions;
  return result;
}

constexpr std::array<bool, 3> all = {true, true, true};

// Two accesses, N = 3: 1 for each of stride 0 or 1, 3 for the others.
TEST(ThreadOrder, ObjectiveIsThePapers) {
  std::vector<AccessStrides> fan = {access(U, Z, Z), access(U, C, Z)};
  EXPECT_EQ(threadOrderObjective(fan, 0), 6);
  EXPECT_EQ(threadOrderObjective(fan, 1), 2);
  EXPECT_EQ(countUncoalesced(fan, 0), 2u);
  EXPECT_EQ(solveThreadOrder(fan, {true, true, false}), 1u);
  EXPECT_TRUE(isClearlyBetter(fan, 1));
}

TEST(ThreadOrder, CopyInThreeDimensions) {
  std::vector<AccessStrides> cell = {access(U, U, C), access(U, U, C)};
  EXPECT_EQ(solveThreadOrder(cell, all), 2u);
  // Where blocks have no threads along z.
  EXPECT_EQ(solveThreadOrder(cell, {true, true, false}), 0u);
}

TEST(ThreadOrder, EqualOnesKeepTheirOrder) {
  std::vector<AccessStrides> transpose = {access(C, U, Z), access(U, C, Z)};
  EXPECT_EQ(solveThreadOrder(transpose, {true, true, false}), 0u);
  EXPECT_FALSE(isClearlyBetter(transpose, 1));
}

// Of two with as many uncoalesced accesses that with fewer sectors.
TEST(ThreadOrder, SectorsBreakTies) {
  std::vector<AccessStrides> accesses = {access(C, Z, Z), access(C, C, U)};
  EXPECT_EQ(solveThreadOrder(accesses, all), 1u);
}

// What a loop executes counts as often; but not as clearly better.
TEST(ThreadOrder, ExecutionsWeigh) {
  std::vector<AccessStrides> accesses = {access(U, C, Z, 100), access(C, U, Z)};
  EXPECT_EQ(solveThreadOrder(accesses, {true, true, false}), 1u);
  EXPECT_FALSE(isClearlyBetter(accesses, 1));
}

// c[x*n + y] = sum over i of a[x*k + i] * b[y*k + i]: the loads in the loop
// change places, and the store is coalesced. As a load outside of loops the
// second one would have nothing to make good for it.
TEST(ThreadOrder, RepeatedLoadsMayChangePlaces) {
  std::vector<AccessStrides> product = {access(U, Z, Z, 100),
                                        access(Z, U, Z, 100), access(U, C, Z)};
  EXPECT_EQ(solveThreadOrder(product, {true, true, false}), 1u);
  EXPECT_FALSE(isClearlyBetter(product, 1));
  product[0].isRepeatedLoad = product[1].isRepeatedLoad = true;
  EXPECT_TRUE(isClearlyBetter(product, 1));
  // With the store the other way round y gains nothing.
  product[2] = access(C, U, Z);
  EXPECT_FALSE(isClearlyBetter(product, 1));
}

TEST(ThreadOrder, WorkgroupMemoryMustNotSuffer) {
  std::vector<AccessStrides> accesses = {access(U, C, Z), access(C, C, Z)};
  accesses[1].space = MemorySpace::Workgroup;
  accesses[1].cost = {1, 1, 1};
  EXPECT_TRUE(isClearlyBetter(accesses, 1));
  accesses[1].cost = {1, 32, 1};
  EXPECT_FALSE(isClearlyBetter(accesses, 1));
}

} // namespace
