//===- LaunchRulesTest.cpp - when a tuned kernel is launched --------------===//

#include "runtime/LaunchRules.h"

#include <gtest/gtest.h>

#include <limits>

using namespace gpuopt;

namespace {

using Step = IntegerExpression::Step;

IntegerExpression constant(int64_t value) {
  return {{{Step::Constant, value}}};
}
IntegerExpression symbol(unsigned number) { return {{{Step::Symbol, number}}}; }
IntegerExpression combine(IntegerExpression left, Step step,
                          IntegerExpression right) {
  left.terms.insert(left.terms.end(), right.terms.begin(), right.terms.end());
  left.terms.push_back({step, 0});
  return left;
}

/// `k(float *a, float *b, int n)`: blocks of 64 threads for 256 work items,
/// of which n have work; a and b must not overlap, a must be aligned.
LaunchRules rowKernel() {
  LaunchRules rules;
  rules.symbol = "k";
  rules.fallback = "k__original";
  for (const char *name : {"a", "b"}) {
    ParameterRule array;
    array.name = name;
    array.bytes = 8;
    array.isPointer = array.isCompared = array.mustBeDistinct = true;
    array.extents = {symbol(2)};
    array.elementBytes = 4;
    rules.parameters.push_back(array);
  }
  rules.parameters[0].alignment = 16;
  ParameterRule size;
  size.name = "n";
  size.bytes = 4;
  size.bits = 32;
  rules.parameters.push_back(size);
  rules.geometry.emplace();
  rules.geometry->block = {64, 1, 1};
  rules.geometry->itemsPerThread = {4, 1, 1};
  rules.geometry->itemsPerBlock = {256, 1, 1};
  rules.geometry->extents[0] = {symbol(2)};
  return rules;
}

LaunchDecision decide(const LaunchRules &rules, int64_t n, uint64_t a = 0x1000,
                      uint64_t b = 0x9000,
                      LaunchConfig original = {{10, 1, 1}, {100, 1, 1}, 0}) {
  return decideLaunch(rules, {std::nullopt, std::nullopt, n},
                      {a, b, std::nullopt}, original);
}

TEST(IntegerExpression, DividesAsMathematiciansDo) {
  auto value = [](int64_t left, Step step, int64_t right) {
    return combine(constant(left), step, constant(right)).evaluate({});
  };
  EXPECT_EQ(value(-7, Step::FloorDivide, 2), -4);
  EXPECT_EQ(value(-7, Step::CeilDivide, 2), -3);
  EXPECT_EQ(value(-7, Step::Modulo, 4), 1);
}

TEST(IntegerExpression, KnowsNothingThatIsNotSo) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  auto value = [](int64_t left, Step step, int64_t right) {
    return combine(constant(left), step, constant(right)).evaluate({});
  };
  EXPECT_FALSE(value(most, Step::Add, 1));
  EXPECT_FALSE(value(most, Step::Multiply, 2));
  EXPECT_FALSE(value(1, Step::FloorDivide, 0));
  EXPECT_FALSE(value(1, Step::Modulo, -3));
  EXPECT_FALSE(symbol(1).evaluate({5}));
  EXPECT_FALSE(symbol(0).evaluate({std::nullopt}));
  // Operators without operands, and operands without operators.
  EXPECT_FALSE((IntegerExpression{{{Step::Add, 0}}}.evaluate({})));
  EXPECT_FALSE(
      (IntegerExpression{{{Step::Constant, 1}, {Step::Constant, 2}}}.evaluate(
          {})));
  EXPECT_FALSE(IntegerExpression().evaluate({}));
}

