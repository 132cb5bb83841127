//===- VectorPlanTest.cpp - grouping of accesses on literals --------------===//

#include "passes/Transforms/Vectorize/VectorPlan.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

using Kind = MemoryEvent::Kind;
using Reason = VectorMiss::Reason;

/// A float at `offset` bytes from 16 * x, in the array number `array`.
MemoryEvent access(Kind kind, int64_t offset, unsigned array = 0) {
  Polynomial x = Polynomial(16) * Polynomial::variable(0);
  MemoryEvent event;
  event.kind = kind;
  event.array = array;
  event.address = x + Polynomial(offset);
  event.bytes = 4;
  event.divisor = 16;
  return event;
}

VectorPlan plan(std::vector<MemoryEvent> events, bool mayAlias = true,
                int64_t maxBytes = 16) {
  return planVectors(std::move(events), maxBytes,
                     [&](unsigned, unsigned) { return mayAlias; });
}

using Lanes = std::vector<unsigned>;

TEST(VectorPlan, groupsByAddressNotByOrder) {
  VectorPlan result = plan({access(Kind::Load, 12), access(Kind::Load, 0),
                            access(Kind::Load, 8), access(Kind::Load, 4)});
  ASSERT_EQ(result.groups.size(), 1u);
  EXPECT_EQ(result.groups[0].lanes, (Lanes{1, 3, 2, 0}));
  EXPECT_EQ(result.groups[0].position, 0u);
  EXPECT_EQ(result.groups[0].alignment, 16);
  EXPECT_TRUE(result.misses.empty());
}

TEST(VectorPlan, storesStandWhereTheLastOneStood) {
  VectorPlan result = plan({access(Kind::Store, 8), access(Kind::Store, 12)});
  ASSERT_EQ(result.groups.size(), 1u);
  EXPECT_EQ(result.groups[0].position, 1u);
  EXPECT_EQ(result.groups[0].alignment, 8);
}

TEST(VectorPlan, takesTheWidestFirst) {
  std::vector<MemoryEvent> events;
  for (int64_t offset = 0; offset < 24; offset += 4)
    events.push_back(access(Kind::Load, offset));
  VectorPlan result = plan(events);
  ASSERT_EQ(result.groups.size(), 2u);
  EXPECT_EQ(result.groups[0].lanes, (Lanes{0, 1, 2, 3}));
  EXPECT_EQ(result.groups[1].lanes, (Lanes{4, 5}));
  EXPECT_EQ(plan(events, true, 8).groups.size(), 3u);
}

TEST(VectorPlan, needsAlignment) {
  VectorPlan result = plan({access(Kind::Load, 4), access(Kind::Load, 8)});
  EXPECT_TRUE(result.groups.empty());
  ASSERT_EQ(result.misses.size(), 1u);
  EXPECT_EQ(result.misses[0].reason, Reason::Unaligned);
  EXPECT_EQ(result.misses[0].alignment, 4);
}

TEST(VectorPlan, readsNoGap) {
  VectorPlan result = plan({access(Kind::Load, 0), access(Kind::Load, 8)});
  EXPECT_TRUE(result.groups.empty());
  ASSERT_EQ(result.misses.size(), 1u);
  EXPECT_EQ(result.misses[0].reason, Reason::Gap);
}

TEST(VectorPlan, crossesNoStoreThatMayAlias) {
  std::vector<MemoryEvent> events = {
      access(Kind::Load, 0), access(Kind::Store, 0, 1), access(Kind::Load, 4)};
  VectorPlan result = plan(events);
  EXPECT_TRUE(result.groups.empty());
  ASSERT_EQ(result.misses.size(), 1u);
  EXPECT_EQ(result.misses[0].reason, Reason::Conflict);
  EXPECT_EQ(result.misses[0].conflict, 1u);
  EXPECT_EQ(plan(events, /*mayAlias=*/false).groups.size(), 1u);
}

