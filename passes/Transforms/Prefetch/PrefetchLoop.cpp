//===- PrefetchLoop.cpp - loops that fill tiles and use them --------------===//

#include "passes/Transforms/Prefetch/PrefetchLoop.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "passes/Analysis/LoopRange.h"
#include "passes/Transforms/Utils/UnrollLoop.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gpuopt;

/// The most iterations of a loop in a fill, all of which are in flight at once.
static constexpr uint64_t kMostRounds = 32;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static Value loadedArray(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<affine::AffineLoadOp, affine::AffineVectorLoadOp, memref::LoadOp>(
          [](auto load) { return load.getMemRef(); })
      .Case([](vector::LoadOp load) { return load.getBase(); })
      .Case([](nvgpu::LdMatrixOp load) { return load.getSrcMemref(); })
      .Case([](MatrixDescriptorOp matrix) { return matrix.getTile(); })
      .Default([](Operation *) { return Value(); });
}

static Value storedArray(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<affine::AffineStoreOp, affine::AffineVectorStoreOp,
            memref::StoreOp>([](auto store) { return store.getMemRef(); })
      .Case([](vector::StoreOp store) { return store.getBase(); })
      .Default([](Operation *) { return Value(); });
}

Value gpuopt::accessedArray(Operation *access) {
  Value array = loadedArray(access);
  return array ? array : storedArray(access);
}

Value gpuopt::storedValue(Operation *store) { return store->getOperand(0); }

int64_t gpuopt::movedBytes(Operation *access) {
  Type type = storedArray(access) ? storedValue(access).getType()
                                  : access->getResult(0).getType();
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8)
    return 0;
  return element.getIntOrFloatBitWidth() / 8 *
         (vector ? vector.getNumElements() : 1);
}

static bool isWorkgroup(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<LoopLikeOpInterface>
gpuopt::findBarrierLoops(gpu::GPUFuncOp kernel) {
  SmallVector<LoopLikeOpInterface> loops;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface loop) {
    if (loop.getLoopRegions().size() == 1 &&
        loop.getLoopRegions().front()->hasOneBlock() &&
        !loop.getLoopRegions()
             .front()
             ->front()
             .getOps<gpu::BarrierOp>()
             .empty())
      loops.push_back(loop);
  });
  return loops;
}

bool gpuopt::hasAtMostOneIteration(LoopLikeOpInterface loop) {
  auto counted = dyn_cast<affine::AffineForOp>(*loop);
  if (!counted)
    return false;
  if (std::optional<uint64_t> trips = affine::getConstantTripCount(counted))
    return *trips <= 1;
  // The bounds of a rest are n - n mod step and n.
  AffineMap lower = counted.getLowerBoundMap();
  AffineMap upper = counted.getUpperBoundMap();
  if (counted.getLowerBoundOperands() != counted.getUpperBoundOperands())
    return false;
  for (AffineExpr begin : lower.getResults())
    for (AffineExpr end : upper.getResults()) {
      AffineExpr length = simplifyAffineExpr(end - begin, lower.getNumDims(),
                                             lower.getNumSymbols());
      auto remainder = dyn_cast<AffineBinaryOpExpr>(length);
      if (!remainder || remainder.getKind() != AffineExprKind::Mod)
        continue;
      auto divisor = dyn_cast<AffineConstantExpr>(remainder.getRHS());
      if (divisor && divisor.getValue() <= counted.getStepAsInt())
        return true;
    }
  return false;
}

/// Whether the bounds of `loop` can be written down before it.
static bool hasKnownBounds(LoopLikeOpInterface loop) {
  if (auto counted = dyn_cast<affine::AffineForOp>(*loop))
    return counted.getLowerBoundMap().getNumResults() == 1;
  auto counted = dyn_cast<scf::ForOp>(*loop);
  return counted && counted.getInductionVar().getType().isIndex();
}

//===----------------------------------------------------------------------===//
// Recognition
//===----------------------------------------------------------------------===//

namespace {
/// Fills a TileLoop; `refusal` is set when it is none.
class Recogniser {
public:
  explicit Recogniser(LoopLikeOpInterface loop) { tile.loop = loop; }

