//===- RemarksTest.cpp - codes, sentences and their values ----------------===//

#include "passes/Analysis/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

using namespace gpuopt;
using namespace mlir;

namespace {

TEST(Remarks, CodesHaveNamesAndPasses) {
  EXPECT_EQ(toString(RemarkCode::ThreadsMerged), "ThreadsMerged");
  EXPECT_EQ(passOf(RemarkCode::ThreadsMerged), "MergeThreads");
  EXPECT_EQ(parseRemarkCode("ThreadsMerged"), RemarkCode::ThreadsMerged);
  EXPECT_EQ(parseRemarkCode("threads-merged"), std::nullopt);
}

TEST(Remarks, ValuesStandInThePlaceOfTheirNames) {
  EXPECT_EQ(fillIn("{factor} along {dimension}, {factor} in all",
                   {{"dimension", "y"}, {"factor", 8}}),
            "8 along y, 8 in all");
  EXPECT_EQ(fillIn("no value", {{"factor", 8}}), "no value");
  // What a value says is no place for others.
  EXPECT_EQ(fillIn("{reason}", {{"reason", "{factor}"}, {"factor", 8}}),
            "{factor}");
}

/// What a remark is made of, as a streamer gets it.
class Recorder : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Recorder(std::vector<std::string> &lines) : lines(lines) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string line =
        (remark.getRemarkName() + " " + remark.getCombinedCategoryName() + " " +
         remark.getFunction())
            .str();
    for (const auto &argument : remark.getArgs()) {
      std::optional<StringRef> value = nameOfValue(argument.key);
      line += (value ? " value " + *value : " " + argument.key).str() + "=" +
              argument.val;
    }
    lines.push_back(line);
  }

private:
  std::vector<std::string> &lines;
};

TEST(Remarks, ProgramsReadCodeAndValues) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect>();
  std::vector<std::string> lines;
  remark::RemarkCategories categories;
  categories.passed = categories.missed = "gpuopt";
  ASSERT_TRUE(succeeded(remark::enableOptimizationRemarks(
      context, std::make_unique<Recorder>(lines),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)));
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<func::FuncOp> kernel =
      func::FuncOp::create(loc, "k", builder.getFunctionType({}, {}));
  sayPassed(RemarkCode::BlocksMerged, *kernel, loc,
            {{"factor", 2}, {"dimension", "x"}})
      << remark::metric("shared_arrays", 1);
  sayMissed(RemarkCode::NotPrefetched, *kernel, Refusal{loc, "too large"});
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                "BlocksMerged gpuopt:MergeBlocks k Remark=a block does the "
                "work of 2 along x value factor=2 value dimension=x "
                "shared_arrays=1",
                "NotPrefetched gpuopt:PrefetchTiles k Reason=too large value "
                "reason=too large"}));
}

} // namespace
