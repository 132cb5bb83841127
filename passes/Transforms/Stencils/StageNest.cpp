//===- StageNest.cpp - rewrites nests of loops to read tiles with a halo --===//

#include "passes/Transforms/Stencils/StageNest.h"

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
/// Fills and reads the tiles of a nest.
class NestWriter {
public:
  NestWriter(const StagingContext &context, NestPlan &nestPlan)
      : kernel(context.kernel), block(context.block), plan(nestPlan),
        outer(nestPlan.loops.front().op) {}

  void run();

private:
  Value countIterations(OpBuilder &builder, affine::AffineForOp loop);
  Value testFit(OpBuilder &builder);
  void version(Value fits, Value guard);
  Value fillCondition(OpBuilder &builder, const NestLoad &load,
                      ValueRange indices, StripLoop &strip);
  Value beginOf(OpBuilder &builder, Operation *loop, StripLoop &strip);
  Value addBounds(OpBuilder &builder, Operation *loop, Value index,
                  StripLoop &strip, Value conjunction);
  SmallVector<Value> leftmostThreads(OpBuilder &builder, Operation *loop,
                                     Value index, StripLoop &strip);
  void fill(OpBuilder &builder, const NestLoad &load, Value tile,
            StripLoop &strip);
  void replaceLoad(const NestLoad &load, Value tile, StripLoop &strip);

