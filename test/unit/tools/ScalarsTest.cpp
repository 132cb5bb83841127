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
  fillExtreme(type, random, bytes.data(), bytes.size());
  EXPECT_TRUE(areBooleans(bytes));
  fillSubscripts(type, random, /*end=*/1000, /*isRising=*/false, bytes.data(),
                 bytes.size());
  EXPECT_TRUE(areBooleans(bytes));
  EXPECT_EQ(npyType(type), "b1");
  EXPECT_TRUE(canHold("b1", type));
  EXPECT_TRUE(canHold("i1", type));
  EXPECT_EQ(printScalar(type, &bytes[0]), bytes[0] ? "1" : "0");
}

} // namespace
