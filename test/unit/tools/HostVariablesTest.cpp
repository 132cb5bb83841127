//===- HostVariablesTest.cpp - what kernels find in variables -------------===//

#include "tools/lib/launch/HostVariables.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

constexpr const char *module = R"(
target triple = "nvptx64-nvidia-cuda"
%Pair = type { float, float }
%Point = type { float, i8, [2 x i32], ptr }
@filter = addrspace(4) externally_initialized constant [4 x float] zeroinitializer
@_ZN4grid4stepE = addrspace(4) externally_initialized global [2 x double] [double 1.0, double 2.0]
@point = addrspace(1) externally_initialized global %Point zeroinitializer
@pairs = addrspace(4) externally_initialized constant [3 x [2 x %Pair]] zeroinitializer
@begun = addrspace(4) externally_initialized constant <{ float, [31 x float] }> <{ float 1.0, [31 x float] zeroinitializer }>
@own = internal addrspace(1) global float 0.0
define ptx_kernel void @k() { ret void }
)";

struct HostVariablesTest : testing::Test {
  llvm::LLVMContext context;
  std::vector<HostVariable> variables;
  std::unique_ptr<CPUExecutor> executor;

  void SetUp() override {
    llvm::SMDiagnostic diagnostic;
    auto parsed = llvm::parseAssemblyString(module, diagnostic, context);
    ASSERT_TRUE(parsed);
    variables = findHostVariables(*parsed);
    auto created = CPUExecutor::create(*parsed, {});
    ASSERT_TRUE(bool(created));
    executor = std::move(*created);
  }

  void fill(InputValues values) {
    RunOptions run;
    run.values = values;
    ASSERT_FALSE(bool(fillVariables(*executor, variables, run)));
  }

  /// The number at byte `at` of a variable.
  template <typename T>
  T number(const char *symbol, size_t at = 0) {
    auto bytes = executor->global(symbol);
    EXPECT_TRUE(bool(bytes));
    T value;
    std::memcpy(&value, bytes->data() + at, sizeof value);
    return value;
  }
};

TEST_F(HostVariablesTest, AreThoseThatTheHostCanSet) {
  ASSERT_EQ(variables.size(), 5u);
  EXPECT_EQ(variables[0].name, "filter");
  EXPECT_TRUE(variables[0].isZero);
  EXPECT_EQ(variables[1].name, "grid::step");
  EXPECT_FALSE(variables[1].isZero);
  // A pointer is no number.
  ASSERT_EQ(variables[2].members.size(), 3u);
  EXPECT_EQ(variables[2].members[2].offset, 8u);
  EXPECT_EQ(variables[2].members[2].size, 8u);
}

TEST_F(HostVariablesTest, HaveTheShapeOfTheirType) {
  EXPECT_EQ(variables[0].shape, std::vector<int64_t>{4});
  EXPECT_EQ(variables[0].element.kind, ElementKind::Float);
  // Of different members, with a gap: bytes.
  EXPECT_TRUE(variables[2].shape.empty());
  EXPECT_EQ(variables[2].element.kind, ElementKind::Opaque);
  EXPECT_EQ(variables[2].element.bytes, 24u);
  EXPECT_EQ(variables[3].shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(variables[3].element.bytes, 4u);
  EXPECT_EQ(variables[3].element.lanes, 2u);
  // Of an array that the source begins to set only the length is left.
  EXPECT_EQ(variables[4].shape, std::vector<int64_t>{32});
  EXPECT_EQ(variables[4].element.lanes, 1u);
}

TEST_F(HostVariablesTest, OrdinaryValuesReplaceZerosOnly) {
  fill(InputValues::Ordinary);
  EXPECT_NE(number<float>("filter"), 0.0f);
  EXPECT_NE(number<float>("filter"), number<float>("filter", 4));
  EXPECT_EQ(number<double>("_ZN4grid4stepE", 8), 2.0);
  EXPECT_NE(number<float>("point"), 0.0f);
  // Counters start at zero.
  EXPECT_EQ(number<int32_t>("point", 8), 0);
  EXPECT_EQ(number<float>("own"), 0.0f);
}

TEST_F(HostVariablesTest, OthersReplaceAllNumbers) {
  fill(InputValues::Extreme);
  EXPECT_NE(number<double>("_ZN4grid4stepE", 8), 2.0);
  EXPECT_LE(number<uint8_t>("point", 4), 1);
  EXPECT_EQ(number<uint64_t>("point", 16), 0u);
  fill(InputValues::ExtremeFloats);
  EXPECT_LT(number<uint32_t>("point", 8), 16u);
  EXPECT_LT(number<uint32_t>("point", 12), 16u);
}

} // namespace
