//===- RaceCheckTest.cpp - which accesses race ----------------------------===//

#include "runtime/CPU/RaceCheck.h"

#include <gtest/gtest.h>

using namespace gpuopt::runtime;

namespace {

AccessStamp by(uint32_t block, uint32_t thread, uint32_t epoch = 0) {
  AccessStamp stamp;
  stamp.block = block + 1;
  stamp.thread = thread;
  stamp.blockEpoch = epoch;
  return stamp;
}

AccessStamp atomicBy(uint32_t block, uint32_t thread) {
  AccessStamp stamp = by(block, thread);
  stamp.isAtomic = true;
  return stamp;
}

struct RaceTest : testing::Test {
  uint8_t bytes[64];
  RaceRules rules;
  ShadowMemory shadow{bytes, sizeof bytes, 4};

  bool write(const AccessStamp &stamp, size_t at = 0, size_t size = 4) {
    return !shadow.access(bytes + at, size, true, stamp, rules).empty();
  }
  bool read(const AccessStamp &stamp, size_t at = 0, size_t size = 4) {
    return !shadow.access(bytes + at, size, false, stamp, rules).empty();
  }
};

TEST_F(RaceTest, OneThreadNeverRaces) {
  EXPECT_FALSE(write(by(0, 1)));
  EXPECT_FALSE(read(by(0, 1)));
  EXPECT_FALSE(write(by(0, 1)));
}

TEST_F(RaceTest, ReadsNeverRace) {
  for (uint32_t thread = 0; thread < 8; ++thread)
    EXPECT_FALSE(read(by(thread / 4, thread)));
}

TEST_F(RaceTest, WriteThenReadOfAnother) {
  EXPECT_FALSE(write(by(0, 1)));
  EXPECT_TRUE(read(by(0, 2)));
}

TEST_F(RaceTest, ReadThenWriteOfAnother) {
  EXPECT_FALSE(read(by(0, 1)));
  EXPECT_TRUE(write(by(0, 2)));
}

TEST_F(RaceTest, TheReadOfAnotherIsRememberedBesideTheOwn) {
  EXPECT_FALSE(read(by(0, 1)));
  EXPECT_FALSE(read(by(0, 2)));
  EXPECT_FALSE(read(by(0, 3)));
  EXPECT_TRUE(write(by(0, 1)));
}

TEST_F(RaceTest, BarrierOrdersABlock) {
  EXPECT_FALSE(write(by(0, 1, 0)));
  EXPECT_FALSE(read(by(0, 2, 1)));
  EXPECT_FALSE(write(by(0, 3, 2)));
}

TEST_F(RaceTest, BarrierDoesNotOrderBlocks) {
  EXPECT_FALSE(write(by(0, 1, 0)));
  EXPECT_TRUE(read(by(1, 1, 1)));
}

TEST_F(RaceTest, ReadsOfAnotherBlockAreNotForgotten) {
  EXPECT_FALSE(read(by(0, 1)));
  EXPECT_FALSE(read(by(1, 1)));
  EXPECT_FALSE(read(by(1, 2)));
  EXPECT_FALSE(read(by(1, 3)));
  EXPECT_TRUE(write(by(1, 3)));
}

TEST_F(RaceTest, FencesMayOrderBlocks) {
  rules.blocksAreOrdered = true;
  EXPECT_FALSE(write(by(0, 1)));
  EXPECT_FALSE(read(by(1, 1)));
}

TEST_F(RaceTest, SubgroupBarrierOrdersItsOwn) {
  AccessStamp before = by(0, 1), after = by(0, 2), outside = by(0, 40);
  after.subgroupEpoch = outside.subgroupEpoch = 1;
  EXPECT_FALSE(write(before));
  EXPECT_FALSE(read(after));
  EXPECT_TRUE(read(outside));
}

TEST_F(RaceTest, AtomicsDoNotRaceWithEachOther) {
  EXPECT_FALSE(write(atomicBy(0, 1)));
  EXPECT_FALSE(write(atomicBy(1, 2)));
  EXPECT_TRUE(read(by(0, 3)));
}

TEST_F(RaceTest, WideAccessesCoverEveryUnit) {
  EXPECT_FALSE(write(by(0, 1), 12));
  EXPECT_TRUE(read(by(0, 2), 0, 16));
  EXPECT_FALSE(read(by(0, 2), 16, 16));
}

TEST_F(RaceTest, EveryPlaceThatRacesIsNamed) {
  auto at = [](AccessStamp stamp, uint32_t site) {
    stamp.site = site;
    return stamp;
  };
  EXPECT_FALSE(write(at(by(0, 1), 5)));
  EXPECT_TRUE(read(at(by(0, 2), 6)));
  EXPECT_TRUE(read(at(by(1, 3), 7)));
  Conflicts found =
      shadow.access(bytes, 4, /*isWrite=*/true, at(by(2, 0), 8), rules);
  std::vector<uint32_t> sites;
  for (const AccessStamp &stamp : found)
    sites.push_back(stamp.site);
  EXPECT_EQ(sites, (std::vector<uint32_t>{5, 6, 7}));
}

} // namespace
