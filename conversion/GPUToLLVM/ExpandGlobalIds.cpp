//===- ExpandGlobalIds.cpp - work item ids in 32 bits ---------------------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_EXPANDGLOBALIDS
#include "conversion/GPUToLLVM/Passes.h.inc"

namespace {

Value expandGlobalId(gpu::GlobalIdOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type index = builder.getIndexType(), i32 = builder.getI32Type();
  auto narrow = [&](Value id) -> Value {
    return arith::IndexCastOp::create(builder, loc, i32, id);
  };
  auto noWrap =
      arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  gpu::Dimension dim = op.getDimension();
  Value block =
      narrow(gpu::BlockIdOp::create(builder, loc, index, dim, nullptr));
  Value size =
      narrow(gpu::BlockDimOp::create(builder, loc, index, dim, nullptr));
  Value thread =
      narrow(gpu::ThreadIdOp::create(builder, loc, index, dim, nullptr));
  Value start = arith::MulIOp::create(builder, loc, block, size, noWrap);
  Value id = arith::AddIOp::create(builder, loc, start, thread, noWrap);
  return arith::IndexCastUIOp::create(builder, loc, index, id);
}

struct ExpandGlobalIds : impl::ExpandGlobalIdsBase<ExpandGlobalIds> {
  using ExpandGlobalIdsBase::ExpandGlobalIdsBase;

  void runOnOperation() override {
    getOperation().walk([&](gpu::GlobalIdOp op) {
      op.replaceAllUsesWith(expandGlobalId(op));
      op.erase();
      ++expandedIds;
    });
    expandSubgroupQueries();
  }

  /// Subgroup ids count threads in subgroups whose size the target gives.
  void expandSubgroupQueries() {
    auto isSubgroupQuery = [](Operation *op) {
      return isa<gpu::SubgroupIdOp, gpu::SubgroupSizeOp>(op)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    };
    if (!getOperation().walk(isSubgroupQuery).wasInterrupted())
      return;
    RewritePatternSet patterns(&getContext());
    populateGpuSubgroupIdPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation().walk([&](gpu::SubgroupSizeOp op) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          arith::ConstantIndexOp::create(builder, op.getLoc(), subgroupSize)
              .getResult());
      op.erase();
    });
  }
};

} // namespace
} // namespace gpuopt
