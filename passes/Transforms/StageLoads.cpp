//===- StageLoads.cpp - rewrites loads to go through tiles ----------------===//

#include "passes/Transforms/StageLoads.h"

#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/UniformReach.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
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

/// `left` and `right`, either of which may be null.
static Value conjoin(OpBuilder &builder, Location loc, Value left,
                     Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(builder, loc, left, right);
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

static Value lessThan(OpBuilder &builder, Location loc, Value left,
                      Value right) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, left,
                               right);
}

//===----------------------------------------------------------------------===//
// Loops in strips
//===----------------------------------------------------------------------===//

namespace {
/// A counted loop whose iterations are taken in strips of `iterations`.
class StripLoop {
public:
  StripLoop(Operation *loop, int64_t iterations)
      : loop(cast<LoopLikeOpInterface>(loop)), iterations(iterations) {}

  /// Creates the loop over strips in front of the original, without a
  /// terminator. The builder then stands in its body.
  void createOuter(OpBuilder &builder);
  /// Creates the loop over one strip, and moves the original's body there.
  void createInner(OpBuilder &builder, ValueRange carried);
  /// Ends the loop over strips and replaces the original.
  void finish(OpBuilder &builder, ValueRange carried);

  /// The iterator's value in iteration `number` of the strip.
  Value iteratorAt(OpBuilder &builder, Value number);
  /// Adds the conditions for `iterator` to lie in the loop, if any.
  Value addBounds(OpBuilder &builder, Value iterator, Value conjunction);

  Value originalIterator() { return (*loop.getLoopInductionVars())[0]; }
  Location getLoc() { return loop.getLoc(); }
  ValueRange outerCarried() { return outer.getRegionIterArgs(); }
  LoopLikeOpInterface getInner() { return inner; }
  /// The iteration of the strip.
  Value stripIterator() { return (*inner.getLoopInductionVars())[0]; }

private:
  int64_t step();
  bool isDivisible();
  Value stripLength(OpBuilder &builder);
  AffineMap stripBound(affine::AffineForOp original,
                       SmallVectorImpl<Value> &operands);

  LoopLikeOpInterface loop;
  LoopLikeOpInterface outer;
  LoopLikeOpInterface inner;
  int64_t iterations;
};
} // namespace

int64_t StripLoop::step() {
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop))
    return affineLoop.getStepAsInt();
  return *getConstantIntValue(cast<scf::ForOp>(*loop).getStep());
}

bool StripLoop::isDivisible() {
  std::optional<APInt> trips = loop.getStaticTripCount();
  return trips && trips->urem(iterations) == 0;
}

void StripLoop::createOuter(OpBuilder &builder) {
  builder.setInsertionPoint(loop);
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop)) {
    outer = affine::AffineForOp::create(
        builder, getLoc(), affineLoop.getLowerBoundOperands(),
        affineLoop.getLowerBoundMap(), affineLoop.getUpperBoundOperands(),
        affineLoop.getUpperBoundMap(), step() * iterations,
        affineLoop.getInits());
  } else {
    auto counted = cast<scf::ForOp>(*loop);
    Value stride =
        arith::ConstantIndexOp::create(builder, getLoc(), step() * iterations);
    outer = scf::ForOp::create(builder, getLoc(), counted.getLowerBound(),
                               counted.getUpperBound(), stride,
                               counted.getInitArgs());
  }
  Block *body = &outer.getLoopRegions().front()->front();
  if (!body->empty())
    body->clear();
  builder.setInsertionPointToEnd(body);
}

Value StripLoop::iteratorAt(OpBuilder &builder, Value number) {
  AffineExpr begin = builder.getAffineDimExpr(0);
  AffineExpr index = builder.getAffineDimExpr(1);
  return createApply(builder, getLoc(),
                     AffineMap::get(2, 0, begin + index * step()),
                     {(*outer.getLoopInductionVars())[0], number});
}

Value StripLoop::addBounds(OpBuilder &builder, Value iterator,
                           Value conjunction) {
  if (isDivisible())
    return conjunction;
  if (auto counted = dyn_cast<scf::ForOp>(*loop))
    return conjoin(
        builder, getLoc(), conjunction,
        lessThan(builder, getLoc(), iterator, counted.getUpperBound()));
  auto affineLoop = cast<affine::AffineForOp>(*loop);
  AffineMap bounds = affineLoop.getUpperBoundMap();
  SmallVector<Value> operands(affineLoop.getUpperBoundOperands());
  for (unsigned number = 0; number < bounds.getNumResults(); ++number) {
    Value end =
        createApply(builder, getLoc(), bounds.getSubMap({number}), operands);
    conjunction = conjoin(builder, getLoc(), conjunction,
                          lessThan(builder, getLoc(), iterator, end));
  }
  return conjunction;
}

