//===- GatherPositions.cpp - one value for a position ---------------------===//

#include "passes/Transforms/Positions/GatherPositions.h"

#include "passes/Transforms/Positions/IdExpressions.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace gpuopt;

static Value idAtTop(gpu::GPUFuncOp kernel, gpu::Dimension dimension) {
  for (auto id : kernel.getBody().front().getOps<gpu::BlockIdOp>())
    if (id.getDimension() == dimension)
      return id;
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  return gpu::BlockIdOp::create(builder, kernel.getLoc(), dimension);
}

/// Erases what computed index expressions that are written out now.
static void eraseUnused(gpu::GPUFuncOp kernel, Value except) {
  SmallVector<Operation *> applies;
  kernel.getBody().walk([&](affine::AffineApplyOp op) {
    if (op.getResult() != except)
      applies.push_back(op);
  });
  for (Operation *op : llvm::reverse(applies))
    if (op->use_empty())
      op->erase();
}

/// Writes `use` over the position where it is one.
static void rewriteUse(const IndexUse &use, const PositionForm &form,
                       Value position) {
  IdExpressions ids(use, form.dimension);
  auto array = form.arrays.find(use.getMemref());
  bool changed = false;
  for (auto [number, expression] : llvm::enumerate(ids.results)) {
    bool isLocal =
        array != form.arrays.end() && number == array->second.subscript;
    if (isLocal || (!ids.uses(expression, ids.block()) &&
                    !ids.uses(expression, ids.thread())))
      continue;
    expression = ids.inThreadPositions(expression, form.threads);
    changed = true;
  }
  if (!changed)
    return;
  Value thread;
  for (Value operand : use.operands)
    if (isId<gpu::ThreadIdOp>(operand, form.dimension))
      thread = operand;
  // No expression has the block's id left.
  Value filler = position;
  SmallVector<Value> operands = {filler, thread ? thread : filler, position};
  llvm::append_range(operands, use.operands);
  AffineMap map = AffineMap::get(ids.numDims, ids.numSymbols, ids.results,
                                 use.map.getContext());
  affine::canonicalizeMapAndOperands(&map, &operands);
  setIndexUse(use, map, operands);
}

Value gpuopt::gatherPositions(gpu::GPUFuncOp kernel, const PositionForm &form) {
  gatherIds(kernel);
  Value thread = threadIdAtTop(kernel, unsigned(form.dimension));
  Value block = idAtTop(kernel, form.dimension);
  OpBuilder builder(kernel.getContext());
  // Below both ids.
  Operation *later = thread.getDefiningOp();
  if (later->isBeforeInBlock(block.getDefiningOp()))
    later = block.getDefiningOp();
  builder.setInsertionPointAfter(later);
  AffineExpr expression =
      builder.getAffineDimExpr(0) * form.threads + builder.getAffineDimExpr(1);
  Value position = affine::AffineApplyOp::create(
      builder, kernel.getLoc(), AffineMap::get(2, 0, expression),
      ValueRange{block, thread});
  SmallVector<IndexUse> uses;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (form.isSingleLoop(op))
      return WalkResult::skip();
    llvm::append_range(uses, indexUsesOf(op));
    return WalkResult::advance();
  });
  for (const IndexUse &use : uses)
    rewriteUse(use, form, position);
  eraseUnused(kernel, position);
  return position;
}
