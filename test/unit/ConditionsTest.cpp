//===- ConditionsTest.cpp - what holds where an operation runs ------------===//

#include "passes/Analysis/Conditions.h"

#include "test/unit/ParsedKernel.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace gpuopt;

namespace {

/// What holds around the operation with the tag `here`.
Conjunction holdsAround(ParsedKernel &kernel) {
  Conjunction all;
  for (Condition condition : conditionsAround(kernel.find("here")))
    takeApart(condition, all);
  return all;
}

constexpr char threeNumbers[] =
    "(%a: memref<?xf32>, %x: i32, %y: i32, %n: i32)";

TEST(Conditions, BothOfAConjunction) {
  ParsedKernel kernel(threeNumbers, R"(
    %p = arith.cmpi slt, %x, %n {tag = "p"} : i32
    %q = arith.cmpi slt, %y, %n {tag = "q"} : i32
    %both = arith.andi %p, %q : i1
    scf.if %both {
      %v = arith.constant {tag = "here"} 1.0 : f32
    })");
  Conjunction all = holdsAround(kernel);
  ASSERT_EQ(all.conjuncts.size(), 2u);
  EXPECT_EQ(all.conjuncts[0].predicate, arith::CmpIPredicate::slt);
  EXPECT_EQ(all.conjuncts[0].comparison.value, kernel.value("p"));
  EXPECT_EQ(all.conjuncts[1].comparison.value, kernel.value("q"));
  EXPECT_TRUE(all.others.empty());
}

TEST(Conditions, OtherPartOfWhatAnEarlyReturnTook) {
  // Behind `if (x < n && y < n) return` where x < n: y is not below n.
  ParsedKernel kernel(threeNumbers, R"(
    %p = arith.cmpi slt, %x, %n {tag = "p"} : i32
    %q = arith.cmpi slt, %y, %n {tag = "q"} : i32
    %both = arith.andi %p, %q : i1
    %true = arith.constant true
    %rest = arith.xori %both, %true : i1
    %guard = arith.andi %rest, %p : i1
    scf.if %guard {
      %v = arith.constant {tag = "here"} 1.0 : f32
    })");
  Conjunction all = holdsAround(kernel);
  ASSERT_EQ(all.conjuncts.size(), 2u);
  EXPECT_EQ(all.conjuncts[0].comparison.value, kernel.value("p"));
  EXPECT_EQ(all.conjuncts[1].comparison.value, kernel.value("q"));
  EXPECT_TRUE(all.conjuncts[1].comparison.negated);
  EXPECT_TRUE(all.others.empty());
}

TEST(Conditions, NeitherOfADisjunction) {
  // In the `else` of `x >= n || y >= n` both are below n.
  ParsedKernel kernel(threeNumbers, R"(
    %p = arith.cmpi sge, %x, %n : i32
    %q = arith.cmpi sge, %y, %n : i32
    %either = arith.ori %p, %q : i1
    scf.if %either {
    } else {
      %v = arith.constant {tag = "here"} 1.0 : f32
    })");
  Conjunction all = holdsAround(kernel);
  ASSERT_EQ(all.conjuncts.size(), 2u);
  for (const Conjunct &one : all.conjuncts) {
    EXPECT_EQ(one.predicate, arith::CmpIPredicate::slt);
    EXPECT_TRUE(one.comparison.negated);
  }
}

TEST(Conditions, OneOfADisjunctionSaysNothing) {
  ParsedKernel kernel(threeNumbers, R"(
    %p = arith.cmpi sge, %x, %n : i32
    %q = arith.cmpi sge, %y, %n : i32
    %either = arith.ori %p, %q {tag = "either"} : i1
    scf.if %either {
      %v = arith.constant {tag = "here"} 1.0 : f32
    })");
  Conjunction all = holdsAround(kernel);
  EXPECT_TRUE(all.conjuncts.empty());
  ASSERT_EQ(all.others.size(), 1u);
  EXPECT_EQ(all.others[0].value, kernel.value("either"));
}

TEST(Conditions, OutermostFirst) {
  ParsedKernel kernel(threeNumbers, R"(
    %p = arith.cmpi slt, %x, %n {tag = "outer"} : i32
    %q = arith.cmpi slt, %y, %n {tag = "inner"} : i32
    scf.if %p {
      affine.for %i = 0 to 4 {
        scf.if %q {
          %v = arith.constant {tag = "here"} 1.0 : f32
        }
      }
    })");
  auto around = conditionsAround(kernel.find("here"));
  ASSERT_EQ(around.size(), 2u);
  EXPECT_EQ(around[0].value, kernel.value("outer"));
  EXPECT_EQ(around[1].value, kernel.value("inner"));
}

TEST(Conditions, ShortCircuitsAndNegations) {
  // x < n && !(y < n), as a source with short circuits has it.
  ParsedKernel kernel(threeNumbers, R"(
    %true = arith.constant true
    %false = arith.constant false
    %p = arith.cmpi slt, %x, %n : i32
    %q = arith.cmpi slt, %y, %n : i32
    %not = arith.xori %q, %true : i1
    %both = arith.select %p, %not, %false : i1
    scf.if %both {
      %v = arith.constant {tag = "here"} 1.0 : f32
    })");
  Conjunction all = holdsAround(kernel);
  ASSERT_EQ(all.conjuncts.size(), 2u);
  EXPECT_EQ(all.conjuncts[0].predicate, arith::CmpIPredicate::slt);
  EXPECT_EQ(all.conjuncts[1].predicate, arith::CmpIPredicate::sge);
}

TEST(Conditions, FloatingPointIsNoComparisonOfIntegers) {
  ParsedKernel kernel("(%x: f32, %y: f32)", R"(
    %p = arith.cmpf olt, %x, %y : f32
    scf.if %p {
      %v = arith.constant {tag = "here"} 1.0 : f32
    })");
  Conjunction all = holdsAround(kernel);
  EXPECT_TRUE(all.conjuncts.empty());
  EXPECT_EQ(all.others.size(), 1u);
}

} // namespace
