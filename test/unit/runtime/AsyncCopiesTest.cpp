//===- AsyncCopiesTest.cpp - copies that are on their way -----------------===//

#include "runtime/CPU/AsyncCopies.h"
#include "runtime/CPU/RaceCheck.h"

#include <gtest/gtest.h>

using namespace gpuopt::runtime;

namespace {

AsyncCopy copyOf(uint32_t site) {
  AsyncCopy copy;
  copy.site = site;
  return copy;
}

std::vector<uint32_t> arrive(AsyncCopies &copies, uint64_t pending) {
  std::vector<uint32_t> sites;
  for (const AsyncCopy &copy : copies.wait(pending))
    sites.push_back(copy.site);
  return sites;
}

TEST(AsyncCopies, OldestGroupsArriveFirst) {
  AsyncCopies copies;
  copies.issue(copyOf(1));
  copies.issue(copyOf(2));
  copies.commit();
  copies.issue(copyOf(3));
  copies.commit();
  EXPECT_EQ(arrive(copies, 2), std::vector<uint32_t>());
  EXPECT_EQ(arrive(copies, 1), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(arrive(copies, 0), std::vector<uint32_t>{3});
}

TEST(AsyncCopies, WhatIsInNoGroupDoesNotArrive) {
  AsyncCopies copies;
  copies.issue(copyOf(1));
  EXPECT_EQ(arrive(copies, 0), std::vector<uint32_t>());
  copies.commit();
  EXPECT_EQ(arrive(copies, 0), std::vector<uint32_t>{1});
}

TEST(AsyncCopies, EmptyGroupsCount) {
  AsyncCopies copies;
  copies.issue(copyOf(1));
  copies.commit();
  copies.commit();
  EXPECT_EQ(arrive(copies, 1), std::vector<uint32_t>{1});
}

TEST(AsyncCopies, EveryAccessToTheTargetConflictsUntilItLands) {
  uint8_t bytes[64];
  RaceRules rules;
  ShadowMemory shadow(bytes, sizeof bytes, 4);
  AccessStamp stamp;
  stamp.block = 1;
  stamp.thread = 3;
  shadow.launch(bytes + 16, 16, stamp);
  // By the thread itself, and behind a barrier.
  AccessStamp later = stamp;
  later.blockEpoch = 1;
  EXPECT_TRUE(shadow.access(bytes + 12, 4, false, later, rules).empty());
  Conflicts found = shadow.access(bytes + 28, 4, false, later, rules);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found.front().isInFlight);
  EXPECT_TRUE(shadow.access(bytes + 32, 4, true, later, rules).empty());
  shadow.land(bytes + 16, 16);
  EXPECT_TRUE(shadow.access(bytes + 28, 4, false, later, rules).empty());
}

} // namespace
