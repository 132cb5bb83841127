//===- NumberTest.cpp - numbers as a user gives them ----------------------===//

#include "tools/lib/launch/Number.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

Number read(llvm::StringRef text) {
  std::optional<Number> number = parseNumber(text);
  EXPECT_TRUE(number) << text.str();
  return number.value_or(0);
}

TEST(Number, IntegersAreExact) {
  for (llvm::StringRef text :
       {"9007199254740993", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "18446744073709551615", "0", "-1"})
    EXPECT_EQ(toString(read(text)), text.str());
  EXPECT_EQ(toInteger(read("9007199254740993")), 9007199254740993);
  EXPECT_EQ(toInteger(read("18446744073709551615")), -1);
  EXPECT_EQ(toInteger(read("0xffffffffffffffff")), -1);
}

TEST(Number, RealNumbersMayBeIntegers) {
  EXPECT_EQ(toInteger(read("1e6")), 1000000);
  EXPECT_EQ(toInteger(read("-0x1p63")), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(toInteger(read("0x1p63")), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(toInteger(read("1.5")), std::nullopt);
  EXPECT_EQ(toInteger(read("18446744073709551616")), std::nullopt);
  EXPECT_EQ(toInteger(read("nan")), std::nullopt);
  EXPECT_EQ(toDouble(read("0.1")), 0.1);
  EXPECT_FALSE(parseNumber("4k"));
}

TEST(Number, FitsTheTypesThatHoldIt) {
  Number maxSigned = read("9223372036854775807");
  EXPECT_TRUE(fitsInteger(maxSigned, /*isSigned=*/true, 64));
  EXPECT_TRUE(fitsInteger(maxSigned, /*isSigned=*/false, 64));
  EXPECT_FALSE(fitsInteger(maxSigned, /*isSigned=*/false, 32));
  Number maxUnsigned = read("18446744073709551615");
  EXPECT_FALSE(fitsInteger(maxUnsigned, /*isSigned=*/true, 64));
  EXPECT_TRUE(fitsInteger(maxUnsigned, /*isSigned=*/false, 64));
  // In two's complement it would be -1.
  EXPECT_FALSE(fitsInteger(maxUnsigned, /*isSigned=*/true, 32));
  EXPECT_FALSE(fitsInteger(maxUnsigned, /*isSigned=*/false, 32));
  EXPECT_FALSE(fitsInteger(read("-1"), /*isSigned=*/false, 64));
  EXPECT_TRUE(fitsInteger(read("-128"), /*isSigned=*/true, 8));
  EXPECT_FALSE(fitsInteger(read("128"), /*isSigned=*/true, 8));
  EXPECT_TRUE(fitsInteger(read("255.0"), /*isSigned=*/false, 8));
  EXPECT_FALSE(fitsInteger(read("0.5"), /*isSigned=*/false, 8));
}

} // namespace