  bool run(const UniformityAnalysis &uniformity);

  TileLoop tile;
  std::optional<Refusal> refusal;

private:
  bool refuse(Operation *op, std::string reason) {
    refusal = Refusal{op->getLoc(), std::move(reason)};
    return false;
  }
  bool findBarriers();
  bool visitFill(Operation &op);
  bool visitLoad(Operation &load);
  bool visitStore(Operation &store);
  bool visitNested(Operation &op);
  bool visitBranch(scf::IfOp branch);
  bool checkOperands(Operation &op);
  bool checkMemory();

  /// Whether this is code with guards that has a version without them.
  bool inGuarded = false;
};
} // namespace

bool Recogniser::findBarriers() {
  SmallVector<gpu::BarrierOp> barriers;
  tile.loop->walk([&](gpu::BarrierOp barrier) { barriers.push_back(barrier); });
  if (barriers.size() != 2 ||
      llvm::any_of(barriers, [&](gpu::BarrierOp barrier) {
        return barrier->getBlock() != &tile.body();
      }))
    return refuse(tile.loop,
                  "the loop has " + std::to_string(barriers.size()) +
                      (barriers.size() == 1 ? " barrier" : " barriers") +
                      ", not one behind the loads and one at the end");
  tile.filled = barriers[0];
  tile.consumed = barriers[1];
  for (Operation *op = tile.consumed->getNextNode();
       op != tile.body().getTerminator(); op = op->getNextNode())
    if (!isPure(op))
      return refuse(op, "work follows the last barrier of the loop");
  return true;
}

/// Of two sides the second is the code with guards. There an element is loaded
/// or a zero, see PadTiles.cpp.
bool Recogniser::visitBranch(scf::IfOp branch) {
  bool hasOther = !branch.getElseRegion().empty();
  if (hasOther && !branch->hasAttr(kUnguardedAttrName) && !inGuarded)
    return refuse(branch, "a branch with two sides fills the tiles");
  auto visitFillIn = [&](Block *block) {
    return llvm::all_of(block->without_terminator(),
                        [&](Operation &inner) { return visitFill(inner); });
  };
  if (!visitFillIn(branch.thenBlock()))
    return false;
  if (!hasOther)
    return true;
  llvm::SaveAndRestore inOther(inGuarded, true);
  return visitFillIn(branch.elseBlock());
}

/// What a fill uses must be known for the next iteration before it.
bool Recogniser::checkOperands(Operation &op) {
  for (Value operand : op.getOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && argument.getOwner() == &tile.body() &&
        argument != tile.iterator())
      return refuse(&op, "what is loaded depends on the iteration before");
  }
  return true;
}

bool Recogniser::visitLoad(Operation &load) {
  if (isWorkgroup(loadedArray(&load)))
    return refuse(&load, "the tile is filled from workgroup memory");
  for (Operation *user : load.getUsers())
    if (!tile.body().findAncestorOpInBlock(*user)->isBeforeInBlock(tile.filled))
      return refuse(&load, "a register holds the loaded value for the "
                           "computation");
  (inGuarded ? tile.guardedLoads : tile.loads).push_back(&load);
  return true;
}

bool Recogniser::visitStore(Operation &store) {
  Value array = storedArray(&store);
  if (!isWorkgroup(array))
    return refuse(&store, "global memory is written where tiles are filled");
  (inGuarded ? tile.guardedStores : tile.stores).push_back(&store);
  tile.tiles.insert(memoryRoot(array));
  return true;
}

bool Recogniser::visitNested(Operation &op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitBranch(branch);
  auto loop = dyn_cast<affine::AffineForOp>(op);
  std::optional<uint64_t> trips =
      loop ? affine::getConstantTripCount(loop) : std::nullopt;
  if (!trips || *trips > kMostRounds || loop.getNumResults() != 0)
    return refuse(&op, "the tiles are filled in a loop whose iterations cannot "
                       "all be in flight");
  return llvm::all_of(loop.getBody()->without_terminator(),
                      [&](Operation &inner) { return visitFill(inner); });
}

