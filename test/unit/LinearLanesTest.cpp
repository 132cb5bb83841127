//===- LinearLanesTest.cpp - closed forms against evaluation --------------===//

#include "test/unit/AccessBuilder.h"

#include "passes/Analysis/LinearLanes.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

using Visited = std::vector<std::pair<int64_t, int64_t>>;

class LinearLanesTest : public ::testing::Test, protected AccessBuilder {
protected:
  std::optional<LinearLanes> create(const AccessFunction &access,
                                    llvm::ArrayRef<LaneDigit> digits) {
    Evaluation evaluation(table, square, {}, polynomialsOf(access));
    return LinearLanes::create(digits,
                               evaluation.fold(FlatPolynomial(access.address)),
                               evaluation.fold(FlatGuards(access.guards)));
  }
  std::optional<LinearLanes> create(const AccessFunction &access) {
    return create(access, digitsOf(square));
  }

  /// The same with what is derived from the lanes.
  std::optional<LinearLanes> createDerived(const AccessFunction &access) {
    Evaluation evaluation(table, square, {}, polynomialsOf(access));
    evaluation.foldUniform();
    return LinearLanes::create(
        digitsOf(square), evaluation.fold(FlatPolynomial(access.address)),
        evaluation.fold(FlatGuards(access.guards)), &evaluation);
  }

  /// Lanes and addresses by the closed form.
  static Visited visited(const LinearLanes &lanes, int64_t begin, int64_t end) {
    Visited found;
    lanes.visit(begin, end, [&](int64_t number, int64_t address) {
      found.push_back({number, address});
      return true;
    });
    return found;
  }

  /// The same with each thread evaluated for itself.
  Visited evaluated(const AccessFunction &access) {
    Evaluation evaluation(table, square, {}, polynomialsOf(access));
    Visited found;
    for (int64_t thread = 0; thread < 256; ++thread) {
      evaluation.setThread(thread);
      evaluation.update();
      if (evaluation.isActive(access.guards))
        found.push_back({thread, *evaluation.evaluate(access.address)});
    }
    return found;
  }

  const BlockShape square = {16, 16, 1};
};

TEST_F(LinearLanesTest, AgreesWithEvaluation) {
  using Relation = Comparison::Relation;
  AccessFunction access = at(idy * w + 3 * idx - 7 + i);
  EXPECT_EQ(visited(*create(access), 0, 256), evaluated(access));
  // Columns 0 to 9 of rows that are not the third, not both of two others.
  access.guards.push_back({{{tx - 10, Relation::Less}}});
  access.guards.push_back({{{ty - 3, Relation::NotEqual}}});
  access.guards.push_back(
      {{{tx - 4, Relation::LessEqual}, {2 * ty - tx, Relation::Equal}}, true});
  Visited lanes = evaluated(access);
  EXPECT_EQ(visited(*create(access), 0, 256), lanes);
  EXPECT_LT(lanes.size(), 150u);
  // A part of a condition that is not known holds, and so may its negation.
  access.guards.back().complete = false;
  EXPECT_EQ(visited(*create(access), 0, 256), evaluated(access));
}

TEST_F(LinearLanesTest, VisitsAPart) {
  Visited expected;
  for (int64_t thread = 30; thread < 34; ++thread)
    expected.push_back({thread, thread * 4});
  std::optional<LinearLanes> lanes = create(at(16 * ty + tx));
  EXPECT_EQ(visited(*lanes, 30, 34), expected);
  int64_t seen = 0;
  lanes->visit(0, 256, [&](int64_t, int64_t) { return ++seen < 3; });
  EXPECT_EQ(seen, 3);
}

TEST_F(LinearLanesTest, VisitsIterations) {
  // Iterations of a collective loop over 3 rows of 4, from column 8 on in steps
  // of 2.
  unsigned row = table.addLoop("r", {Polynomial(0)}, {Polynomial(3)});
  unsigned column =
      table.addLoop("c", {Polynomial(8)}, {Polynomial(16)}, Polynomial(2));
  AccessFunction access = at(var(row) * 100 + var(column), 1);
  Evaluation evaluation(table, square, {}, access.address, {row, column});
  evaluation.foldUniform();
  EXPECT_EQ(evaluation.progressionOf(column),
            (std::pair<int64_t, int64_t>(8, 2)));
  auto lanes = LinearLanes::create(
      {{column, 4, 8, 2}, {row, 3, 0, 1}},
      evaluation.fold(FlatPolynomial(access.address)), FlatGuards::none());
  EXPECT_EQ(visited(*lanes, 3, 6), (Visited{{3, 14}, {4, 108}, {5, 110}}));
}

