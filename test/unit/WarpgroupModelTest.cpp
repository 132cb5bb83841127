//===- WarpgroupModelTest.cpp - how much of a unit's rate is reached ------===//

#include "passes/Transforms/Tensor/WarpgroupModel.h"

#include "dialects/GPUOpt/GPUOptDialect.h"
#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

struct WarpgroupModel : testing::Test {
  WarpgroupModel() {
    context.loadDialect<GPUOptDialect>();
    target = llvm::cantFail(lookUpTarget(&context, "sm_90a"));
    for (auto each : target.getMatrixUnits().getAsRange<MatrixUnitAttr>()) {
      if (each.getRows() != 64)
        continue;
      if (each.getOperands().isBF16())
        bfloats = each;
      if (each.getOperands().isInteger(8))
        bytes = each;
    }
  }

  double share(int64_t warpgroups, int64_t columns) {
    return shareOfPeak({warpgroups, 1, columns}, bfloats, target);
  }

  mlir::MLIRContext context;
  TargetAttr target;
  MatrixUnitAttr bfloats, bytes;
};

// The table of WarpgroupModel.h.
TEST_F(WarpgroupModel, LargeBlocksReadLessForEachProduct) {
  EXPECT_DOUBLE_EQ(share(2, 256), 1);
  EXPECT_NEAR(share(2, 128), 0.87, 0.005);
  EXPECT_NEAR(share(1, 256), 0.87, 0.005);
  EXPECT_NEAR(share(1, 128), 0.72, 0.005);
}

TEST_F(WarpgroupModel, TheLargestBlockIsChosenWhereOthersAreSlower) {
  EXPECT_EQ(chooseShape(bfloats, target), (WarpgroupShape{2, 1, 256}));
  EXPECT_EQ(chooseShape(bytes, target), (WarpgroupShape{2, 1, 256}));
}

} // namespace
