//===- PrefetchStages.cpp - tiles with several stages ---------------------===//
//
// Each tile gets a leading dimension: iteration j uses stage j mod S. The fill
// of a later iteration goes to another stage than this one's computation reads,
// so it need not wait for it, and the second barrier of the loop goes. For
// asynchronous copies, with the fill of iteration j written F(j) and what the
// threads compute C(j):
//
//   F(0) → stage 0, …, F(S - 2) → stage S - 2     a group of copies each
//   for j:
//     wait until S - 2 groups are on their way    F(j) is done by this thread
//     barrier                                     F(j) is done by all threads,
//                                                 C(j - 1) as well
//     F(j + S - 1) → stage (j - 1) mod S          where that iteration exists
//     C(j) from stage j mod S
//   barrier
//
// Every thread makes a group in every iteration, even an empty one, so that
// counting groups is counting iterations: it holds for any number of them.
// With products of warpgroups that run on (OverlapProducts.h), F(j + S - 2)
// goes to stage (j - 2) mod S instead. Without asynchronous copies S is 2, and
// F is parted: its loads stand before C(j), its stores behind.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Prefetch/PrefetchStages.h"

#include "passes/Transforms/Prefetch/OverlapProducts.h"
#include "passes/Transforms/Prefetch/PrefetchFill.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace gpuopt;

namespace {
class Stager {
public:
  Stager(TileLoop &loop, int64_t stageCount, bool isAsync, bool overlaps)
      : tile(loop), stages(stageCount), async(isAsync),
        ahead(stageCount - (overlaps ? 2 : 1)), iterations(loop.loop),
        loc(loop.loop.getLoc()) {}

  void run();

private:
  void addStages();
  void createPrologue();
  void createAsyncBody(OpBuilder &builder);
  void createRegisterBody(OpBuilder &builder);
  void eraseFill();
  /// Does the fill of the iteration with `iterator`, where it exists.
  void fill(OpBuilder &builder, Value iterator, Value stage);
  void createGroup(OpBuilder &builder);

  TileLoop &tile;
  int64_t stages;
  bool async;
  /// By how many iterations a fill is ahead of its use.
  int64_t ahead;
  Iterations iterations;
  Location loc;
};
} // namespace

/// Gives the tiles their stages, and every access but the fill's its own.
void Stager::addStages() {
  OpBuilder inside = OpBuilder::atBlockBegin(&tile.body());
  Value current = iterations.stage(inside, 0, stages);
  OpBuilder behind(tile.loop->getContext());
  behind.setInsertionPointAfter(tile.loop);
  // What follows the loop finds its last tile where the last iteration was.
  Value last;
  OpBuilder top = OpBuilder::atBlockBegin(
      &tile.loop->getParentOfType<gpu::GPUFuncOp>().getBody().front());
  Value zero;
  for (Value array : tile.tiles) {
    llvm::SetVector<Operation *> users(array.user_begin(), array.user_end());
    for (Operation *user : users) {
      if (tile.isFillStore(user))
        continue;
      if (tile.loop->isProperAncestor(user)) {
        addStage(user, current);
        continue;
      }
      if (tile.loop->getBlock()->findAncestorOpInBlock(*user)) {
        if (!last)
          last = iterations.lastStage(behind, stages);
        addStage(user, last);
        continue;
      }
      if (!zero)
        zero = arith::ConstantIndexOp::create(top, loc, 0);
      addStage(user, zero);
    }
    auto type = cast<MemRefType>(array.getType());
    SmallVector<int64_t> shape = {stages};
    llvm::append_range(shape, type.getShape());
    array.setType(MemRefType::Builder(type).setShape(shape).setLayout({}));
  }
}

/// Makes a group of the copies since the last one.
void Stager::createGroup(OpBuilder &builder) {
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

void Stager::fill(OpBuilder &builder, Value iterator, Value stage) {
  guarded(builder, loc, iterations.exists(builder, iterator),
          [&](OpBuilder &inside) {
            FillCopy(tile, iterator, stage).copy(inside, async);
            return SmallVector<Value>();
          });
}

void Stager::createPrologue() {
  OpBuilder builder(tile.loop);
  for (int64_t number = 0; number < ahead; ++number) {
    Value stage = arith::ConstantIndexOp::create(builder, loc, number);
    fill(builder, iterations.number(builder, number), stage);
    if (async)
      createGroup(builder);
  }
}

void Stager::createAsyncBody(OpBuilder &builder) {
  builder.setInsertionPointAfter(tile.filled);
  Value stage = iterations.stage(builder, ahead, stages);
  fill(builder, iterations.ahead(builder, ahead), stage);
  createGroup(builder);
  builder.setInsertionPoint(tile.filled);
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, ahead - 1);
}

void Stager::createRegisterBody(OpBuilder &builder) {
  builder.setInsertionPointAfter(tile.filled);
  Value next = iterations.ahead(builder, 1);
  Value exists = iterations.exists(builder, next);
  SmallVector<Value> loaded =
      guarded(builder, loc, exists, [&](OpBuilder &inside) {
        return FillCopy(tile, next).load(inside);
      });
  builder.setInsertionPoint(tile.consumed);
  Value stage = iterations.stage(builder, 1, stages);
  guarded(builder, loc, exists, [&](OpBuilder &inside) {
    FillCopy(tile, next, stage).store(inside, loaded);
    return SmallVector<Value>();
  });
}

/// The stores, and with them the loads, are done elsewhere now.
void Stager::eraseFill() {
  for (Operation *store :
       llvm::concat<Operation *>(tile.stores, tile.guardedStores))
    store->erase();
  for (Operation *load : llvm::reverse(tile.loads))
    if (load->use_empty())
      load->erase();
}

void Stager::run() {
  unrollFill(tile);
  addStages();
  createPrologue();
  OpBuilder builder(tile.loop->getContext());
  if (async)
    createAsyncBody(builder);
  else
    createRegisterBody(builder);
  eraseFill();
  // It kept the last computation's reads before what follows the loop.
  tile.consumed->moveAfter(tile.loop);
}

void gpuopt::prefetchIntoStages(TileLoop &tile, int64_t stages, bool async,
                                bool overlaps) {
  Stager(tile, stages, async, overlaps).run();
  if (overlaps)
    overlapProducts(tile);
}
