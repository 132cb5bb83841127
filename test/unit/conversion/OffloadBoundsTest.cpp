//===- OffloadBoundsTest.cpp - polynomials, and their ends in loops -------===//

#include "conversion/Offload/Bounds.h"

#include <gtest/gtest.h>

using namespace gpuopt::offload;

namespace {
/// Loops over symbols, as a walk through a section leaves them.
class OffloadBounds : public testing::Test {
protected:
  Polynomial size(const char *name) {
    return Polynomial::ofSymbol(
        effects.symbols.ofText(name, /*isLongLong=*/false));
  }
  /// The variable of a new loop inside the others.
  Polynomial loop(Polynomial least, Polynomial most) {
    LoopRange range;
    range.symbol = effects.symbols.add({});
    range.distance = most - least;
    range.least = std::move(least);
    range.most = std::move(most);
    loops.push_back(effects.loops.size());
    effects.loops.push_back(range);
    return Polynomial::ofSymbol(range.symbol);
  }
  std::optional<Range> rangeOf(const Polynomial &subscript, bool areReached) {
    return Bounds(effects, conditions).rangeOf(subscript, loops, areReached);
  }
  std::string textOf(const Polynomial &polynomial) {
    return effects.symbols.textOf(polynomial);
  }

  Effects effects;
  Conditions conditions;
  std::vector<size_t> loops;
};
} // namespace

TEST_F(OffloadBounds, TextHasNoOverflowOfNarrowTypes) {
  Polynomial n = size("n"), m = size("m");
  EXPECT_EQ(textOf(n), "n");
  EXPECT_EQ(textOf(n - 1), "(long long)n - 1");
  EXPECT_EQ(effects.symbols.sectionText(n - 1), "n - 1");
  EXPECT_EQ(textOf(n * m * 2 - m), "2LL * n * m - (long long)m");
  EXPECT_EQ(effects.symbols.longLongText(n), "(long long)n");
}

TEST_F(OffloadBounds, ArithmeticThatOverflowsIsInvalid) {
  Polynomial large(INT64_MAX);
  EXPECT_TRUE(large.isValid());
  EXPECT_FALSE((large + 1).isValid());
  EXPECT_FALSE((large * 2 - large).isValid());
}

TEST_F(OffloadBounds, RowsNeedThatTheLoopInsideHasIterations) {
  Polynomial n = size("n"), m = size("m");
  conditions.assume(n - 1);
  Polynomial i = loop(0, n - 1), j = loop(0, m - 1);
  std::optional<Range> range = rangeOf(i * m + j, /*areReached=*/true);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->least, Polynomial(0));
  EXPECT_EQ(range->most, n * m - 1);
  ASSERT_EQ(conditions.required().size(), 1u);
  EXPECT_EQ(conditions.required()[0], m - 1);
}

TEST_F(OffloadBounds, EndsOfTrianglesAreThoseOfIterations) {
  Polynomial n = size("n");
  conditions.assume(n - 1);
  Polynomial i = loop(0, n - 1), j = loop(i + 1, n - 1);
  std::optional<Range> range = rangeOf(j, /*areReached=*/true);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->least, Polynomial(1));
  EXPECT_EQ(range->most, n - 1);
  // The first row has an element behind its diagonal.
  ASSERT_EQ(conditions.required().size(), 1u);
  EXPECT_EQ(conditions.required()[0], n - 2);
}

TEST_F(OffloadBounds, SquaresOfVariablesHaveNoKnownEnds) {
  Polynomial i = loop(0, size("n") - 1);
  EXPECT_FALSE(rangeOf(i * i, /*areReached=*/false));
}

TEST_F(OffloadBounds, NothingIsRequiredInVain) {
  Polynomial n = size("n");
  EXPECT_TRUE(conditions.require(n - 1));
  EXPECT_TRUE(conditions.require(n - 3));
  EXPECT_TRUE(conditions.implies(n));
  EXPECT_FALSE(conditions.implies(n - 4));
  EXPECT_FALSE(conditions.require(-1));
  ASSERT_EQ(conditions.required().size(), 1u);
  EXPECT_EQ(conditions.required()[0], n - 3);
}

TEST_F(OffloadBounds, TilingTakesEachValueOnce) {
  Polynomial n = size("n"), m = size("m");
  Polynomial i = loop(0, n - 1), j = loop(0, m - 1);
  llvm::DenseSet<SymbolID> used;
  Tiling rows = tile(i * m + j + 5, effects.loops, used);
  EXPECT_EQ(rows.first, Polynomial(5));
  EXPECT_EQ(rows.count, n * m);
  // With a gap behind each row only a row is.
  used.clear();
  Tiling gaps = tile(i * (m + 1) + j, effects.loops, used);
  EXPECT_EQ(gaps.first, i * (m + 1));
  EXPECT_EQ(gaps.count, m);
}