  gpu::GPUFuncOp kernel;
  BlockShape block;
  NestPlan &plan;
  Operation *outer;
  /// The number of iterations of the inner loops.
  llvm::DenseMap<Operation *, Value> counts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

Value NestWriter::countIterations(OpBuilder &builder,
                                  affine::AffineForOp loop) {
  if (std::optional<int64_t> trips = constantTripCount(loop))
    return arith::ConstantIndexOp::create(builder, loop.getLoc(), *trips);
  AffineMap bound = loop.getUpperBoundMap();
  AffineMap count =
      AffineMap::get(bound.getNumDims(), bound.getNumSymbols(),
                     bound.getResult(0) - loop.getConstantLowerBound());
  return createApply(builder, loop.getLoc(), count,
                     SmallVector<Value>(loop.getUpperBoundOperands()));
}

/// Whether the inner loops fit into the tiles; null where that is known. They
/// also have to run at all, for work items to load anything.
Value NestWriter::testFit(OpBuilder &builder) {
  Value fits;
  for (const NestPlan::Loop &loop : llvm::drop_begin(plan.loops)) {
    Location loc = loop.op->getLoc();
    Value count = countIterations(builder, cast<affine::AffineForOp>(loop.op));
    counts[loop.op] = count;
    if (loop.isExact)
      continue;
    Value most = arith::ConstantIndexOp::create(builder, loc, loop.iterations);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    fits = conjoin(builder, loc, fits, lessThan(builder, loc, zero, count));
    fits = conjoin(builder, loc, fits,
                   arith::CmpIOp::create(
                       builder, loc, arith::CmpIPredicate::sle, count, most));
  }
  return fits;
}

/// Leaves the nest in a region for `fits`, and a copy in one for the rest,
/// which only threads with `guard` run.
void NestWriter::version(Value fits, Value guard) {
  OpBuilder builder(outer);
  Location loc = outer->getLoc();
  TypeRange types = outer->getResultTypes();
  auto branch = scf::IfOp::create(builder, loc, types, fits,
                                  /*withElse=*/true);
  outer->replaceAllUsesWith(branch->getResults());
  bool hasResults = !types.empty();
  builder.setInsertionPointToStart(branch.elseBlock());
  ValueRange inits = cast<LoopLikeOpInterface>(outer).getInits();
  ValueRange results;
  if (guard) {
    auto guarded = scf::IfOp::create(builder, loc, types, guard, hasResults);
    OpBuilder inside = guarded.getThenBodyBuilder();
    Operation *copy = inside.clone(*outer);
    if (hasResults) {
      scf::YieldOp::create(inside, loc, copy->getResults());
      OpBuilder other = guarded.getElseBodyBuilder();
      scf::YieldOp::create(other, loc, inits);
    }
    results = guarded->getResults();
  } else {
    results = builder.clone(*outer)->getResults();
  }
  if (hasResults)
    scf::YieldOp::create(builder, loc, results);
  outer->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  if (!hasResults)
    return;
  builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(builder, loc, outer->getResults());
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value NestWriter::beginOf(OpBuilder &builder, Operation *loop,
                          StripLoop &strip) {
  if (loop == outer)
    return strip.stripBegin();
  return arith::ConstantIndexOp::create(
      builder, loop->getLoc(),
      cast<affine::AffineForOp>(loop).getConstantLowerBound());
}

/// Adds the conditions for iteration `index` of the tile to exist, if any.
Value NestWriter::addBounds(OpBuilder &builder, Operation *loop, Value index,
                            StripLoop &strip, Value conjunction) {
  if (loop == outer)
    return strip.addBounds(builder, strip.iteratorAt(builder, index),
                           conjunction);
  if (plan.find(loop)->isExact)
    return conjunction;
  Location loc = loop->getLoc();
  return conjoin(builder, loc, conjunction,
                 lessThan(builder, loc, index, counts[loop]));
}

/// Threads of which the one with the greatest id is the first that needs the
/// element at `index`: it takes it in its last iteration.
SmallVector<Value> NestWriter::leftmostThreads(OpBuilder &builder,
                                               Operation *loop, Value index,
                                               StripLoop &strip) {
  AffineExpr d0 = builder.getAffineDimExpr(0);
  AffineExpr d1 = builder.getAffineDimExpr(1);
  SmallVector<Value> threads, lengths;
  bool isExact = plan.find(loop)->isExact;
  if (loop == outer && !strip.isDivisible())
    lengths = strip.remaining(builder);
  else if (loop != outer && !isExact)
    lengths = {counts[loop]};
  for (Value length : lengths)
    threads.push_back(createApply(builder, loop->getLoc(),
                                  AffineMap::get(2, 0, d0 - d1 + 1),
                                  {index, length}));
  // Tiles hold no more iterations than planned.
  if (loop == outer || isExact)
    threads.push_back(createApply(
        builder, loop->getLoc(),
        AffineMap::get(1, 0, d0 - (plan.find(loop)->iterations - 1)), {index}));
  return threads;
}

/// Whether the source loads the element at `indices`; null for always.
Value NestWriter::fillCondition(OpBuilder &builder, const NestLoad &load,
                                ValueRange indices, StripLoop &strip) {
  Location loc = load.op->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value legal;
  SmallVector<SmallVector<Value>> threads(3, {zero});
  size_t numLoaders = 1;
  std::array<bool, 3> isFirst = load.isFirstItem;
  for (auto [dimension, index] : llvm::zip_equal(load.dimensions, indices)) {
    if (!dimension.thread) {
      legal = addBounds(builder, dimension.loop, index, strip, legal);
      continue;
    }
    SmallVector<Value> &candidates = threads[*dimension.thread];
    candidates = {index};
    if (!dimension.loop)
      continue;
    candidates = leftmostThreads(builder, dimension.loop, index, strip);
    isFirst[*dimension.thread] = true;
    // Where there are fewer iterations, that may be no thread of the block.
    bool isLimited =
        dimension.loop == outer || plan.find(dimension.loop)->isExact;
    for (Value thread : ArrayRef(candidates).drop_back(isLimited ? 1 : 0)) {
      Value end = arith::ConstantIndexOp::create(builder, loc,
                                                 block[*dimension.thread]);
      Value isInBlock = lessThan(builder, loc, thread, end);
      isInBlock.getDefiningOp()->setAttr(kInBlockAttrName,
                                         builder.getUnitAttr());
      legal = conjoin(builder, loc, legal, isInBlock);
    }
    numLoaders = std::max(numLoaders, candidates.size());
  }
  // Conditions that hold for an id hold for smaller ones: for the greatest of
  // the candidates where they hold for each. Last, the first work item.
  for (size_t number = 0; number <= numLoaders; ++number) {
    SliceCloner cloner(builder);
    for (unsigned dim = 0; dim < 3; ++dim) {
      bool isOfFirst =
          number == numLoaders ? isFirst[dim] : load.isFirstItem[dim];
      Value id = isOfFirst ? blockIdAtTop(kernel, dim) : Value();
      if (id)
        cloner.substitute(id, zero);
      ArrayRef<Value> candidates = threads[dim];
      cloner.substituteThreadId(
          dim, isOfFirst ? zero
                         : candidates[std::min(number, candidates.size() - 1)]);
    }
    if (number == numLoaders && isFirst == load.isFirstItem)
      break;
    legal = cloneConditions(builder, loc, cloner, load.conditions, legal);
  }
  return legal;
}

void NestWriter::fill(OpBuilder &builder, const NestLoad &load, Value tile,
                      StripLoop &strip) {
  Location loc = load.op->getLoc();
  OpBuilder::InsertionGuard keep(builder);
  SmallVector<int64_t> extents;
  for (const NestDimension &dimension : load.dimensions)
    extents.push_back(dimension.extent);
  auto loop = createCollectiveLoop(builder, loc, extents);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> indices(loop.getIVs().begin(), loop.getIVs().end());
  if (Value legal = fillCondition(builder, load, indices, strip)) {
    auto branch = scf::IfOp::create(builder, loc, legal, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  // The address of thread t in iteration i is that of thread t + i in the first
  // one.
  SliceCloner cloner(builder);
  for (unsigned dim = 0; dim < 3; ++dim)
    cloner.substituteThreadId(dim,
                              arith::ConstantIndexOp::create(builder, loc, 0));
  for (const NestPlan::Loop &nested : plan.loops)
    cloner.substitute(
        nested.op == outer
            ? strip.originalIterator()
            : *cast<LoopLikeOpInterface>(nested.op).getSingleInductionVar(),
        beginOf(builder, nested.op, strip));
  for (auto [dimension, index] : llvm::zip_equal(load.dimensions, indices)) {
    if (dimension.thread) {
      cloner.substituteThreadId(*dimension.thread, index);
      continue;
    }
    Value iterator = createApply(
        builder, loc,
        AffineMap::get(
            2, 0, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1)),
        {beginOf(builder, dimension.loop, strip), index});
    cloner.substitute(
        *cast<LoopLikeOpInterface>(dimension.loop).getSingleInductionVar(),
        iterator);
  }
  createStore(builder, loc, cloner.cloneLoad(load.op), tile, indices);
}

void NestWriter::replaceLoad(const NestLoad &load, Value tile,
                             StripLoop &strip) {
  OpBuilder builder(load.op);
  Location loc = load.op->getLoc();
  SmallVector<Value> indices;
  for (const NestDimension &dimension : load.dimensions) {
    AffineExpr sum = builder.getAffineConstantExpr(0);
    SmallVector<Value> operands;
    auto add = [&](Value value, int64_t offset) {
      sum = sum + builder.getAffineDimExpr(operands.size()) - offset;
      operands.push_back(value);
    };
    if (dimension.thread)
      add(threadIdAtTop(kernel, *dimension.thread), 0);
    if (dimension.loop == outer) {
      add(strip.stripIterator(), 0);
    } else if (dimension.loop) {
      auto loop = cast<affine::AffineForOp>(dimension.loop);
      add(loop.getInductionVar(), loop.getConstantLowerBound());
    }
    indices.push_back(createApply(
        builder, loc, AffineMap::get(operands.size(), 0, sum), operands));
  }
  Value datum = createLoad(builder, loc, tile, indices);
  load.op->getResult(0).replaceAllUsesWith(datum);
  load.op->erase();
}

void NestWriter::run() {
  Value guard = bringAllThreads(outer);
  OpBuilder builder(outer);
  Location loc = outer->getLoc();
  if (Value fits = testFit(builder))
    version(fits, guard);
  StripLoop strip(outer, plan.loops.front().iterations);
  strip.createOuter(builder);
  SmallVector<Value> tiles;
  for (const NestLoad &load : plan.loads) {
    SmallVector<int64_t> shape;
    for (const NestDimension &dimension : load.dimensions)
      shape.push_back(dimension.extent);
    tiles.push_back(
        createTile(kernel, load.op->getResult(0).getType(), shape, loc));
    fill(builder, load, tiles.back(), strip);
  }
  ValueRange results = strip.createInner(builder, guard);
  for (auto [load, tile] : llvm::zip_equal(plan.loads, tiles))
    replaceLoad(load, tile, strip);
  strip.finish(builder, results);
}

void gpuopt::applyNest(const StagingContext &context, NestPlan &plan) {
  NestWriter(context, plan).run();
}