bool Recogniser::visitFill(Operation &op) {
  if (!checkOperands(op))
    return false;
  if (loadedArray(&op))
    return visitLoad(op);
  if (storedArray(&op))
    return visitStore(op);
  if (op.getNumRegions() != 0)
    return visitNested(op);
  if (isTotal(&op))
    return true;
  return refuse(&op, "'" + op.getName().getStringRef().str() +
                         "' stands where the tiles are filled");
}

/// Nothing in the loop may write what is loaded ahead, nor may anything but
/// this fill decide what it loads.
bool Recogniser::checkMemory() {
  auto kernel = tile.loop->getParentOfType<gpu::GPUFuncOp>();
  for (Operation *load :
       llvm::concat<Operation *>(tile.loads, tile.guardedLoads))
    if (Operation *writer = findConflict(
            kernel, loadedArray(load), /*readsToo=*/false,
            [&](Operation *op) { return tile.loop->isProperAncestor(op); }))
      return refuse(writer, "this may write what the loop loads for the next "
                            "iteration");
  return true;
}

bool Recogniser::run(const UniformityAnalysis &uniformity) {
  if (!hasKnownBounds(tile.loop))
    return refuse(tile.loop, "the loop does not count from one bound");
  if (!hasRoomToStep(tile.loop))
    return refuse(tile.loop, kNoRoomReason);
  if (!findBarriers())
    return false;
  if (!uniformity.isUnderUniformControl(tile.filled) ||
      !uniformity.isUnderUniformControl(tile.loop))
    return refuse(tile.loop, "not all threads of a block come to the loop and "
                             "run it equally often");
  for (Operation &op : tile.body()) {
    if (&op == tile.filled)
      break;
    if (!visitFill(op))
      return false;
  }
  if (tile.loads.empty() || tile.stores.empty())
    return refuse(tile.loop,
                  "nothing goes from global memory to a tile before the first "
                  "barrier");
  return checkMemory();
}

std::variant<TileLoop, Refusal>
gpuopt::recogniseTileLoop(LoopLikeOpInterface loop,
                          const UniformityAnalysis &uniformity) {
  Recogniser recogniser(loop);
  if (recogniser.run(uniformity))
    return recogniser.tile;
  return *recogniser.refusal;
}

//===----------------------------------------------------------------------===//
// Loops in the fill
//===----------------------------------------------------------------------===//

int64_t gpuopt::carriedRegisters(const TileLoop &tile) {
  int64_t registers = 0;
  for (Operation *load : tile.loads) {
    int64_t rounds = 1;
    for (Operation *op = load->getParentOp(); op != tile.loop;
         op = op->getParentOp())
      if (auto loop = dyn_cast<affine::AffineForOp>(op))
        rounds *= *affine::getConstantTripCount(loop);
    registers += rounds * registersOf(load->getResult(0).getType());
  }
  return registers;
}

void gpuopt::unrollFill(TileLoop &tile) {
  SmallVector<affine::AffineForOp> loops;
  auto isGuarded = [&](affine::AffineForOp loop) {
    return llvm::any_of(tile.guardedStores, [&](Operation *store) {
      return loop->isAncestor(store);
    });
  };
  for (Operation &op : tile.body()) {
    if (&op == tile.filled)
      break;
    op.walk([&](affine::AffineForOp loop) {
      if (!isGuarded(loop))
        loops.push_back(loop);
    });
  }
  for (affine::AffineForOp loop : loops)
    (void)unrollFully(loop);
  if (loops.empty())
    return;
  tile.loads.clear();
  tile.stores.clear();
  for (Operation &op : tile.body()) {
    if (&op == tile.filled)
      break;
    op.walk([&](Operation *inner) {
      if (loadedArray(inner) && !llvm::is_contained(tile.guardedLoads, inner))
        tile.loads.push_back(inner);
      else if (storedArray(inner) &&
               !llvm::is_contained(tile.guardedStores, inner))
        tile.stores.push_back(inner);
    });
  }
}
