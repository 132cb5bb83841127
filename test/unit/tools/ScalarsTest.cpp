//===- ScalarsTest.cpp - what arrays are filled with ----------------------===//

#include "tools/lib/launch/Scalars.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

// A load of another byte as a `bool` is undefined.
TEST(Scalars, BooleansAreZeroOrOne) {
  ElementType type{ElementKind::Bool, 1, 1};
  std::mt19937_64 random(1);
  auto areBooleans = [](const std::vector<uint8_t> &bytes) {
    return llvm::all_of(bytes, [](uint8_t byte) { return byte <= 1; }) &&
           llvm::is_contained(bytes, 0) && llvm::is_contained(bytes, 1);
  };
  std::vector<uint8_t> bytes(1000);
  fillRandom(type, random, bytes.data(), bytes.size());
  EXPECT_TRUE(areBooleans(bytes));
  fillExtreme(type, /*sumsMayOverflow=*/true, random, bytes.data(),
              bytes.size());
  EXPECT_TRUE(areBooleans(bytes));
  fillSubscripts(type, random, /*end=*/1000, /*isRising=*/false, bytes.data(),
                 bytes.size());
  EXPECT_TRUE(areBooleans(bytes));
  EXPECT_EQ(npyType(type), "b1");
  EXPECT_TRUE(canHold("b1", type));
  EXPECT_TRUE(canHold("i1", type));
  EXPECT_EQ(printScalar(type, &bytes[0]), bytes[0] ? "1" : "0");
}

// Sixteen thousand products of two halves stay finite where sums may not
// overflow.
TEST(Scalars, SumsOverflowWhereTheyMay) {
  ElementType type{ElementKind::Float, 2, 1};
  auto hasLarge = [&](bool sumsMayOverflow) {
    std::mt19937_64 random(1);
    std::vector<uint8_t> bytes(2000);
    fillExtreme(type, sumsMayOverflow, random, bytes.data(), bytes.size());
    for (size_t at = 0; at < bytes.size(); at += type.bytes)
      if (double number = std::abs(loadScalar(type, &bytes[at]));
          std::isfinite(number) && number > 2)
        return true;
    return false;
  };
  EXPECT_TRUE(hasLarge(/*sumsMayOverflow=*/true));
  EXPECT_FALSE(hasLarge(/*sumsMayOverflow=*/false));
}

} // namespace
