//===- FlatIdDigitsTest.cpp - a flat id as digits of several widths -------===//

#include "passes/Launches/FlatIdDigits.h"

#include "test/unit/ParsedKernel.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace gpuopt;

namespace {

constexpr char parameters[] = "(%a: memref<?xf32>, %w: index, %h: index)";

/// A kernel of which all quotients and remainders were visited.
struct VisitedKernel {
  explicit VisitedKernel(StringRef body)
      : kernel(parameters, body), values(kernel.function()), digits(values) {
    kernel.function().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getNumResults() == 1 && op->getNumOperands() == 2)
        digits.visit(op);
    });
  }

  Polynomial get(StringRef tag) { return values.get(kernel.value(tag)).value; }
  std::optional<DigitRun> read(StringRef tag) { return digits.read(get(tag)); }

  ParsedKernel kernel;
  IntegerValues values;
  FlatIdDigits digits;
};

constexpr char rowAndColumn[] = R"(
    %t = gpu.global_id x {tag = "t"}
    %row = arith.divsi %t, %w {tag = "row"} : index
    %column = arith.remsi %t, %w {tag = "column"} : index
    %width = arith.addi %w, %w {tag = "2w"} : index
    %start = arith.muli %row, %w : index
    %back = arith.addi %start, %column {tag = "back"} : index
    %rest = arith.subi %t, %start {tag = "rest"} : index
    %other = arith.muli %column, %h : index
    %across = arith.addi %other, %row {tag = "across"} : index
)";

TEST(FlatIdDigits, QuotientAndRemainder) {
  VisitedKernel kernel(rowAndColumn);
  Polynomial w =
      kernel.values.get(kernel.kernel.function().getArgument(1)).value;
  EXPECT_EQ(kernel.read("t"), DigitRun());
  EXPECT_EQ(kernel.read("row"), (DigitRun{w, std::nullopt}));
  EXPECT_EQ(kernel.read("column"), (DigitRun{Polynomial(1), w}));
  // A parameter is no digit, and what mixes digits is none.
  EXPECT_EQ(kernel.read("2w"), std::nullopt);
  EXPECT_EQ(kernel.read("across"), std::nullopt);
}

TEST(FlatIdDigits, DifferencesAndSums) {
  VisitedKernel kernel(rowAndColumn);
  Polynomial w =
      kernel.values.get(kernel.kernel.function().getArgument(1)).value;
  // t - t / w * w, and back again.
  EXPECT_EQ(kernel.read("rest"), (DigitRun{Polynomial(1), w}));
  EXPECT_EQ(kernel.read("back"), DigitRun());
}

TEST(FlatIdDigits, StridesOfDigits) {
  VisitedKernel kernel(rowAndColumn);
  Value width = kernel.kernel.function().getArgument(1);
  Polynomial w = kernel.values.get(width).value, one(1);
  Polynomial h =
      kernel.values.get(kernel.kernel.function().getArgument(2)).value;
  EXPECT_EQ(kernel.digits.strideOf(kernel.get("t"), one), one);
  EXPECT_EQ(kernel.digits.strideOf(kernel.get("t"), w), w);
  EXPECT_EQ(kernel.digits.strideOf(kernel.get("across"), one), h);
  EXPECT_EQ(kernel.digits.strideOf(kernel.get("across"), w), one);
}

TEST(FlatIdDigits, WidthsInAChain) {
  VisitedKernel kernel(R"(
    %t = gpu.global_id x
    %plane = arith.muli %w, %h {tag = "plane"} : index
    %z = arith.divsi %t, %plane {tag = "z"} : index
    %rest = arith.remsi %t, %plane : index
    %y = arith.divsi %rest, %w {tag = "y"} : index
)");
  Polynomial w =
      kernel.values.get(kernel.kernel.function().getArgument(1)).value;
  Polynomial plane = kernel.get("plane");
  EXPECT_EQ(kernel.read("y"), (DigitRun{w, plane}));
  std::optional<SmallVector<Polynomial>> chain = kernel.digits.chain(32);
  ASSERT_TRUE(chain);
  EXPECT_EQ(*chain, (SmallVector<Polynomial>{Polynomial(1), w, plane}));
}

TEST(FlatIdDigits, WidthsThatHaveNothingToDoWithEachOther) {
  VisitedKernel kernel(R"(
    %t = gpu.global_id x
    %y = arith.divsi %t, %w : index
    %x = arith.remsi %t, %h : index
)");
  EXPECT_EQ(kernel.digits.chain(32), std::nullopt);
}

TEST(FlatIdDigits, SmallConstantsAreNoWidths) {
  VisitedKernel kernel(R"(
    %three = arith.constant 3 : index
    %t = gpu.global_id x
    %pixel = arith.divui %t, %three {tag = "pixel"} : index
    %y = arith.divui %pixel, %w {tag = "y"} : index
)");
  Polynomial w =
      kernel.values.get(kernel.kernel.function().getArgument(1)).value;
  EXPECT_EQ(kernel.read("pixel"), (DigitRun{Polynomial(3), std::nullopt}));
  std::optional<SmallVector<Polynomial>> chain = kernel.digits.chain(32);
  ASSERT_TRUE(chain);
  EXPECT_EQ(*chain,
            (SmallVector<Polynomial>{Polynomial(1), Polynomial(3) * w}));
}

TEST(FlatIdDigits, DivideExactly) {
  Polynomial w = Polynomial::variable(0), h = Polynomial::variable(1);
  EXPECT_EQ(divideExactly(w * h * Polynomial(6), w * Polynomial(2)),
            h * Polynomial(3));
  EXPECT_EQ(divideExactly(w * h, w), h);
  EXPECT_EQ(divideExactly(w + Polynomial(1), w), std::nullopt);
  EXPECT_EQ(divideExactly(Polynomial(7), Polynomial(2)), std::nullopt);
}

} // namespace
