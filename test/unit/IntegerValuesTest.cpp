//===- IntegerValuesTest.cpp - what integer SSA values amount to ----------===//
//
// Minimal cases of what property tests have found (test/unit/property).
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/IntegerValues.h"

#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/ArgumentExpressions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace gpuopt;

namespace {

/// A kernel with the arguments %n and %m of i32, %i of index.
class IntegerValuesTest : public testing::Test {
protected:
  void parse(StringRef body) {
    context
        .loadDialect<affine::AffineDialect, arith::ArithDialect,
                     gpu::GPUDialect, memref::MemRefDialect, scf::SCFDialect>();
    std::string text =
        ("gpu.module @m { gpu.func @k(%n: i32, %m: i32, %i: index) kernel {" +
         body + "\ngpu.return } }")
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    module->walk([&](gpu::GPUFuncOp function) { kernel = function; });
    values.emplace(kernel);
  }

  /// The result of the first operation called `name`.
  Value result(StringRef name) {
    Value found;
    kernel.walk([&](Operation *op) {
      if (!found && op->getName().getStringRef() == name)
        found = op->getResult(0);
    });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  gpu::GPUFuncOp kernel;
  std::optional<IntegerValues> values;
};

TEST_F(IntegerValuesTest, LanesDiffer) {
  parse("%l = gpu.lane_id\n %s = gpu.subgroup_size : index");
  EXPECT_FALSE(values->isParameter(values->get(result("gpu.lane_id")).value));
  EXPECT_TRUE(
      values->isParameter(values->get(result("gpu.subgroup_size")).value));
}

// min(n, 5) may be -1, which is the largest unsigned number.
TEST_F(IntegerValuesTest, MinimaOfSignedNumbersReadAsUnsigned) {
  parse("%c = arith.constant 5 : i32\n %r = arith.minsi %n, %c : i32");
  Value minimum = result("arith.minsi");
  EXPECT_EQ(values->getExact(minimum, true).range, Interval::ofUnsigned(32));
  EXPECT_EQ(values->getExact(minimum, false).range,
            (Interval{Interval::ofSigned(32).low, 5}));
}

TEST_F(IntegerValuesTest, MaximaThatAreNotNegative) {
  parse("%c = arith.constant 0 : i32\n %r = arith.maxsi %n, %c : i32");
  Value maximum = result("arith.maxsi");
  Interval range{0, Interval::ofSigned(32).high};
  EXPECT_EQ(values->getExact(maximum, true).range, range);
  EXPECT_EQ(values->getExact(maximum, false).range, range);
}

TEST_F(IntegerValuesTest, MinimaOfUnsignedNumbersReadAsSigned) {
  parse("%c = arith.constant 5 : i32\n %r = arith.minui %n, %c : i32");
  Interval range{0, 5};
  EXPECT_EQ(values->getExact(result("arith.minui"), false).range, range);
  parse("%c = arith.constant 5 : i32\n %r = arith.maxui %n, %c : i32");
  EXPECT_EQ(values->getExact(result("arith.maxui"), false).range,
            Interval::ofSigned(32));
}

// What is carried around a loop is no value at the top of the kernel, although
// no iteration changes it.
TEST_F(IntegerValuesTest, CarriedValuesAreNoParameters) {
  parse(R"(%r = affine.for %j = 0 to 4 iter_args(%x = %n) -> (i32) {
             %s = arith.addi %x, %x : i32
             %e = arith.extui %s : i32 to i64
             affine.yield %x : i32
           })");
  Polynomial extended = values->get(result("arith.extui")).value;
  EXPECT_FALSE(values->isParameter(extended));
}

// A dividend of 2^63 and more is no index: the quotient is left alone.
// Whether it is defined at the top is not asked of what is being computed.
TEST_F(IntegerValuesTest, CarriedRemainders) {
  parse("%r = affine.for %a = 0 to 4 iter_args(%s = %i) -> (index) {\n"
        "  %p = arith.muli %i, %s : index\n"
        "  %q = arith.remui %s, %p : index\n"
        "  affine.yield %q : index\n"
        "}");
  EXPECT_FALSE(values->isParameter(values->get(result("arith.remui")).value));
}

TEST_F(IntegerValuesTest, QuotientsOfLargeUnsignedNumbers) {
  parse("%c = arith.constant 3 : index\n %r = arith.shrui %i, %c : index");
  Value quotient = result("arith.shrui");
  std::optional<unsigned> atom = values->get(quotient).value.getVariable();
  ASSERT_TRUE(atom);
  EXPECT_EQ(values->getAtom(*atom).value, quotient);
  parse("%id = gpu.global_id x\n %c = arith.constant 8 : index\n"
        "%r = arith.divui %id, %c : index");
  atom = values->get(result("arith.divui")).value.getVariable();
  ASSERT_TRUE(atom);
  EXPECT_EQ(values->getAtom(*atom).kind, Atom::Kind::FloorDiv);
}

// n mod 4 <= 0 says that n is a multiple of 4, not that it is 0.
TEST_F(IntegerValuesTest, PromisesAboutRemainders) {
  parse("");
  AffineExpr n = getAffineSymbolExpr(0, &context);
  AffineExpr m = getAffineSymbolExpr(1, &context);
  addLaunchConditions(kernel, 3, {-(n % 4), -(m % (int64_t(1) << 32)) + 7});
  EXPECT_EQ(values->getExact(kernel.getArgument(0), true).range,
            Interval::ofUnsigned(32));
  EXPECT_EQ(values->getExact(kernel.getArgument(1), true).range,
            (Interval{0, 7}));
}

// A launcher knows n, and n without a sign in 32 bits; not in 64.
TEST_F(IntegerValuesTest, LaunchersKnowArguments) {
  parse("%r = arith.index_cast %n : i32 to index");
  auto expression = [&](Value value, bool isUnsigned) {
    return expressionOverArguments(kernel, *values,
                                   values->getExact(value, isUnsigned).value);
  };
  AffineExpr n = getAffineSymbolExpr(0, &context);
  Value wide = result("arith.index_cast");
  EXPECT_EQ(expression(wide, false), n);
  EXPECT_EQ(expression(kernel.getArgument(0), true), n % (int64_t(1) << 32));
  EXPECT_FALSE(expression(wide, true));
}

} // namespace
