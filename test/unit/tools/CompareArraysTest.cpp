//===- CompareArraysTest.cpp - what counts as equal -----------------------===//

#include "tools/lib/check/CompareArrays.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace gpuopt;

namespace {

template <typename T>
ProblemArray arrayOf(ElementKind kind, const std::vector<T> &values) {
  ProblemArray array;
  array.name = "a";
  array.element = {kind, sizeof(T), 1};
  array.isOutput = true;
  array.outputElements = values.size();
  array.bytes.resize(values.size() * sizeof(T));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

ArrayComparison compareFloats(const std::vector<float> &original,
                              const std::vector<float> &tuned,
                              const ErrorBounds *bounds = nullptr) {
  return compareArrays(arrayOf(ElementKind::Float, original),
                       arrayOf(ElementKind::Float, tuned), bounds);
}

constexpr float inf = std::numeric_limits<float>::infinity();

TEST(CompareArrays, WideIntegersDifferInTheirLastBit) {
  std::vector<int64_t> original(4096, (int64_t(1) << 60) + 1);
  std::vector<int64_t> tuned(4096, int64_t(1) << 60);
  ArrayComparison found =
      compareArrays(arrayOf(ElementKind::SignedInt, original),
                    arrayOf(ElementKind::SignedInt, tuned));
  EXPECT_EQ(found.mismatches, 4096);
  EXPECT_EQ(found.original, "1152921504606846977");
  EXPECT_EQ(found.tuned, "1152921504606846976");
}

TEST(CompareArrays, ALargeElementHidesNothing) {
  std::vector<float> original(4096, 1.0f), tuned(4096, 2.0f);
  original[0] = tuned[0] = 1e30f;
  ArrayComparison found = compareFloats(original, tuned);
  EXPECT_EQ(found.mismatches, 4095);
  EXPECT_EQ(found.firstElement, 1);
  EXPECT_FALSE(found.passed());
}

TEST(CompareArrays, ZerosHaveSigns) {
  EXPECT_EQ(compareFloats({0.0f}, {-0.0f}).mismatches, 1);
  EXPECT_TRUE(compareFloats({-0.0f}, {-0.0f}).isEqual());
}

TEST(CompareArrays, NaNsCarryNothing) {
  float quiet = std::nanf("1"), other = -std::nanf("2");
  EXPECT_TRUE(compareFloats({quiet}, {other}).isEqual());
  EXPECT_FALSE(compareFloats({quiet}, {1.0f}).passed());
  EXPECT_FALSE(compareFloats({1.0f}, {quiet}).passed());
  EXPECT_FALSE(compareFloats({inf}, {-inf}).passed());
  EXPECT_FALSE(compareFloats({inf}, {3e38f}).passed());
}

TEST(CompareArrays, TheLastBitCounts) {
  ArrayComparison found = compareFloats({1.0f}, {std::nextafter(1.0f, 2.0f)});
  EXPECT_EQ(found.mismatches, 1);
  EXPECT_NEAR(found.largestError, 0x1p-23, 1e-12);
}

TEST(CompareArrays, EachElementHasItsOwnBound) {
  ErrorBounds bounds = {0.1, 1e-9, std::numeric_limits<double>::infinity(), 0};
  ArrayComparison found =
      compareFloats({1, 1, 1, 1}, {1.05f, 1.05f, 1.05f, 1.05f}, &bounds);
  EXPECT_EQ(found.withinBound, 1);
  EXPECT_EQ(found.withoutBound, 1);
  EXPECT_EQ(found.mismatches, 2);
  EXPECT_EQ(found.firstElement, 1);
  EXPECT_NEAR(found.largestShareOfBound, 0.5, 1e-3);
}

TEST(CompareArrays, NoBoundLetsANaNPass) {
  ErrorBounds bounds = {1e30};
  EXPECT_FALSE(compareFloats({1.0f}, {std::nanf("")}, &bounds).passed());
  EXPECT_FALSE(compareFloats({inf}, {1.0f}, &bounds).passed());
}

/// Three integers of which `counted` count, behind the original and behind a
/// tuned kernel that has changed the one at `changed`.
ArrayComparison strayWritesOf(int64_t counted, std::vector<int32_t> original,
                              size_t changed,
                              const std::vector<uint8_t> &stored = {}) {
  ProblemArray before = arrayOf<int32_t>(ElementKind::SignedInt, {4, 5, 6});
  before.isOutput = counted > 0;
  before.outputElements = counted;
  ProblemArray expected = before, tuned = before;
  std::memcpy(expected.bytes.data(), original.data(), expected.bytes.size());
  tuned.bytes[4 * changed] = 7;
  ArrayComparison found;
  findStrayWrites(before, expected, tuned, stored, found);
  return found;
}

// What the original stores to besides its outputs may be anything.
TEST(CompareArrays, ScratchMayHoldAnything) {
  EXPECT_TRUE(strayWritesOf(0, {9, 5, 6}, 0).passed());
  EXPECT_TRUE(strayWritesOf(2, {9, 5, 9}, 2).passed());
}

TEST(CompareArrays, InputsStayAsTheyAre) {
  ArrayComparison found = strayWritesOf(0, {4, 5, 6}, 1);
  EXPECT_EQ(found.strayWrites, 1);
  EXPECT_EQ(found.name, "a");
  EXPECT_EQ(found.firstElement, 1);
  EXPECT_EQ(found.original, "5");
  EXPECT_EQ(found.tuned, "7");
  EXPECT_FALSE(found.passed());
}

// Also where others of the array are scratch.
TEST(CompareArrays, WhatTheOriginalLeavesAloneStaysAsItIs) {
  EXPECT_EQ(strayWritesOf(0, {9, 5, 6}, 1).strayWrites, 1);
  ArrayComparison behind = strayWritesOf(1, {9, 9, 6}, 2);
  EXPECT_EQ(behind.strayWrites, 1);
  EXPECT_EQ(behind.firstElement, 2);
}

// Contents do not tell that the original stores what is there already.
TEST(CompareArrays, ScratchIsWhatTheOriginalStoresTo) {
  std::vector<uint8_t> stored = {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0};
  EXPECT_TRUE(strayWritesOf(1, {4, 5, 6}, 1, stored).passed());
  EXPECT_EQ(strayWritesOf(1, {4, 5, 6}, 2, stored).strayWrites, 1);
  std::vector<uint8_t> highByte = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  EXPECT_EQ(strayWritesOf(1, {4, 5, 6}, 1, highByte).strayWrites, 1);
}

TEST(CompareArrays, OpaqueBytesAreCompared) {
  ProblemArray original = arrayOf<uint8_t>(ElementKind::Opaque, {1, 2, 3, 4});
  ProblemArray tuned = original;
  tuned.bytes[2] = 9;
  EXPECT_EQ(compareArrays(original, tuned).mismatches, 1);
}

} // namespace
