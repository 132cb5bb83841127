//===- RotateLoop.cpp - start a loop somewhere else -----------------------===//

#include "passes/Transforms/BlockOrder/RotateLoop.h"

#include "passes/Analysis/LoopRange.h"

#include "passes/Transforms/BlockOrder/Reductions.h"
#include "passes/Transforms/Prefetch/PrefetchLegality.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

static Refusal refuse(Operation *op, const Twine &why) {
  return {op->getLoc(), why.str()};
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether `op` can take its subscripts from a value that is no affine one.
static bool canGeneralise(Operation *op) {
  if (op->getDialect() !=
      op->getContext()->getLoadedDialect<affine::AffineDialect>())
    return true;
  return isa<affine::AffineLoadOp, affine::AffineStoreOp,
             affine::AffineApplyOp>(op);
}

/// What depends on `iterator` by affine operations alone, and itself.
static llvm::SetVector<Value> affineValues(Value iterator) {
  llvm::SetVector<Value> values;
  values.insert(iterator);
  for (size_t next = 0; next < values.size(); ++next)
    for (Operation *user : values[next].getUsers())
      if (isa<affine::AffineApplyOp>(user))
        values.insert(user->getResult(0));
  return values;
}

static std::optional<Refusal> checkBounds(affine::AffineForOp loop) {
  if (loop.getLowerBoundMap().getNumResults() != 1 ||
      loop.getUpperBoundMap().getNumResults() != 1)
    return refuse(loop, "the loop has more than one bound on a side");
  if (!hasRoomToStep(loop))
    return refuse(loop, kNoRoomReason);
  for (Value value : affineValues(loop.getInductionVar()))
    for (Operation *user : value.getUsers())
      if (!canGeneralise(user))
        return refuse(user, "this needs the loop's iterator as it is");
  return std::nullopt;
}

/// Checks that nothing in `loop` but `tileStores` writes memory.
static std::optional<Refusal> checkMemory(affine::AffineForOp loop,
                                          ArrayRef<Operation *> tileStores) {
  std::optional<Refusal> refusal;
  loop.getBody()->walk([&](Operation *op) {
    if (isa<gpu::BarrierOp>(op) || llvm::is_contained(tileStores, op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isPure(op))
      return WalkResult::advance();
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (effects && effects.onlyHasEffect<MemoryEffects::Read>())
      return WalkResult::advance();
    refusal = refuse(op, effects ? "an iteration writes memory here"
                                 : "what this does is not known");
    return WalkResult::interrupt();
  });
  return refusal;
}

std::variant<FreeLoop, Refusal>
gpuopt::checkOrderIsFree(affine::AffineForOp loop,
                         const UniformityAnalysis &uniformity) {
  if (std::optional<Refusal> refusal = checkBounds(loop))
    return *refusal;
  FreeLoop free{loop};
  if (std::optional<Refusal> refusal = checkCarriedValuesCommute(
          cast<LoopLikeOpInterface>(loop.getOperation()), free.combiners))
    return *refusal;
  SmallVector<Operation *> tileStores;
  bool hasBarrier =
      loop.getBody()
          ->walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (hasBarrier) {
    std::variant<TileLoop, Refusal> recognised = recogniseTileLoop(
        cast<LoopLikeOpInterface>(loop.getOperation()), uniformity);
    if (auto *refusal = std::get_if<Refusal>(&recognised))
      return *refusal;
    auto &tile = std::get<TileLoop>(recognised);
    // As for stages: an iteration reads only what it has stored itself.
    if (std::optional<Refusal> refusal = checkStages(tile))
      return *refusal;
    tileStores = tile.stores;
    llvm::append_range(tileStores, tile.guardedStores);
    for (Value array : tile.tiles)
      free.keepsLast |= llvm::any_of(array.getUsers(), [&](Operation *user) {
        return !loop->isProperAncestor(user);
      });
  }
  if (std::optional<Refusal> refusal = checkMemory(loop, tileStores))
    return *refusal;
  return free;
}

bool gpuopt::reordersSums(const FreeLoop &free) {
  return llvm::any_of(free.combiners, [](Operation *combiner) {
    return isa<FloatType>(
               getElementTypeOrSelf(combiner->getResult(0).getType())) &&
           !isa<arith::MinNumFOp, arith::MaxNumFOp, arith::MinimumFOp,
                arith::MaximumFOp>(combiner);
  });
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// By how much `expr` grows with the operand `old`, a constant; nothing where
/// that is not one.
static std::optional<int64_t> factorOf(AffineExpr expr, AffineExpr old,
                                       AffineMap map) {
  AffineExpr growth = simplifyAffineExpr(expr.replace(old, old + 1) - expr,
                                         map.getNumDims(), map.getNumSymbols());
  auto constant = dyn_cast<AffineConstantExpr>(growth);
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

/// The results of `map` for operands of which those in `general` are no affine
/// values: affine without them, plus a multiple of each.
static SmallVector<Value> expand(OpBuilder &builder, Location loc,
                                 AffineMap map, ValueRange operands,
                                 const llvm::DenseSet<Value> &general) {
  SmallVector<Value> results;
  for (AffineExpr expr : map.getResults()) {
    SmallVector<std::pair<Value, int64_t>> summands;
    SmallVector<Value> affineOperands(operands);
    AffineExpr rest = expr;
    bool isLinear = true;
    for (auto [number, operand] : llvm::enumerate(operands)) {
      if (!general.contains(operand))
        continue;
      AffineExpr old = number < map.getNumDims()
                           ? getAffineDimExpr(number, builder.getContext())
                           : getAffineSymbolExpr(number - map.getNumDims(),
                                                 builder.getContext());
      std::optional<int64_t> factor = factorOf(expr, old, map);
      isLinear &= factor.has_value();
      summands.push_back({operand, factor.value_or(0)});
      rest = rest.replace(old, builder.getAffineConstantExpr(0));
      affineOperands[number] = arith::ConstantIndexOp::create(builder, loc, 0);
    }
    if (!isLinear) {
      results.push_back(affine::expandAffineExpr(
          builder, loc, expr, operands.take_front(map.getNumDims()),
          operands.drop_front(map.getNumDims())));
      continue;
    }
    Value sum = affine::AffineApplyOp::create(
        builder, loc,
        AffineMap::get(map.getNumDims(), map.getNumSymbols(), rest),
        affineOperands);
    for (auto [value, factor] : summands) {
      Value constant = arith::ConstantIndexOp::create(builder, loc, factor);
      Value product = factor == 1
                          ? value
                          : arith::MulIOp::create(builder, loc, value, constant)
                                .getResult();
      sum = arith::AddIOp::create(builder, loc, sum, product);
    }
    results.push_back(sum);
  }
  return results;
}

/// Rewrites an affine operation as one that takes any index for the operands
/// in `general`, to which it adds its own result.
static void generalise(Operation *op, llvm::DenseSet<Value> &general) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](affine::AffineApplyOp apply) {
        Value value = expand(builder, loc, apply.getAffineMap(),
                             apply.getMapOperands(), general)[0];
        general.insert(value);
        apply.getResult().replaceAllUsesWith(value);
      })
      .Case([&](affine::AffineLoadOp load) {
        auto loaded =
            memref::LoadOp::create(builder, loc, load.getMemRef(),
                                   expand(builder, loc, load.getAffineMap(),
                                          load.getMapOperands(), general));
        loaded->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
        op->replaceAllUsesWith(loaded);
      })
      .Case([&](affine::AffineStoreOp store) {
        memref::StoreOp::create(builder, loc, store.getValueToStore(),
                                store.getMemRef(),
                                expand(builder, loc, store.getAffineMap(),
                                       store.getMapOperands(), general));
      });
  op->erase();
}

/// The affine operations that use what depends on `iterator`, definitions
/// before uses.
static SmallVector<Operation *> affineUsers(affine::AffineForOp loop) {
  llvm::SetVector<Value> values = affineValues(loop.getInductionVar());
  SmallVector<Operation *> users;
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<affine::AffineLoadOp, affine::AffineStoreOp, affine::AffineApplyOp>(
            op) &&
        llvm::any_of(op->getOperands(),
                     [&](Value operand) { return values.contains(operand); }))
      users.push_back(op);
  });
  return users;
}

