//===- SearchTest.cpp - the best design of a kernel -----------------------===//

#include "tools/search/Search.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

class SearchTest : public ::testing::Test {
protected:
  void SetUp() override {
    CompileOptions options;
    options.target = "nvidia-gtx480";
    options.kernels = {"tp"};
    options.sizes["w"] = options.sizes["h"] = 2048;
    options.specialize = options.sizes;
    compilation = Compilation::create(GPUOPT_EXAMPLE, options);
    ASSERT_TRUE(compilation);
  }
  SearchResult search(const SearchOptions &options) {
    return searchDesigns(*compilation, compilation->kernels().front(), options);
  }
  std::unique_ptr<Compilation> compilation;
};

TEST_F(SearchTest, SameAnswerForAnyNumberOfThreads) {
  SearchOptions one, several;
  one.threads = 1;
  several.threads = 3;
  int64_t last = 0;
  several.progress = [&](int64_t done, int64_t total) {
    EXPECT_EQ(done, last + 1);
    EXPECT_LE(done, total);
    last = done;
  };
  std::string text = serialize(search(one));
  EXPECT_EQ(serialize(search(several)), text);
  EXPECT_GT(last, 10);
}

TEST_F(SearchTest, RoundTrip) {
  SearchResult result = search(SearchOptions());
  EXPECT_EQ(result.items, (Dim3{2048, 2048, 1}));
  ASSERT_NE(result.chosen(), nullptr);
  std::string text = serialize(result);
  std::optional<SearchResult> again = deserialize(text);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->isFromCache);
  EXPECT_EQ(serialize(*again), text);
  EXPECT_EQ(again->chosen()->design, result.chosen()->design);
  EXPECT_FALSE(deserialize("{}"));
  EXPECT_FALSE(deserialize(llvm::StringRef(text).drop_front()));
}

// Measured times rank; what cannot be measured is dropped.
TEST_F(SearchTest, Measures) {
  SearchOptions options;
  Design favourite;
  int calls = 0;
  options.measure = [&](const VariantCode &code) -> std::optional<double> {
    ++calls;
    EXPECT_NE(code.code.find(code.symbol), std::string::npos);
    EXPECT_EQ(code.launch.block, code.variant.block);
    EXPECT_EQ(code.launch.grid[0] * code.variant.itemsPerBlock[0], 2048);
    if (calls == 1)
      return std::nullopt;
    if (calls == 4)
      favourite = code.variant.design;
    return calls == 4 ? 1e-6 : 1e-3;
  };
  SearchResult result = search(options);
  EXPECT_GT(calls, 4);
  EXPECT_LE(calls, 16);
  ASSERT_NE(result.chosen(), nullptr);
  EXPECT_EQ(result.chosen()->design, favourite);
  EXPECT_EQ(result.chosen()->measuredSeconds, 1e-6);
  EXPECT_EQ(llvm::count_if(result.variants,
                           [](const Variant &variant) {
                             return variant.reason ==
                                    "it could not be measured";
                           }),
            1);
}

TEST_F(SearchTest, EndsWithItsBudget) {
  SearchOptions options;
  options.budgetSeconds = 1e-9;
  SearchResult result = search(options);
  EXPECT_TRUE(result.isPartial);
  EXPECT_LT(result.variants.size(), 5u);
}

} // namespace