TEST(LaunchRules, CoverWhatGuardsStop) {
  // 1000 work items: four blocks of 256 are more, which n stops.
  LaunchDecision decision = decide(rowKernel(), 999);
  ASSERT_TRUE(decision.tuned) << decision.reason;
  EXPECT_EQ(decision.tuned->grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(decision.tuned->block, (Dim3{64, 1, 1}));
  // There is work for more than were launched.
  decision = decide(rowKernel(), 1001);
  EXPECT_FALSE(decision.tuned);
  EXPECT_EQ(decision.reason, "1000 work items along x are no multiple of 256, "
                             "and fewer than the kernel has work for");
}

TEST(LaunchRules, LeaveOutBlocksBehindTheGuards) {
  EXPECT_EQ(decide(rowKernel(), 256).tuned->grid, (Dim3{1, 1, 1}));
  EXPECT_EQ(decide(rowKernel(), 257).tuned->grid, (Dim3{2, 1, 1}));
  // The number of blocks is what the kernel computes with.
  LaunchRules rules = rowKernel();
  rules.geometry->readsGrid = true;
  EXPECT_EQ(decide(rules, 256).tuned->grid, (Dim3{4, 1, 1}));
}

TEST(LaunchRules, LeaveAnEmptyLaunchAsItIs) {
  for (int64_t n : {0, -7}) {
    LaunchDecision decision = decide(rowKernel(), n);
    EXPECT_FALSE(decision.tuned);
    EXPECT_TRUE(decision.hasNothingToDo);
    EXPECT_EQ(decision.reason, "no work item has anything to do");
  }
  EXPECT_FALSE(decide(rowKernel(), 1001).hasNothingToDo);
}

TEST(LaunchRules, ComparePlaces) {
  // 999 elements of 4 bytes from 0x1000 on end before 0x1f9c.
  EXPECT_TRUE(decide(rowKernel(), 999, 0x1000, 0x1f9c).tuned);
  EXPECT_EQ(decide(rowKernel(), 999, 0x1000, 0x1f98).reason,
            "'a' overlaps with 'b'");
  EXPECT_EQ(decide(rowKernel(), 999, 0x1f90, 0x1000).reason,
            "'a' overlaps with 'b'");
  EXPECT_EQ(decide(rowKernel(), 999, 0x1004).reason,
            "'a' does not begin at a multiple of 16 bytes");
}

TEST(LaunchRules, AskForConditionsOfTheLaunch) {
  LaunchRules rules = rowKernel();
  // Behind three parameters: the grid in x, y, z, then the block.
  IntegerExpression blocks = combine(
      constant(5), Step::Add, combine(constant(-1), Step::Multiply, symbol(3)));
  rules.conditions.push_back({blocks, false, "grid.x <= 5"});
  EXPECT_EQ(decide(rules, 999).reason, "it is for launches with grid.x <= 5");
  EXPECT_TRUE(
      decide(rules, 999, 0x1000, 0x9000, {{5, 1, 1}, {200, 1, 1}, 0}).tuned);
}

TEST(LaunchRules, OfSizesTakeEitherSpelling) {
  LaunchRules rules = rowKernel();
  rules.parameters[2].requiredValue = 4294967295;
  rules.geometry.reset();
  EXPECT_TRUE(decide(rules, -1).tuned);
  EXPECT_EQ(decide(rules, 1).reason, "it is for other sizes");
}

TEST(LaunchRules, TravelAsJSON) {
  LaunchRules rules = rowKernel();
  rules.parameters[2].requiredValue = 999;
  rules.conditions.push_back({symbol(2), true, "n == 0"});
  rules.geometry->guards[1].push_back({symbol(2), {2}});
  rules.geometry->originalBlock[1] = 8;
  rules.geometry->readsGrid = true;
  rules.workgroupBytes = 4096;
  rules.mostThreads = 256;
  rules.workItems = {combine(symbol(2), Step::CeilDivide, constant(4)),
                     constant(1), constant(1)};
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(rules);
  auto read = llvm::json::parse<LaunchRules>(text);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  std::string again;
  llvm::raw_string_ostream(again) << toJSON(*read);
  EXPECT_EQ(text, again);
  EXPECT_NE(text.find(R"(["s2",4,"ceildiv"])"), std::string::npos) << text;
}

TEST(LaunchRules, ThatAreDamagedAreErrors) {
  for (const char *text :
       {"{}", R"({"symbol": "k"})", R"({"symbol": 1, "fallback": "k"})",
        R"({"symbol": "k", "fallback": "k", "parameters": [],
            "conditions": [{"expression": ["s0", "%"], "equality": false,
                            "text": ""}],
            "geometry": null, "work_items": null})",
        R"({"symbol": "k", "fallback": "k", "parameters": [],
            "conditions": [], "geometry": null, "work_items": [[1], [1]]})"}) {
    auto read = llvm::json::parse<LaunchRules>(text);
    EXPECT_FALSE(bool(read)) << text;
    llvm::consumeError(read.takeError());
  }
}

} // namespace
