//===- DeviceOutputTest.cpp - what kernels print --------------------------===//

#include "runtime/CPU/DeviceOutput.h"

#include <gtest/gtest.h>

using gpuopt::runtime::formatOutput;

namespace {

TEST(DeviceOutput, ArgumentsLieAtMultiplesOfTheirSizes) {
  struct {
    int i;
    double d;
    int u;
    long long l;
    const char *s;
  } arguments = {-7, 2.5, 42, 1ll << 40, "text"};
  EXPECT_EQ(formatOutput("%d %5.2f|%-4u|%lld %s\n", &arguments),
            "-7  2.50|42  |1099511627776 text\n");
}

TEST(DeviceOutput, WidthsMayBeArguments) {
  struct {
    int width, precision;
    double d;
    int c;
  } arguments = {8, 3, 1.0 / 3, 'x'};
  EXPECT_EQ(formatOutput("[%*.*f] %c", &arguments), "[   0.333] x");
}

TEST(DeviceOutput, TextStandsAsItIs) {
  EXPECT_EQ(formatOutput("100%% of nothing", nullptr), "100% of nothing");
  EXPECT_EQ(formatOutput("", nullptr), "");
  EXPECT_EQ(formatOutput("%", nullptr), "%");
}

TEST(DeviceOutput, SizesAreThoseOfTheConversion) {
  struct {
    unsigned h;
    unsigned long long z, x;
  } arguments = {0x1ffff, 12, 0xabcdef0123};
  EXPECT_EQ(formatOutput("%hu %zu %lx", &arguments), "65535 12 abcdef0123");
}

} // namespace
