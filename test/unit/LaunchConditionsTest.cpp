//===- LaunchConditionsTest.cpp - what a launch has to fulfil -------------===//

#include "dialects/GPUOpt/LaunchConditions.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace gpuopt;

namespace {

class LaunchConditions : public ::testing::Test {
protected:
  IntegerSet parse(llvm::StringRef constraints) {
    return parseIntegerSet(("()[s0, s1] : (" + constraints + ")").str(),
                           &context);
  }
  std::string text(llvm::StringRef constraint, unsigned bits,
                   bool isUnsigned = false) {
    return toString(
        parse(constraint), 0,
        [&](unsigned symbol, std::optional<int64_t> modulus) {
          return ArgumentText{symbol ? "k" : "n", bits, isUnsigned}.read(
              modulus);
        });
  }

  MLIRContext context;
};

TEST_F(LaunchConditions, AllMustHold) {
  IntegerSet set = parse("s0 - 1 >= 0, 100 - s0 * s1 >= 0");
  EXPECT_TRUE(isFulfilled(set, {10, 10}));
  EXPECT_FALSE(isFulfilled(set, {10, 11}));
  EXPECT_FALSE(isFulfilled(set, {0, 11}));
}

TEST_F(LaunchConditions, UnknownIsNotFulfilled) {
  IntegerSet set = parse("s0 - 1 >= 0, s1 >= 0");
  EXPECT_FALSE(isFulfilled(set, {10, std::nullopt}));
  EXPECT_EQ(isFulfilled(set, 0, {10, std::nullopt}), true);
  EXPECT_EQ(isFulfilled(set, 1, {10, std::nullopt}), std::nullopt);
}

TEST_F(LaunchConditions, NothingWraps) {
  // 2^32 * 2^32 is 0 in 64 bits.
  int64_t large = int64_t(1) << 32;
  EXPECT_FALSE(isFulfilled(parse("100 - s0 * s1 >= 0"), {large, large}));
  EXPECT_FALSE(isFulfilled(parse("s0 + s1 >= 0"),
                           {std::numeric_limits<int64_t>::max(), 1}));
}

TEST_F(LaunchConditions, UnsignedReading) {
  IntegerSet set = parse("s0 mod 4294967296 - 1 >= 0");
  EXPECT_TRUE(isFulfilled(set, {-1, 0}));
  EXPECT_FALSE(isFulfilled(set, {0, 0}));
}

TEST_F(LaunchConditions, SymbolsAreSigned) {
  EXPECT_EQ(symbolValue(200, 8), -56);
  EXPECT_EQ(symbolValue(-56, 8), -56);
  EXPECT_EQ(symbolValue(200, 64), 200);
}

TEST_F(LaunchConditions, EvaluatesExactly) {
  AffineExpr n = getAffineSymbolExpr(0, &context);
  EXPECT_EQ(evaluate(n.ceilDiv(4), {-7}), -1);
  EXPECT_EQ(evaluate(n.floorDiv(4), {-7}), -2);
  EXPECT_EQ(evaluate(n * n, {int64_t(1) << 32}), std::nullopt);
  EXPECT_EQ(evaluate(n, {std::nullopt}), std::nullopt);
}

TEST_F(LaunchConditions, Text) {
  EXPECT_EQ(text("s0 - 1 >= 0", 32), "n >= 1");
  EXPECT_EQ(text("7 - s0 >= 0", 32), "n <= 7");
  EXPECT_EQ(text("s0 - s1 + 3 >= 0", 32), "(long long)k <= (long long)n + 3");
  EXPECT_EQ(text("-(s0 * s1) + 100 >= 0", 32), "(long long)n * k <= 100");
  // What 64 bits do not hold is computed in 128.
  EXPECT_EQ(text("-(s0 * s1) + 100 >= 0", 64), "(__int128)n * k <= 100");
}

TEST_F(LaunchConditions, TextOfQuotients) {
  EXPECT_EQ(text("s0 floordiv 16 - 1 >= 0", 32), "(n >> 4) >= 1");
  EXPECT_EQ(text("(s0 floordiv 16) * s1 - 1 >= 0", 32),
            "(long long)(n >> 4) * k >= 1");
  // Rounded down, also below zero.
  EXPECT_EQ(text("s0 floordiv 10 - 1 >= 0", 32),
            "(((long long)n - ((long long)n < 0 ? 9 : 0)) / 10) >= 1");
  EXPECT_EQ(text("s0 floordiv 16 - 1 >= 0", 64), "0");
  EXPECT_EQ(text("s0 floordiv s1 - 1 >= 0", 32), "0");
}

TEST_F(LaunchConditions, TextOfDeclaredSigns) {
  EXPECT_EQ(text("s0 mod 4294967296 - 1 >= 0", 32), "(unsigned)n >= 1");
  EXPECT_EQ(text("s0 mod 4294967296 - 1 >= 0", 32, true), "n >= 1");
  EXPECT_EQ(text("s0 - 1 >= 0", 32, true), "(int)n >= 1");
  EXPECT_EQ(text("s0 mod 256 - 1 >= 0", 8), "(unsigned char)n >= 1");
  EXPECT_EQ(text("s0 - 1 >= 0", 8, true), "(signed char)n >= 1");
  // Of a `bool`.
  EXPECT_EQ(text("s0 mod 2 - 1 >= 0", 1), "n >= 1");
  EXPECT_EQ(text("s0 + 1 >= 0", 1), "-n >= -1");
  // Another remainder has no text: no launch fulfils the condition.
  EXPECT_EQ(text("s0 mod 4 - 1 >= 0", 32), "0");
}

} // namespace
