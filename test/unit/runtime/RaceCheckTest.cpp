//===- RaceCheckTest.cpp - which accesses race ----------------------------===//

#include "runtime/CPU/RaceCheck.h"

#include <gtest/gtest.h>

#include <cstring>

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

/// With what the threads know of each other: `epoch` of the subgroup is the
/// thread's own time.
struct KnowingRaceTest : RaceTest {
  bool access(bool isWrite, uint32_t thread, std::vector<uint32_t> known,
              bool isAtomic = false) {
    AccessStamp stamp = by(0, thread);
    stamp.subgroupEpoch = 1;
    stamp.isAtomic = isAtomic;
    known.resize(4);
    return !shadow.access(bytes, 4, isWrite, stamp, rules, known).empty();
  }
};

TEST_F(KnowingRaceTest, WhoKnowsDoesNotRace) {
  EXPECT_FALSE(access(true, 0, {}));
  EXPECT_FALSE(access(false, 1, {1}));
  EXPECT_TRUE(access(false, 2, {0}));
}

TEST_F(KnowingRaceTest, AllReadsAreRemembered) {
  EXPECT_FALSE(access(false, 0, {}));
  EXPECT_FALSE(access(false, 1, {}));
  EXPECT_FALSE(access(false, 2, {}));
  EXPECT_TRUE(access(true, 3, {1, 1, 0}));
}

TEST_F(KnowingRaceTest, AtomicAccessesDoNotHideOthers) {
  EXPECT_FALSE(access(true, 0, {}));
  EXPECT_FALSE(access(true, 1, {1}, /*isAtomic=*/true));
  EXPECT_TRUE(access(true, 2, {0, 1}, /*isAtomic=*/true));
}

TEST_F(KnowingRaceTest, AReadDoesNotHideAnUpdate) {
  EXPECT_FALSE(access(true, 0, {}, /*isAtomic=*/true));
  EXPECT_FALSE(access(false, 1, {1}));
  EXPECT_TRUE(access(false, 2, {}));
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

/// Accesses that do what they say.
struct EffectTest : testing::Test {
  uint8_t bytes[16] = {};
  RaceRules rules;
  ShadowMemory shadow{bytes, sizeof bytes, 4, /*followsEffects=*/true};

  void write(const AccessStamp &stamp, uint32_t value) {
    shadow.access(bytes + 4, 4, true, stamp, rules);
    std::memcpy(bytes + 4, &value, 4);
  }
  void read(const AccessStamp &stamp) {
    shadow.access(bytes + 4, 4, false, stamp, rules);
  }
  bool isUnsettled() {
    gpuopt::ByteFlags flags = shadow.takeUnsettled();
    EXPECT_TRUE(flags.empty() || (flags[3] == 0 && flags[4] == 1 &&
                                  flags[7] == 1 && flags[8] == 0));
    return !flags.empty();
  }
};

TEST_F(EffectTest, WritersOfOneValueAgree) {
  write(by(0, 1), 7);
  write(by(0, 2), 7);
  write(by(1, 1), 7);
  EXPECT_FALSE(isUnsettled());
}

TEST_F(EffectTest, WritersOfTwoValuesDoNot) {
  write(by(0, 1), 7);
  write(by(0, 2), 8);
  EXPECT_TRUE(isUnsettled());
}

TEST_F(EffectTest, WritersThatABarrierOrdersAgree) {
  write(by(0, 1, 0), 7);
  write(by(0, 2, 1), 8);
  EXPECT_FALSE(isUnsettled());
}

TEST_F(EffectTest, AReadRacesWithAChange) {
  read(by(0, 1));
  write(by(0, 2), 7);
  EXPECT_TRUE(isUnsettled());
}

TEST_F(EffectTest, AReadRacesWithAnEarlierChange) {
  write(by(0, 1), 7);
  write(by(0, 2), 7);
  read(by(0, 3));
  EXPECT_TRUE(isUnsettled());
}

TEST_F(EffectTest, AReadMayRaceWithWhatChangesNothing) {
  read(by(0, 1));
  write(by(0, 2), 0);
  read(by(0, 3));
  EXPECT_FALSE(isUnsettled());
}

TEST(RaceEffects, DisturbWhatIsUnsettled) {
  gpuopt::RaceEffects effects;
  effects.find();
  effects.addBuffer("a", /*isVariable=*/false, {0, 0, 1, 1});
  effects.addWorkgroup(/*block=*/3, {1});
  effects.disturb(0x55);
  uint8_t bytes[] = {0, 0, 0};
  effects.disturbBuffer(0, /*offset=*/1, bytes);
  EXPECT_EQ(bytes[0], 0);
  EXPECT_EQ(bytes[1], 0x55);
  effects.disturbWorkgroup(/*block=*/2, 0, bytes);
  EXPECT_EQ(bytes[0], 0);
  effects.disturbWorkgroup(/*block=*/3, 0, bytes);
  EXPECT_EQ(bytes[0], 0x55);
  EXPECT_TRUE(effects.ofVariable("a").empty());
  EXPECT_EQ(effects.ofArgument("a").size(), 4u);
}

} // namespace
