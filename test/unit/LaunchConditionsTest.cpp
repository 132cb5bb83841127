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
  std::string text(llvm::StringRef constraint, unsigned bits) {
    return toString(parse(constraint), 0,
                    [&](unsigned symbol, bool isUnsigned) -> SymbolText {
                      return {(isUnsigned ? "(unsigned)" : "") +
                                  std::string(symbol ? "k" : "n"),
                              bits};
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

TEST_F(LaunchConditions, Text) {
  EXPECT_EQ(text("s0 - 1 >= 0", 31), "n >= 1");
  EXPECT_EQ(text("7 - s0 >= 0", 31), "n <= 7");
  EXPECT_EQ(text("s0 - s1 + 3 >= 0", 31), "(long long)k <= (long long)n + 3");
  EXPECT_EQ(text("-(s0 * s1) + 100 >= 0", 31), "(long long)n * k <= 100");
  // What 64 bits do not hold is computed in double, where 100 is exact.
  EXPECT_EQ(text("-(s0 * s1) + 100 >= 0", 32), "(__int128)n * k <= 100");
  EXPECT_EQ(text("s0 mod 4294967296 - 1 >= 0", 32), "(unsigned)n >= 1");
}

} // namespace