TEST_F(LinearLanesTest, DerivesWhatIsTheSameForAllLanes) {
  using Operator = Variable::Operator;
  struct Case {
    Operator op;
    Polynomial left, right;
  };
  // All of 16 x 16 threads.
  Case linear[] = {
      {Operator::FloorDiv, 2 * ty + tx + 3, Polynomial(64)},
      {Operator::FloorDiv, tx - 16, Polynomial(16)},
      {Operator::TruncDiv, 50 * ty + 3 * tx, Polynomial(50)},
      {Operator::Wrap, tx - 3, Polynomial(0)},
      {Operator::Wrap, 3 * tx - ty + 15, Polynomial(1)},
      {Operator::Min, tx + ty, Polynomial(30)},
      {Operator::Min, tx + 15, tx - ty},
      {Operator::Max, -tx, Polynomial(-15)},
      {Operator::Max, -tx, Polynomial(0)},
      {Operator::And, tx + 16, Polynomial(31)},
  };
  for (const Case &each : linear) {
    AccessFunction access =
        at(ty + 3 * table.addDerived(each.op, each.left, each.right));
    std::optional<LinearLanes> lanes = createDerived(access);
    ASSERT_TRUE(lanes) << table.toString(access.address);
    EXPECT_EQ(visited(*lanes, 0, 256), evaluated(access))
        << table.toString(access.address);
  }
  Case others[] = {
      {Operator::FloorDiv, tx, Polynomial(15)},
      {Operator::FloorDiv, 16 * tx, ty + 1},
      {Operator::TruncDiv, tx - 3, Polynomial(32)},
      {Operator::Wrap, tx - 3, Polynomial(1)},
      {Operator::Min, tx, Polynomial(14)},
      {Operator::Max, tx, ty},
      {Operator::And, tx + 17, Polynomial(31)},
      {Operator::And, tx, Polynomial(30)},
      {Operator::Or, tx, Polynomial(16)},
      {Operator::Xor, tx, Polynomial(16)},
  };
  for (const Case &each : others)
    EXPECT_FALSE(
        createDerived(at(table.addDerived(each.op, each.left, each.right))))
        << table.toString(each.left);
}

TEST_F(LinearLanesTest, KnowsWhatHoldsForAllLanesAndForNone) {
  using Relation = Comparison::Relation;
  auto lanesUnder = [&](const Comparison &comparison, bool negated) {
    AccessFunction access = at(tx);
    access.guards = {{{comparison}, negated}};
    Visited lanes = visited(*create(access), 0, 256);
    EXPECT_EQ(lanes, evaluated(access));
    return lanes.size();
  };
  EXPECT_EQ(lanesUnder({tx - 16, Relation::Less}, false), 256u);
  EXPECT_EQ(lanesUnder({tx - 15, Relation::Less}, false), 240u);
  EXPECT_EQ(lanesUnder({tx - 15, Relation::LessEqual}, true), 0u);
  EXPECT_EQ(lanesUnder({1 - ty, Relation::LessEqual}, true), 16u);
  EXPECT_EQ(lanesUnder({tx + ty, Relation::Less}, false), 0u);
  EXPECT_EQ(lanesUnder({tx + ty, Relation::Less}, true), 256u);
  EXPECT_EQ(lanesUnder({tx + 1, Relation::Equal}, false), 0u);
  EXPECT_EQ(lanesUnder({tx - 16, Relation::NotEqual}, false), 256u);
  EXPECT_EQ(lanesUnder({tx - 15, Relation::NotEqual}, false), 240u);
  EXPECT_EQ(lanesUnder({tx - ty, Relation::Equal}, false), 16u);
}

TEST_F(LinearLanesTest, LeavesWhatIsNotLinear) {
  Polynomial half =
      table.addDerived(Variable::Operator::FloorDiv, tx, Polynomial(2));
  EXPECT_FALSE(create(at(half)));
  EXPECT_FALSE(create(at(tx * ty)));
  AccessFunction access = at(tx);
  access.guards.push_back({{{half - 3, Comparison::Relation::Less}}});
  EXPECT_FALSE(create(access));
  // Fifteen times 2^60 leaves 64 bits.
  EXPECT_FALSE(create(at(tx * (int64_t(1) << 60), 1)));
}

} // namespace
