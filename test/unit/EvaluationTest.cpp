//===- EvaluationTest.cpp - values of what an access depends on -----------===//

#include "test/unit/AccessBuilder.h"

#include "passes/Analysis/Evaluation.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

class EvaluationTest : public ::testing::Test, protected AccessBuilder {
protected:
  const BlockShape row = {32, 1, 1};
};

TEST_F(EvaluationTest, LeavesForeignVariablesAlone) {
  // A division by zero in the address of another access.
  Polynomial other =
      table.addDerived(Variable::Operator::FloorDiv, tx, Polynomial(w));
  AccessFunction access = at(idx + n);
  Evaluation evaluation(table, row, {{"n", 7}, {"w", 0}},
                        polynomialsOf(access));
  evaluation.setBlockId(0, 2);
  evaluation.setThread(3);
  evaluation.update();
  EXPECT_EQ(evaluation.evaluate(access.address), 4 * (2 * 32 + 3 + 7));
  EXPECT_FALSE(evaluation.evaluate(other));
  EXPECT_FALSE(evaluation.evaluate(w));
  EXPECT_EQ(evaluation.evaluate(tx), 3);
}

TEST_F(EvaluationTest, HoldsGuardsAndWhatDefinesThem) {
  Polynomial row8 =
      table.addDerived(Variable::Operator::FloorDiv, tx, Polynomial(8));
  AccessFunction access = at(idx);
  access.guards.push_back({{{row8 - n, Comparison::Relation::Less}}});
  Evaluation evaluation(table, row, {{"n", 2}}, polynomialsOf(access));
  evaluation.setThread(15);
  evaluation.update();
  EXPECT_TRUE(evaluation.isActive(access.guards));
  evaluation.setThread(16);
  evaluation.update();
  EXPECT_FALSE(evaluation.isActive(access.guards));
}

TEST_F(EvaluationTest, TripCountsNeedBounds) {
  // for (j = i; j < n * k; j += 2) inside of i, which ends at w.
  unsigned inner = table.addLoop("j", {i}, {n * k}, Polynomial(2));
  AccessFunction access = at(var(inner));
  SizeMap sizes = {{"n", 5}, {"k", 4}, {"w", 9}};
  std::vector<Polynomial> used = polynomialsOf(access);
  EXPECT_FALSE(Evaluation(table, row, sizes, used).tripCount(inner));
  addBounds(used, inner, table);
  Evaluation evaluation(table, row, sizes, used);
  EXPECT_EQ(evaluation.tripCount(inner), 10);
  evaluation.setIteration(iNumber, 5);
  evaluation.update();
  EXPECT_EQ(evaluation.tripCount(inner), 8);
  // The end of the loop around it is still foreign.
  EXPECT_FALSE(evaluation.tripCount(iNumber));
}

TEST_F(EvaluationTest, RestrictedKeepsLess) {
  AccessFunction access = at(idx * w + n);
  Evaluation evaluation(table, row, {{"n", 7}, {"w", 3}},
                        polynomialsOf(access));
  EXPECT_EQ(evaluation.evaluate(w), 3);
  evaluation.restrictTo(n);
  EXPECT_EQ(evaluation.evaluate(n), 7);
  EXPECT_FALSE(evaluation.evaluate(w));
}

} // namespace
