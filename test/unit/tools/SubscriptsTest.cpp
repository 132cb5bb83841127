//===- SubscriptsTest.cpp - arrays whose elements are subscripts ----------===//

#include "tools/lib/launch/Subscripts.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

using namespace gpuopt;

namespace {

std::vector<SubscriptUse> usesIn(llvm::StringRef body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(
      "define void @k(ptr %at, ptr %a, i32 %width, i64 %i, ptr %b) {\n" +
          body.str() + "\n}",
      diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module ? findSubscripts(*module, "k") : std::vector<SubscriptUse>();
}

constexpr const char *loadElement = R"(
  %place = getelementptr i32, ptr %at, i64 %i
  %element = load i32, ptr %place
  %wide = sext i32 %element to i64
)";

TEST(Subscripts, AGatherIsFound) {
  auto uses = usesIn(std::string(loadElement) + R"(
    %address = getelementptr float, ptr %a, i64 %wide
    store float 0.0, ptr %address
    ret void)");
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].array, 0u);
  EXPECT_EQ(uses[0].indexed, 1u);
  EXPECT_EQ(uses[0].strideBytes, 4u);
  EXPECT_TRUE(uses[0].strideParameters.empty());
  EXPECT_FALSE(uses[0].startsLoop);
}

TEST(Subscripts, StridesAreConstantsAndParameters) {
  auto uses = usesIn(R"(
    %place = getelementptr i32, ptr %at, i64 %i
    %element = load i32, ptr %place
    %row = mul i32 %element, %width
    %three = shl i32 %row, 3
    %sum = add i32 %three, 5
    %wide = sext i32 %sum to i64
    %address = getelementptr double, ptr %a, i64 %wide
    store double 0.0, ptr %address
    ret void)");
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].strideBytes, 64u);
  EXPECT_EQ(uses[0].strideParameters, std::vector<unsigned>{2});
}

TEST(Subscripts, RowPointersStartLoops) {
  auto uses = usesIn(R"(
  entry:
    %place = getelementptr i64, ptr %at, i64 %i
    %begin = load i64, ptr %place
    %after = getelementptr i64, ptr %place, i64 1
    %end = load i64, ptr %after
    br label %loop
  loop:
    %j = phi i64 [ %begin, %entry ], [ %next, %loop ]
    %address = getelementptr float, ptr %a, i64 %j
    store float 0.0, ptr %address
    %next = add i64 %j, 1
    %again = icmp slt i64 %next, %end
    br i1 %again, label %loop, label %done
  done:
    ret void)");
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].indexed, 1u);
  EXPECT_TRUE(uses[0].startsLoop);
}

TEST(Subscripts, DataAreNone) {
  EXPECT_TRUE(usesIn(std::string(loadElement) + R"(
    %address = getelementptr i64, ptr %b, i64 %i
    store i64 %wide, ptr %address
    ret void)")
                  .empty());
  // What is left of the element depends on more than itself.
  EXPECT_TRUE(usesIn(std::string(loadElement) + R"(
    %low = and i64 %wide, 7
    %address = getelementptr i64, ptr %b, i64 %low
    store i64 0, ptr %address
    ret void)")
                  .empty());
}

std::vector<uint16_t> filled(size_t count, uint64_t end, bool isRising) {
  std::mt19937_64 random(3);
  std::vector<uint16_t> values(count);
  fillSubscripts({ElementKind::UnsignedInt, 2, 1}, random, end, isRising,
                 reinterpret_cast<uint8_t *>(values.data()), 2 * count);
  return values;
}

TEST(Subscripts, MadeUpOnesAreInRangeAndDistinct) {
  for (uint64_t end : {1, 2, 7, 64, 1000}) {
    std::vector<uint16_t> values = filled(end, end, /*isRising=*/false);
    std::set<uint16_t> distinct(values.begin(), values.end());
    EXPECT_EQ(distinct.size(), end);
    EXPECT_EQ(*distinct.rbegin(), end - 1);
  }
  // More of them than there are numbers, or than the type holds.
  for (uint16_t value : filled(100, 7, /*isRising=*/false))
    EXPECT_LT(value, 7);
  EXPECT_EQ(filled(10, uint64_t(1) << 40, /*isRising=*/false).size(), 10u);
  EXPECT_EQ(filled(3, 0, /*isRising=*/false), std::vector<uint16_t>(3));
}

TEST(Subscripts, RisingOnesRise) {
  std::vector<uint16_t> values = filled(100, 5000, /*isRising=*/true);
  EXPECT_TRUE(llvm::is_sorted(values));
  EXPECT_GT(values.back(), values.front());
}

} // namespace