namespace {
/// The bounds of the rotated iterations, as values before the loop.
struct RotatedRange {
  Value end, length;
};
} // namespace

/// From the first iteration to the end of the last one (or the one before it,
/// with `keepsLast`).
static RotatedRange emitRange(OpBuilder &builder, FreeLoop free) {
  affine::AffineForOp loop = free.loop;
  Location loc = loop.getLoc();
  int64_t step = loop.getStepAsInt();
  auto bound = [&](AffineMap map, ValueRange operands) -> Value {
    return affine::AffineApplyOp::create(builder, loc, map, operands);
  };
  Value begin = bound(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
  Value end = bound(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  Value stepValue = arith::ConstantIndexOp::create(builder, loc, step);
  Value span = arith::SubIOp::create(builder, loc, end, begin);
  Value steps = arith::CeilDivSIOp::create(builder, loc, span, stepValue);
  if (free.keepsLast)
    steps = arith::SubIOp::create(
        builder, loc, steps, arith::ConstantIndexOp::create(builder, loc, 1));
  Value length = arith::MulIOp::create(builder, loc, steps, stepValue);
  return {arith::AddIOp::create(builder, loc, begin, length), length};
}

void gpuopt::rotateLoop(
    FreeLoop free,
    llvm::function_ref<Value(OpBuilder &, Value length)> computeOffset) {
  affine::AffineForOp loop = free.loop;
  Location loc = loop.getLoc();
  OpBuilder before(loop);
  RotatedRange range = emitRange(before, free);
  Value one = arith::ConstantIndexOp::create(before, loc, 1);
  Value length = arith::MaxSIOp::create(before, loc, range.length, one);
  Value offset = computeOffset(before, length);

  auto body = OpBuilder::atBlockBegin(loop.getBody());
  Value counter = loop.getInductionVar();
  auto isBehind = [&](Value value) -> Value {
    return arith::CmpIOp::create(body, loc, arith::CmpIPredicate::sge, value,
                                 range.end);
  };
  Value moved = arith::AddIOp::create(body, loc, counter, offset);
  Value wrapped = arith::SubIOp::create(body, loc, moved, range.length);
  Value rotated =
      arith::SelectOp::create(body, loc, isBehind(moved), wrapped, moved);
  if (free.keepsLast)
    rotated =
        arith::SelectOp::create(body, loc, isBehind(counter), counter, rotated);
  Operation *last = rotated.getDefiningOp();
  SmallVector<Operation *> users = affineUsers(loop);
  counter.replaceUsesWithIf(rotated, [&](OpOperand &use) {
    Operation *around = loop.getBody()->findAncestorOpInBlock(*use.getOwner());
    return last->isBeforeInBlock(around);
  });
  for (Operation *combiner : free.combiners)
    dropPoisonFlags(combiner);
  llvm::DenseSet<Value> general = {rotated};
  for (Operation *user : users)
    generalise(user, general);
}
