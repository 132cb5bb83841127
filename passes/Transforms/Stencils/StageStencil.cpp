//===- StageStencil.cpp - rewrites loads of neighbours to read tiles ------===//

#include "passes/Transforms/Stencils/StageStencil.h"

#include "passes/Analysis/CollectiveLoops.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Transforms/Coalesce/StageLoads.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/StripLoop.h"
#include "passes/Transforms/Utils/UniformReach.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// Fills and reads one tile.
class StencilWriter {
public:
  StencilWriter(const StagingContext &context, const StencilTile &stencilTile)
      : kernel(context.kernel), stencil(stencilTile) {}

  void fill(OpBuilder &builder);
  void replaceLoads();

private:
  /// The work item, along one dimension of the tile, that something is
  /// evaluated for: `offset` before the element, or the first of all.
  struct WorkItem {
    int64_t offset = 0;
    bool isFirst = false;
  };

  void substitute(SliceCloner &cloner, unsigned number, WorkItem item);
  Value before(unsigned number, int64_t offset);
  Value testInBlock(unsigned number, int64_t first, int64_t last);
  Value evaluate(const StencilCondition &condition,
                 ArrayRef<std::pair<unsigned, WorkItem>> items,
                 Value conjunction);
  Value testDimension(const StencilBox &box, unsigned number);
  Value testBox(const StencilBox &box);
  Value isNeeded();
  SliceCloner makeCloner();
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(*builder, loc(), value);
  }
  Location loc() const { return stencil.loads.front().op->getLoc(); }

  gpu::GPUFuncOp kernel;
  const StencilTile &stencil;
  Value tile;
  /// While the tile is filled: where, and its indices.
  OpBuilder *builder = nullptr;
  SmallVector<Value> indices;
};
} // namespace

//===----------------------------------------------------------------------===//
// Work items
//===----------------------------------------------------------------------===//

/// A cloner in which the first thread stands for all.
SliceCloner StencilWriter::makeCloner() {
  SliceCloner cloner(*builder);
  Value zero = constant(0);
  for (unsigned dim = 0; dim < 3; ++dim)
    cloner.substituteThreadId(dim, zero);
  return cloner;
}

/// The index of the tile along dimension `number`, less `offset`.
Value StencilWriter::before(unsigned number, int64_t offset) {
  if (offset == 0)
    return indices[number];
  return createApply(
      *builder, loc(),
      AffineMap::get(1, 0, builder->getAffineDimExpr(0) - offset),
      {indices[number]});
}

