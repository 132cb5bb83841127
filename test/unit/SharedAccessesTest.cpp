//===- SharedAccessesTest.cpp - whether lanes meet in memory --------------===//

#include "passes/Transforms/Reduce/SharedAccesses.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

/// Element `shift` of the rows of floats that a loop from 0 walks along.
SharedAccess elements(int64_t shift = 0) {
  constexpr unsigned row = 0;
  return {.stride = 4,
          .offset = Polynomial::variable(row) + Polynomial(4 * shift),
          .bytes = 4,
          .iterations = {{Polynomial(0)}, 1}};
}

TEST(SharedAccesses, TheSameElementIsOfTheSameIteration) {
  EXPECT_TRUE(meetInIterations(elements(), elements()));
}

TEST(SharedAccesses, NeighboursAreOfOtherIterations) {
  EXPECT_FALSE(meetInIterations(elements(), elements(1)));
  EXPECT_FALSE(meetInIterations(elements(1), elements()));
}

// Halves of pairs: b[2 * i] and b[2 * i + 1], also backwards.
TEST(SharedAccesses, WhatLiesWithinAStrideIsOfOneIteration) {
  for (int64_t stride : {8, -8}) {
    SharedAccess first = elements(), second = elements(1);
    first.stride = second.stride = stride;
    EXPECT_TRUE(meetInIterations(first, second));
    EXPECT_TRUE(meetInIterations(second, first));
    second.bytes = 8;
    EXPECT_FALSE(meetInIterations(first, second));
  }
}

// Every second element, two floats of each.
TEST(SharedAccesses, StepsMakeRoom) {
  SharedAccess wide = elements();
  wide.bytes = 8;
  EXPECT_FALSE(meetInIterations(wide, wide));
  wide.iterations.step = 2;
  EXPECT_TRUE(meetInIterations(wide, wide));
}

TEST(SharedAccesses, LoopsThatBeginElsewhereHaveOtherLanes) {
  SharedAccess later = elements();
  later.iterations.begins = {Polynomial(1)};
  EXPECT_FALSE(meetInIterations(elements(), later));
  later.iterations.begins = {};
  EXPECT_FALSE(meetInIterations(later, later));
}

TEST(SharedAccesses, WhatIsNotKnownMayMeetAnywhere) {
  SharedAccess still = elements();
  still.stride = 0;
  EXPECT_FALSE(meetInIterations(still, still));
  SharedAccess other = elements();
  other.offset = Polynomial::variable(1);
  EXPECT_FALSE(meetInIterations(elements(), other));
  other.offset = Polynomial::unknown();
  EXPECT_FALSE(meetInIterations(other, other));
}

} // namespace