TEST(VectorPlan, crossesNoFence) {
  MemoryEvent fence;
  EXPECT_TRUE(plan({access(Kind::Load, 0), fence, access(Kind::Load, 4)}, false)
                  .groups.empty());
}

// load 0, store 0, store 4, load 4: the wide load may not see the store of 4,
// the wide store is after it in any case. With the load of 4 moved up the store
// is in its way: load 4 comes after store 4.
TEST(VectorPlan, keepsLoadsAfterTheStoresThatTheySee) {
  VectorPlan result = plan({access(Kind::Load, 0), access(Kind::Store, 0),
                            access(Kind::Store, 4), access(Kind::Load, 4)});
  ASSERT_EQ(result.groups.size(), 1u);
  EXPECT_EQ(result.groups[0].lanes, (Lanes{1, 2}));
}

// Each group alone is legal: load 0, 4 past store 0' and stores 0', 4' past
// load 4. The second is checked with the first one made.
TEST(VectorPlan, checksGroupsAgainstEarlierOnes) {
  MemoryEvent other = access(Kind::Store, 0);
  other.address += Polynomial(32);
  MemoryEvent next = other;
  next.address += Polynomial(4);
  VectorPlan result =
      plan({access(Kind::Load, 0), other, next, access(Kind::Load, 4)});
  EXPECT_EQ(result.groups.size(), 2u);
}

// c[y][4*x], c[y+1][4*x], c[y][4*x+1], c[y+1][4*x+1], …: rows of n elements.
TEST(VectorPlan, storesCrossThoseToOtherRows) {
  Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1),
             n = Polynomial::variable(2);
  std::vector<MemoryEvent> events;
  for (int64_t column = 0; column < 4; ++column)
    for (int64_t row = 0; row < 2; ++row) {
      MemoryEvent store = access(Kind::Store, 0);
      store.subscripts = {y + Polynomial(row),
                          Polynomial(4) * x + Polynomial(column)};
      store.address =
          Polynomial(4) * (store.subscripts[0] * n + store.subscripts[1]);
      events.push_back(store);
    }
  VectorPlan result = plan(events);
  ASSERT_EQ(result.groups.size(), 2u);
  EXPECT_EQ(result.groups[0].lanes, (Lanes{0, 2, 4, 6}));
  EXPECT_EQ(result.groups[1].lanes, (Lanes{1, 3, 5, 7}));
  // Columns that may leave their row may be elements of the next one.
  for (MemoryEvent &event : events)
    event.subscripts.clear();
  result = plan(events);
  EXPECT_TRUE(result.groups.empty());
  EXPECT_EQ(result.misses.front().reason, Reason::Conflict);
}

// c[z][y][4*x], … of a batch: matrices may lie at any distance, so that rows
// of one are told apart, and those of two are not.
TEST(VectorPlan, storesOfOneMatrixCrossThoseToOtherRows) {
  Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1),
             z = Polynomial::variable(2), n = Polynomial::variable(3),
             distance = Polynomial::variable(4);
  auto batch = [&](bool sameMatrix) {
    std::vector<MemoryEvent> events;
    for (int64_t column = 0; column < 2; ++column)
      for (int64_t row = 0; row < 2; ++row) {
        MemoryEvent store = access(Kind::Store, 0);
        store.subscripts = {z + Polynomial(sameMatrix ? 0 : row),
                            y + Polynomial(row),
                            Polynomial(4) * x + Polynomial(column)};
        store.firstPacked = 1;
        store.address =
            Polynomial(4) * (store.subscripts[0] * distance +
                             store.subscripts[1] * n + store.subscripts[2]);
        events.push_back(store);
      }
    return events;
  };
  EXPECT_EQ(plan(batch(true)).groups.size(), 2u);
  EXPECT_TRUE(plan(batch(false)).groups.empty());
}

TEST(VectorPlan, keepsElementTypesApart) {
  MemoryEvent other = access(Kind::Load, 4);
  other.type = 1;
  EXPECT_TRUE(plan({access(Kind::Load, 0), other}).groups.empty());
}

} // namespace