/// Lets `cloner` compute for `item`.
void StencilWriter::substitute(SliceCloner &cloner, unsigned number,
                               WorkItem item) {
  unsigned id = stencil.dimensions[number].id;
  Value blockId = blockIdAtTop(kernel, id);
  if (!item.isFirst)
    cloner.substituteThreadId(id, before(number, item.offset));
  else if (blockId)
    cloner.substitute(blockId, constant(0));
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Whether some of the work items at `first` to `last` before the element are
/// in the block; null for always.
Value StencilWriter::testInBlock(unsigned number, int64_t first, int64_t last) {
  const StencilDimension &dimension = stencil.dimensions[number];
  Value inBlock;
  auto add = [&](arith::CmpIPredicate predicate, int64_t offset,
                 int64_t bound) {
    Value test = arith::CmpIOp::create(*builder, loc(), predicate,
                                       before(number, offset), constant(bound));
    test.getDefiningOp()->setAttr(kInBlockAttrName, builder->getUnitAttr());
    inBlock = conjoin(*builder, loc(), inBlock, test);
  };
  if (first > 0)
    add(arith::CmpIPredicate::sge, first, 0);
  if (last < dimension.halo)
    add(arith::CmpIPredicate::slt, last, dimension.threads);
  return inBlock;
}

/// Adds `condition`, for the work item that `items` say.
Value StencilWriter::evaluate(const StencilCondition &condition,
                              ArrayRef<std::pair<unsigned, WorkItem>> items,
                              Value conjunction) {
  SliceCloner cloner = makeCloner();
  for (auto [number, item] : items)
    substitute(cloner, number, item);
  if (!condition.comparison)
    return cloneConditions(*builder, loc(), cloner, {condition.other},
                           conjunction);
  auto [predicate, left, right, comparison] = *condition.comparison;
  Value holds = arith::CmpIOp::create(*builder, loc(), predicate,
                                      cloner.clone(left), cloner.clone(right));
  return conjoin(*builder, loc(), conjunction, holds);
}

/// `left` or `right`; null is always true.
static Value disjoin(OpBuilder &builder, Location loc, Value left,
                     Value right) {
  if (!left || !right)
    return {};
  return arith::OrIOp::create(builder, loc, left, right);
}

/// Whether, along one dimension, some work item of the block needs the element
/// for a load of `box`; null for always.
Value StencilWriter::testDimension(const StencilBox &box, unsigned number) {
  int64_t first = box.first[number], last = box.last[number];
  auto test = [&](WorkItem item, Value conjunction) {
    for (const StencilCondition &condition : box.conditions)
      if (condition.dimensions == ArrayRef<unsigned>{number})
        conjunction = evaluate(condition, {{number, item}}, conjunction);
    return conjunction;
  };
  if (box.isMonotone[number]) {
    // The first that needs it; where that would be before all work items, the
    // first of all.
    Value needed = test({last}, testInBlock(number, first, last));
    return first < last ? test({0, /*isFirst=*/true}, needed) : needed;
  }
  Value needed = test({first}, testInBlock(number, first, first));
  for (int64_t offset = first + 1; offset <= last; ++offset)
    needed = disjoin(*builder, loc(), needed,
                     test({offset}, testInBlock(number, offset, offset)));
  return needed;
}

Value StencilWriter::testBox(const StencilBox &box) {
  Value needed;
  SmallVector<std::pair<unsigned, WorkItem>> items;
  for (unsigned number = 0; number < stencil.dimensions.size(); ++number) {
    if (Value here = testDimension(box, number))
      needed = conjoin(*builder, loc(), needed, here);
    items.push_back({number, {box.first[number]}});
  }
  // Only boxes of one offset have conditions that couple dimensions.
  for (const StencilCondition &condition : box.conditions)
    if (condition.dimensions.size() != 1)
      needed = evaluate(condition, items, needed);
  return needed;
}

/// Whether some work item loads the element; null for always.
Value StencilWriter::isNeeded() {
  Value needed = testBox(stencil.boxes.front());
  for (const StencilBox &box : llvm::drop_begin(stencil.boxes))
    needed = disjoin(*builder, loc(), needed, testBox(box));
  for (const StencilCondition &condition : stencil.common)
    needed = evaluate(condition, {}, needed);
  return needed;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void StencilWriter::fill(OpBuilder &outside) {
  const StencilLoad &load = stencil.loads.front();
  tile = createTile(kernel, load.op->getResult(0).getType(), stencil.shape(),
                    loc());
  OpBuilder::InsertionGuard keep(outside);
  builder = &outside;
  auto loop = createCollectiveLoop(*builder, loc(), stencil.shape());
  builder->setInsertionPointToStart(loop.getBody());
  indices.assign(loop.getIVs().begin(), loop.getIVs().end());
  if (Value needed = isNeeded()) {
    auto branch =
        scf::IfOp::create(*builder, loc(), needed, /*withElse=*/false);
    builder->setInsertionPointToStart(branch.thenBlock());
  }
  // Whoever needs the element, and by whichever load: the address is that of
  // the first load, by the work item that would need it for that one.
  SliceCloner cloner = makeCloner();
  for (auto [number, offset] : llvm::enumerate(load.offsets))
    substitute(cloner, number, {offset});
  createStore(*builder, loc(), cloner.cloneLoad(load.op), tile, indices);
}

void StencilWriter::replaceLoads() {
  for (const StencilLoad &load : stencil.loads) {
    OpBuilder here(load.op);
    SmallVector<Value> subscripts;
    for (auto [dimension, offset] :
         llvm::zip_equal(stencil.dimensions, load.offsets))
      subscripts.push_back(
          createApply(here, load.op->getLoc(),
                      AffineMap::get(1, 0, here.getAffineDimExpr(0) + offset),
                      {threadIdAtTop(kernel, dimension.id)}));
    Value datum = createLoad(here, load.op->getLoc(), tile, subscripts);
    load.op->getResult(0).replaceAllUsesWith(datum);
    load.op->erase();
  }
}

void gpuopt::applyStencil(const StagingContext &context, StencilPlan &plan) {
  OpBuilder builder(plan.anchor);
  Location loc = plan.anchor->getLoc();
  // Barriers do nothing under a guard, so that none is needed once all threads
  // get there.
  Operation *filled = gpu::BarrierOp::create(builder, loc);
  Operation *read = nullptr;
  if (plan.isRepeated) {
    // The next iteration must not overwrite what is still read.
    builder.setInsertionPoint(plan.anchor->getBlock()->getTerminator());
    read = gpu::BarrierOp::create(builder, loc);
  }
  bringAllThreads(filled);
  if (read)
    bringAllThreads(read);
  builder.setInsertionPoint(filled);
  std::vector<StencilWriter> writers;
  for (const StencilTile &tile : plan.tiles)
    writers.emplace_back(context, tile);
  for (StencilWriter &writer : writers)
    writer.fill(builder);
  for (StencilWriter &writer : writers)
    writer.replaceLoads();
}
