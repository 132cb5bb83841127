//===- StageLoads.cpp - rewrites loads to go through tiles ----------------===//

#include "passes/Transforms/Coalesce/StageLoads.h"

#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/StripLoop.h"
#include "passes/Transforms/Utils/UniformReach.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value gpuopt::createTile(gpu::GPUFuncOp kernel, Type elementType,
                         ArrayRef<int64_t> shape, Location loc) {
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  return kernel.addWorkgroupAttribution(
      MemRefType::get(shape, elementType, MemRefLayoutAttrInterface(), space),
      loc);
}

SmallVector<int64_t> gpuopt::shapeOf(ArrayRef<TileDimension> dimensions) {
  return llvm::map_to_vector(dimensions, [](const TileDimension &dimension) {
    return dimension.extent;
  });
}

Value gpuopt::cloneConditions(OpBuilder &builder, Location loc,
                              SliceCloner &cloner,
                              ArrayRef<Condition> conditions,
                              Value conjunction) {
  for (const Condition &condition : conditions) {
    Value holds = cloner.clone(condition.value);
    if (condition.negated) {
      Value yes =
          arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
      holds = arith::XOrIOp::create(builder, loc, holds, yes);
    }
    conjunction = conjoin(builder, loc, conjunction, holds);
  }
  return conjunction;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// Fills the tile of one load and reads from it.
class TileWriter {
public:
  TileWriter(gpu::GPUFuncOp tileKernel, const StagedLoad &stagedLoad)
      : kernel(tileKernel), load(stagedLoad) {}

  void createTile();
  /// Lets the block load all elements. `strip` is null without a loop.
  void fill(OpBuilder &builder, StripLoop *strip);
  /// Replaces the original load; `iteration` is null without a loop.
  void replaceLoad(Value iteration);

private:
  Value checkFirstItem(OpBuilder &builder, Location loc, SliceCloner &cloner,
                       Value legal);

  gpu::GPUFuncOp kernel;
  const StagedLoad &load;
  Value tile;
};
} // namespace

void TileWriter::createTile() {
  tile = gpuopt::createTile(kernel, load.op->getResult(0).getType(),
                            shapeOf(load.dimensions), load.op->getLoc());
}

/// Adds the load's conditions for the item that stands for all to `legal`: at
/// the block's first position, and at each bound from below of the positions.
Value TileWriter::checkFirstItem(OpBuilder &builder, Location loc,
                                 SliceCloner &cloner, Value legal) {
  const FirstItem &item = load.firstItem;
  for (Value position : item.launchPositions)
    cloner.substitute(position,
                      arith::ConstantIndexOp::create(builder, loc, 0));
  for (const Condition &condition : item.fulfilled)
    cloner.substitute(
        condition.value,
        arith::ConstantOp::create(builder, loc,
                                  builder.getBoolAttr(!condition.negated)));
  // Copied before: a cloner remembers what it has cloned.
  const SliceCloner atFirst = cloner;
  legal = cloneConditions(builder, loc, cloner, load.conditions, legal);
  for (const FirstItem::LowerBound &bound : item.lowerBounds) {
    SliceCloner atBound = atFirst;
    Value least = SliceCloner(atFirst).clone(bound.value);
    if (bound.isStrict)
      least = createApply(builder, loc,
                          AffineMap::get(1, 0, builder.getAffineDimExpr(0) + 1),
                          least);
    atBound.substitute(item.position, least);
    legal = cloneConditions(builder, loc, atBound, load.conditions, legal);
  }
  return legal;
}

void TileWriter::fill(OpBuilder &builder, StripLoop *strip) {
  Location loc = load.op->getLoc();
  OpBuilder::InsertionGuard keep(builder);
  affine::AffineParallelOp loop =
      createCollectiveLoop(builder, loc, shapeOf(load.dimensions));
  builder.setInsertionPointToStart(loop.getBody());
  SliceCloner cloner(builder);
  // The first thread stands for those that the address does not depend on.
  for (unsigned dim = 0; dim < 3; ++dim)
    cloner.substituteThreadId(dim,
                              arith::ConstantIndexOp::create(builder, loc, 0));
  Value legal;
  for (auto [dimension, index] :
       llvm::zip_equal(load.dimensions, loop.getIVs())) {
    if (!dimension.isIteration()) {
      cloner.substituteThreadId(dimension.source, index);
      continue;
    }
    Value iterator = strip->iteratorAt(builder, index);
    cloner.substitute(strip->originalIterator(), iterator);
    legal = strip->addBounds(builder, iterator, legal);
  }
  legal = checkFirstItem(builder, loc, cloner, legal);
  if (legal) {
    auto branch = scf::IfOp::create(builder, loc, legal, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  createStore(builder, loc, cloner.cloneLoad(load.op), tile,
              SmallVector<Value>(loop.getIVs().begin(), loop.getIVs().end()));
}

void TileWriter::replaceLoad(Value iteration) {
  OpBuilder builder(load.op);
  SmallVector<Value> indices;
  for (const TileDimension &dimension : load.dimensions)
    indices.push_back(dimension.isIteration()
                          ? iteration
                          : threadIdAtTop(kernel, dimension.source));
  Value datum = createLoad(builder, load.op->getLoc(), tile, indices);
  load.op->getResult(0).replaceAllUsesWith(datum);
  load.op->erase();
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Stages loads in a loop.
static void stageLoop(StagingPlan &plan, MutableArrayRef<TileWriter> tiles) {
  Value guard = bringAllThreads(plan.loop);
  OpBuilder builder(plan.loop);
  StripLoop strip(plan.loop, plan.iterations);
  strip.createOuter(builder);
  for (TileWriter &tile : tiles)
    tile.fill(builder, &strip);
  ValueRange results = strip.createInner(builder, guard);
  Value iteration = strip.stripIterator();
  for (TileWriter &tile : tiles)
    tile.replaceLoad(iteration);
  strip.finish(builder, results);
}

/// Stages a load where it stands.
static void stageInPlace(const StagedLoad &load, TileWriter &tile) {
  bringAllThreads(load.op);
  OpBuilder builder(load.op);
  Location loc = load.op->getLoc();
  tile.fill(builder, nullptr);
  gpu::BarrierOp::create(builder, loc);
  // In a loop, the next iteration must not overwrite what is still read.
  if (load.op->getParentOfType<LoopLikeOpInterface>()) {
    builder.setInsertionPointAfter(load.op);
    gpu::BarrierOp::create(builder, loc);
  }
  tile.replaceLoad(Value());
}

void gpuopt::applyStaging(const StagingContext &context, StagingPlan &plan) {
  std::vector<TileWriter> tiles;
  for (StagedLoad &load : plan.loads) {
    tiles.emplace_back(context.kernel, load);
    tiles.back().createTile();
  }
  if (plan.loop)
    return stageLoop(plan, tiles);
  for (auto [load, tile] : llvm::zip_equal(plan.loads, tiles))
    stageInPlace(load, tile);
}
