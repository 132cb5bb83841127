//===- IntervalTest.cpp - ranges whose ends may be infinite ---------------===//

#include "passes/Analysis/Interval.h"

#include "gtest/gtest.h"

using namespace gpuopt;

namespace {

constexpr int64_t least = Interval::minusInfinity;
constexpr int64_t most = Interval::plusInfinity;

TEST(Interval, WhatBitsHold) {
  EXPECT_EQ(Interval::ofSigned(8), (Interval{-128, 127}));
  EXPECT_EQ(Interval::ofUnsigned(8), (Interval{0, 255}));
  // An end that is also an infinity is taken for one: 64 bits have no bounds
  // that may be relied on, and of unsigned numbers only the lower one.
  EXPECT_EQ(Interval::ofSigned(64), Interval());
  EXPECT_EQ(Interval::ofUnsigned(64), (Interval{0, most}));
  EXPECT_FALSE(Interval::ofUnsigned(63).isFinite());
  EXPECT_TRUE(Interval::ofUnsigned(62).isFinite());
}

TEST(Interval, SumsSaturate) {
  EXPECT_EQ((Interval{1, 5} + Interval{-3, 2}), (Interval{-2, 7}));
  // What leaves 64 bits at one end leaves the other one exact.
  EXPECT_EQ((Interval{0, most - 1} + Interval{1, 2}), (Interval{1, most}));
  EXPECT_EQ((Interval{least + 1, 0} + Interval{-2, -1}), (Interval{least, -1}));
  // Infinity stays where it is, whatever is added.
  EXPECT_EQ((Interval{least, 5} + Interval{100, 100}), (Interval{least, 105}));
  EXPECT_EQ((Interval{5, most} + Interval{-100, -100}), (Interval{-95, most}));
}

TEST(Interval, ProductsOfSigns) {
  EXPECT_EQ((Interval{2, 3} * Interval{4, 5}), (Interval{8, 15}));
  EXPECT_EQ((Interval{-2, 3} * Interval{-4, 5}), (Interval{-12, 15}));
  EXPECT_EQ((Interval{2, 3} * Interval{-1, -1}), (Interval{-3, -2}));
  // The least number has no opposite: the product is beyond all.
  EXPECT_EQ((Interval{least, 0} * Interval{-1, -1}), (Interval{0, most}));
  // Nothing times infinity is nothing.
  EXPECT_EQ((Interval{0, 0} * Interval()), (Interval{0, 0}));
  EXPECT_EQ((Interval{0, 1} * Interval{0, most}), (Interval{0, most}));
}

TEST(Interval, ProductsThatLeave64Bits) {
  int64_t large = int64_t(1) << 40;
  EXPECT_EQ((Interval{1, large} * Interval{1, large}), (Interval{1, most}));
  EXPECT_EQ((Interval{-large, 1} * Interval{1, large}),
            (Interval{least, large}));
}

TEST(Interval, Comparisons) {
  EXPECT_TRUE((Interval{2, 3}).isWithin({2, 4}));
  EXPECT_FALSE((Interval{1, 3}).isWithin({2, 4}));
  EXPECT_EQ((Interval{0, most}.intersect({least, 7})), (Interval{0, 7}));
}

} // namespace
