//===- SoftFloatTest.cpp - half precision in software ---------------------===//

#include "runtime/CPU/SoftFloat.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuopt::runtime;

namespace {

TEST(SoftFloat, EveryHalfSurvives) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double value = halfToDouble(bits);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(halfToDouble(doubleToHalf(value))));
    else
      EXPECT_EQ(doubleToHalf(value), bits);
  }
}

TEST(SoftFloat, HalfRoundsToEven) {
  EXPECT_EQ(doubleToHalf(1.0), 0x3c00);
  EXPECT_EQ(doubleToHalf(1.0 + 0x1p-11), 0x3c00);
  EXPECT_EQ(doubleToHalf(1.0 + 3 * 0x1p-11), 0x3c02);
  EXPECT_EQ(doubleToHalf(1.0 + 0x1p-11 + 0x1p-40), 0x3c01);
  EXPECT_EQ(doubleToHalf(65504), 0x7bff);
  EXPECT_EQ(doubleToHalf(65520), 0x7c00);
  EXPECT_EQ(doubleToHalf(-1e300), 0xfc00);
  EXPECT_EQ(doubleToHalf(0x1p-25), 0x0000);
  EXPECT_EQ(doubleToHalf(0x1.1p-25), 0x0001);
  EXPECT_EQ(doubleToHalf(-0.0), 0x8000);
}

TEST(SoftFloat, EveryBFloatSurvives) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = std::bit_cast<float>(bits << 16);
    if (!std::isnan(value))
      EXPECT_EQ(doubleToBFloat(value), bits);
  }
}

} // namespace
