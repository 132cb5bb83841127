//===- ThreadOrderTest.cpp - what a thread knows of the others ------------===//

#include "runtime/CPU/ThreadOrder.h"

#include <gtest/gtest.h>

using namespace gpuopt::runtime;

namespace {

constexpr uint32_t reads = OrderedAccess::reads, writes = OrderedAccess::writes,
                   acquires = OrderedAccess::acquires,
                   releases = OrderedAccess::releases;

struct ThreadOrderTest : testing::Test {
  ThreadOrder order{4};
  uint8_t flag[8] = {}, other[8] = {};

  /// Whether `thread` knows of all that `of` did before `time`.
  bool knows(uint32_t thread, uint32_t of, uint32_t time) {
    llvm::ArrayRef<uint32_t> known = order.known(thread);
    return of < known.size() && known[of] >= time;
  }
};

TEST_F(ThreadOrderTest, NobodyKnowsAnything) {
  EXPECT_FALSE(knows(0, 1, order.now(1)));
  EXPECT_FALSE(order.known(0).empty());
}

TEST_F(ThreadOrderTest, AnAcquirerKnowsOfTheReleaser) {
  uint32_t before = order.now(0);
  order.access(0, flag, writes | releases);
  order.access(1, flag, reads | acquires);
  EXPECT_TRUE(knows(1, 0, before));
  EXPECT_FALSE(knows(1, 0, order.now(0)));
  EXPECT_FALSE(knows(2, 0, before));
  EXPECT_FALSE(knows(0, 1, 1));
}

TEST_F(ThreadOrderTest, ItTakesTheSamePlaceAndBothEnds) {
  order.access(0, flag, writes | releases);
  order.access(1, other, reads | acquires);
  EXPECT_FALSE(knows(1, 0, 1));
  order.access(1, flag, reads);
  EXPECT_FALSE(knows(1, 0, 1));
  order.access(2, other, writes);
  order.access(3, other, reads | acquires);
  EXPECT_FALSE(knows(3, 2, 1));
}

TEST_F(ThreadOrderTest, KnowledgeIsPassedOn) {
  order.access(0, flag, writes | releases);
  order.access(1, flag, reads | acquires);
  order.access(1, other, writes | releases);
  order.access(2, other, reads | acquires);
  EXPECT_TRUE(knows(2, 0, 1));
}

TEST_F(ThreadOrderTest, FencesStandForRelaxedAccesses) {
  order.fence(0, releases);
  order.access(0, flag, writes);
  order.access(1, flag, reads);
  EXPECT_FALSE(knows(1, 0, 1));
  order.fence(1, acquires);
  EXPECT_TRUE(knows(1, 0, 1));
  EXPECT_FALSE(knows(1, 0, order.now(0)));
}

TEST_F(ThreadOrderTest, UpdatesCarryOnAndStoresDoNot) {
  order.access(0, flag, writes | releases);
  order.access(1, flag, reads | writes);
  order.access(2, flag, reads | acquires);
  EXPECT_TRUE(knows(2, 0, 1));
  EXPECT_FALSE(knows(2, 1, 1));
  order.access(1, flag, writes);
  order.access(3, flag, reads | acquires);
  EXPECT_FALSE(knows(3, 0, 1));
}

TEST_F(ThreadOrderTest, TheReleasersOwnStoresCarryOn) {
  order.access(0, flag, writes | releases);
  order.access(0, flag, writes);
  order.access(1, flag, reads | acquires);
  EXPECT_TRUE(knows(1, 0, 1));
}

TEST_F(ThreadOrderTest, PlainStoresReleaseNothing) {
  order.access(0, flag, writes | releases);
  order.overwrite(flag, 4);
  order.access(1, flag, reads | acquires);
  EXPECT_FALSE(knows(1, 0, 1));
}

TEST_F(ThreadOrderTest, WhoOnlyArrivesLearnsNothing) {
  order.meet({0, 1}, {2});
  EXPECT_TRUE(knows(0, 1, 1) && knows(1, 0, 1) && knows(0, 2, 1));
  EXPECT_FALSE(knows(2, 0, 1));
  EXPECT_FALSE(knows(0, 3, 1));
}

TEST_F(ThreadOrderTest, LanesTellEachOtherOfOthersOnly) {
  order.access(3, flag, writes | releases);
  order.access(0, flag, reads | acquires);
  order.tell({0, 1});
  EXPECT_TRUE(knows(1, 3, 1));
  EXPECT_FALSE(knows(1, 0, 1) || knows(0, 1, 1));
  EXPECT_FALSE(knows(2, 3, 1));
}

TEST_F(ThreadOrderTest, PhasesOrderThoseWhoHaveArrived) {
  order.arrive(0, flag);
  order.pass(2, flag);
  EXPECT_FALSE(knows(2, 0, 1));
  order.arrive(1, flag);
  order.endPhase(flag);
  order.pass(2, flag);
  EXPECT_TRUE(knows(2, 0, 1) && knows(2, 1, 1));
  EXPECT_FALSE(knows(2, 3, 1));
  EXPECT_FALSE(knows(2, 0, order.now(0)));
}

TEST_F(ThreadOrderTest, ABarrierOfAllBeginsAnew) {
  order.access(0, flag, writes | releases);
  order.fence(1, releases);
  uint32_t now = order.now(0);
  order.clear();
  order.access(1, flag, writes);
  order.access(2, flag, reads | acquires);
  EXPECT_FALSE(knows(2, 0, 1) || knows(2, 1, 1));
  EXPECT_EQ(order.now(0), now);
}

} // namespace
