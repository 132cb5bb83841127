//===- EntailmentTest.cpp - inequalities that follow from others ----------===//

#include "passes/Analysis/Entailment.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

enum Variables : unsigned { Idx, J, W, K, H };

Polynomial var(unsigned variable) { return Polynomial::variable(variable); }

/// Ids and loops start at 0, parameters are 32-bit numbers.
Interval rangeOf(const Monomial &monomial) {
  if (monomial.size() != 1)
    return {};
  return monomial.front() <= J ? Interval{0, (int64_t(1) << 31) - 1}
                               : Interval::ofSigned(32);
}

TEST(Entailment, GuardAndLoop) {
  Polynomial guard = var(W) - 1 - var(Idx), loop = var(K) - 1 - var(J);
  Polynomial goal = var(W) + var(K) - 2 - var(Idx) - var(J);
  EXPECT_TRUE(provesNonNegative({guard, loop}, goal, rangeOf));
  EXPECT_FALSE(provesNonNegative({guard, loop}, goal - 1, rangeOf));
  EXPECT_FALSE(provesNonNegative({guard}, goal, rangeOf));
}

TEST(Entailment, Ranges) {
  EXPECT_TRUE(provesNonNegative({}, var(Idx), rangeOf));
  EXPECT_FALSE(provesNonNegative({}, var(Idx) - 1, rangeOf));
  EXPECT_TRUE(provesNonNegative({var(W) - 1 - var(Idx)}, var(W) - 1, rangeOf));
}

TEST(Entailment, ProductsAreOpaque) {
  EXPECT_FALSE(provesNonNegative({}, var(W) * var(W), rangeOf));
  Polynomial fact = var(H) * var(W) - var(Idx);
  EXPECT_TRUE(provesNonNegative({fact}, fact + 1, rangeOf));
}

// q = w floordiv 4 and w >= 4*j give 4*q >= 4*j, not only 4*q >= 4*j - 3.
TEST(Entailment, IntegersAreRounded) {
  Polynomial q = var(H), rest = var(W) - Polynomial(4) * q;
  std::vector<Polynomial> facts = {rest, Polynomial(3) - rest,
                                   var(W) - Polynomial(4) * var(J)};
  Polynomial goal = Polynomial(4) * q - Polynomial(4) * var(J);
  EXPECT_TRUE(provesNonNegative(facts, goal, rangeOf));
  EXPECT_FALSE(provesNonNegative(facts, goal - 1, rangeOf));
}

TEST(Entailment, ContradictionProvesAll) {
  EXPECT_TRUE(provesNonNegative({Polynomial(-1)}, var(W), rangeOf));
}

// Facts are found to matter by way of others, in whatever order they come.
TEST(Entailment, FactsBehindFacts) {
  std::vector<Polynomial> facts = {
      var(H) - 1 - var(W), var(K) - var(H), // Say nothing of `idx` by itself.
      var(W) - 1 - var(Idx)};
  EXPECT_TRUE(provesNonNegative(facts, var(K) - 2 - var(Idx), rangeOf));
  EXPECT_FALSE(provesNonNegative(facts, var(K) - 3 - var(Idx), rangeOf));
  facts.erase(facts.begin());
  EXPECT_FALSE(provesNonNegative(facts, var(K) - 2 - var(Idx), rangeOf));
}

TEST(Interval, Saturates) {
  Interval ids{0, (int64_t(1) << 31) - 1};
  EXPECT_TRUE((ids * ids).isFinite());
  EXPECT_FALSE((ids * ids * ids).isFinite());
  EXPECT_EQ((ids * ids * ids).low, 0);
  EXPECT_EQ((Interval{-3, 2} * Interval{-5, 7}), (Interval{-21, 15}));
  EXPECT_EQ((Interval{} + Interval{1, 1}), Interval{});
}

} // namespace