/// The least of the strip's length and what is left of the loop.
AffineMap StripLoop::stripBound(affine::AffineForOp original,
                                SmallVectorImpl<Value> &operands) {
  AffineMap bounds = original.getUpperBoundMap();
  MLIRContext *context = bounds.getContext();
  unsigned dims = bounds.getNumDims();
  operands.assign(original.getUpperBoundOperands().begin(),
                  original.getUpperBoundOperands().end());
  operands.insert(operands.begin() + dims, (*outer.getLoopInductionVars())[0]);
  AffineExpr begin = getAffineDimExpr(dims, context);
  SmallVector<AffineExpr> results = {
      getAffineConstantExpr(iterations, context)};
  for (AffineExpr bound : bounds.getResults())
    results.push_back((bound - begin).ceilDiv(step()));
  return AffineMap::get(dims + 1, bounds.getNumSymbols(), results, context);
}

Value StripLoop::stripLength(OpBuilder &builder) {
  auto counted = cast<scf::ForOp>(*loop);
  Value length = arith::ConstantIndexOp::create(builder, getLoc(), iterations);
  if (isDivisible())
    return length;
  Value left = arith::SubIOp::create(builder, getLoc(), counted.getUpperBound(),
                                     (*outer.getLoopInductionVars())[0]);
  Value trips =
      arith::CeilDivSIOp::create(builder, getLoc(), left, counted.getStep());
  return arith::MinSIOp::create(builder, getLoc(), length, trips);
}

void StripLoop::createInner(OpBuilder &builder, ValueRange carried) {
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop)) {
    SmallVector<Value> operands;
    AffineMap bound = builder.getConstantAffineMap(iterations);
    if (!isDivisible())
      bound = stripBound(affineLoop, operands);
    inner = affine::AffineForOp::create(builder, getLoc(), ValueRange(),
                                        builder.getConstantAffineMap(0),
                                        operands, bound, 1, carried);
  } else {
    Value zero = arith::ConstantIndexOp::create(builder, getLoc(), 0);
    Value one = arith::ConstantIndexOp::create(builder, getLoc(), 1);
    inner = scf::ForOp::create(builder, getLoc(), zero, stripLength(builder),
                               one, carried);
  }
  Block *body = &inner.getLoopRegions().front()->front();
  body->clear();
  Block *original = &loop.getLoopRegions().front()->front();
  body->getOperations().splice(body->end(), original->getOperations());

  OpBuilder inside = OpBuilder::atBlockBegin(body);
  originalIterator().replaceAllUsesWith(iteratorAt(inside, stripIterator()));
  for (auto [from, to] :
       llvm::zip_equal(loop.getRegionIterArgs(), inner.getRegionIterArgs()))
    from.replaceAllUsesWith(to);
}

void StripLoop::finish(OpBuilder &builder, ValueRange carried) {
  if (isa<affine::AffineForOp>(*outer))
    affine::AffineYieldOp::create(builder, getLoc(), carried);
  else
    scf::YieldOp::create(builder, getLoc(), carried);
  loop->replaceAllUsesWith(outer->getResults());
  loop->erase();
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
  gpu::GPUFuncOp kernel;
  const StagedLoad &load;
  Value tile;
};
} // namespace

void TileWriter::createTile() {
  tile = gpuopt::createTile(kernel, load.op->getResult(0).getType(),
                            shapeOf(load.dimensions), load.op->getLoc());
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
  legal = cloneConditions(builder, loc, cloner, load.conditions, legal);
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
  Location loc = plan.loop->getLoc();
  StripLoop strip(plan.loop, plan.iterations);
  strip.createOuter(builder);
  for (TileWriter &tile : tiles)
    tile.fill(builder, &strip);
  gpu::BarrierOp::create(builder, loc);

  ValueRange carried = strip.outerCarried();
  scf::IfOp branch;
  if (guard) {
    branch = scf::IfOp::create(builder, loc, carried.getTypes(), guard,
                               /*withElse=*/!carried.empty());
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  strip.createInner(builder, carried);
  ValueRange results = strip.getInner()->getResults();
  if (guard && !carried.empty()) {
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, results);
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, loc, carried);
    results = branch.getResults();
  }
  if (guard)
    builder.setInsertionPointAfter(branch);
  gpu::BarrierOp::create(builder, loc);
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
