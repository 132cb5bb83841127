//===- ExtentTextTest.cpp - extents as C expressions ----------------------===//

#include "conversion/EmitSource/ExtentText.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

namespace {

/// An int n, an unsigned m and an unsigned char k.
class ExtentText : public ::testing::Test {
protected:
  std::string text(AffineExpr extent, ExtentStyle style = {},
                   ArrayRef<AffineExpr> positive = {}) {
    const ArgumentText arguments[] = {
        {"n", 32, false}, {"m", 32, true}, {"k", 8, true}};
    return printExtent(
        extent,
        [&](unsigned symbol, std::optional<int64_t> modulus) {
          return arguments[symbol].read(modulus);
        },
        positive, style);
  }

  MLIRContext context;
  AffineExpr n = getAffineSymbolExpr(0, &context);
  AffineExpr m = getAffineSymbolExpr(1, &context) % (int64_t(1) << 32);
  AffineExpr k = getAffineSymbolExpr(2, &context) % 256;
};

TEST_F(ExtentText, SumsAndProducts) {
  EXPECT_EQ(text(n - 1), "n - 1");
  EXPECT_EQ(text(n * n + n * 3, {.isWide = true}),
            "(long long)n * n + (long long)n * 3");
  EXPECT_EQ(text(n + 1, {.isFactor = true}), "(n + 1)");
  EXPECT_EQ(text((n + 1) * n), "(n + 1) * n");
}

TEST_F(ExtentText, TypesThatNothingWrapsIn) {
  EXPECT_EQ(text(n * n * n, {.isWide = true}), "(__int128)n * n * n");
  EXPECT_EQ(text(m * m, {.isWide = true}), "(__int128)m * m");
  EXPECT_EQ(text(n.floorDiv(8) * n, {.isWide = true}),
            "((long long)n >> 3) * n");
  EXPECT_EQ(text(n * n * n * n * n, {.isWide = true}),
            "(double)n * n * n * n * n");
  // Numbers of `double` are not shifted.
  EXPECT_EQ(text((n * n * n * n * n).floorDiv(8), {.isWide = true}),
            "0x7fffffffffffffff");
}

TEST_F(ExtentText, ParametersAsTheyAreRead) {
  EXPECT_EQ(text(m + k), "m + k");
  EXPECT_EQ(text(getAffineSymbolExpr(2, &context)), "(signed char)k");
}

// C rounds toward zero.
TEST_F(ExtentText, QuotientsRoundDown) {
  EXPECT_EQ(text(n.floorDiv(4)), "(n >> 2)");
  EXPECT_EQ(text((n + 1).floorDiv(4) + n), "((n + 1) >> 2) + n");
  EXPECT_EQ(text(n.ceilDiv(4)), "((n + 3) >> 2)");
  EXPECT_EQ(text(n.floorDiv(3)), "(n - (n < 0 ? 2 : 0)) / 3");
  EXPECT_EQ(text(m.floorDiv(3)), "m / 3");
  EXPECT_EQ(text(m.floorDiv(4)), "m / 4");
  EXPECT_EQ(text(n.floorDiv(3), {}, {n}), "n / 3");
  EXPECT_EQ(text(n.floorDiv(3), {.isExact = false}), "n / 3");
}

TEST_F(ExtentText, RemaindersAreNotNegative) {
  EXPECT_EQ(text(n % 8), "(n & 7)");
  EXPECT_EQ(text(n % 10), "(n % 10 + 10) % 10");
  EXPECT_EQ(text(m % 10), "m % 10");
}

// What the source rounds toward zero, see `computedOverArguments`.
TEST_F(ExtentText, QuotientsTowardZero) {
  AffineExpr sum = n + 1;
  int64_t large = int64_t(1) << 61;
  EXPECT_EQ(text((sum - sum.floorDiv(large) * 2).floorDiv(3)), "(n + 1) / 3");
  // Of another number the sign is taken.
  EXPECT_NE(text((sum - n.floorDiv(large) * 2).floorDiv(3)), "(n + 1) / 3");
}

TEST_F(ExtentText, QuotientsInProducts) {
  EXPECT_EQ(text(n * m.floorDiv(4)), "n * (m / 4)");
  EXPECT_EQ(text(m.floorDiv(4) * n), "m / 4 * n");
  EXPECT_EQ(text(-m.floorDiv(4) + 20), "-(m / 4) + 20");
}

// No launch is as large.
TEST_F(ExtentText, NoForm) {
  EXPECT_EQ(text(n.floorDiv(n)), "0x7fffffffffffffff");
}

} // namespace
