//===- PrefetchLegality.cpp - which tiles may have stages -----------------===//
//
// A tile of several stages keeps apart what iterations store to it. That is the
// same as one array where each iteration reads only what it has itself stored.
// It does if the fill of every iteration stores to the same elements: of these
// it reads its own, and the others no iteration stores to.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Prefetch/PrefetchLegality.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Alignment.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

static Refusal refuse(Operation *op, std::string reason) {
  return {op->getLoc(), std::move(reason)};
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {
/// Tells which values of a loop's body are the same in each iteration.
class Invariance {
public:
  explicit Invariance(TileLoop &loop) : tile(loop) {}

  bool isInvariant(Value value) {
    auto [entry, isNew] = known.try_emplace(value, false);
    if (!isNew)
      return entry->second;
    bool invariant = compute(value);
    return known[value] = invariant;
  }

private:
  bool compute(Value value) {
    if (tile.loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    // Short loops in the fill are the same in each iteration.
    if (!op)
      return value != tile.iterator();
    return isPure(op) && op->getNumRegions() == 0 &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isInvariant(operand); });
  }

  TileLoop &tile;
  llvm::DenseMap<Value, bool> known;
};
} // namespace

/// Whether a run of the kernel that gets to `left` never gets to `right`.
static bool areExclusive(Operation *left, Operation *right) {
  for (Operation *op = left; op; op = op->getParentOp()) {
    auto branch = dyn_cast_or_null<scf::IfOp>(op->getParentOp());
    if (!branch || branch->getParentOfType<LoopLikeOpInterface>())
      continue;
    Region *region = op->getParentRegion();
    if (branch->isProperAncestor(right) &&
        !region->findAncestorOpInRegion(*right))
      return true;
  }
  return false;
}

/// Why the accesses of `array` outside the fill stand in the way of stages.
static std::optional<Refusal> checkUses(TileLoop &tile, Value array) {
  for (Operation *user : array.getUsers()) {
    if (accessedArray(user) != array)
      return refuse(user, "the tile is used by more than loads and stores");
    if (tile.isFillStore(user))
      continue;
    if (tile.loop->isProperAncestor(user)) {
      if (!isa<MemoryEffectOpInterface>(user) ||
          hasEffect<MemoryEffects::Write>(user))
        return refuse(user, "the computation writes the tile");
      continue;
    }
    if (areExclusive(tile.loop, user))
      continue;
    Operation *around = tile.loop->getBlock()->findAncestorOpInBlock(*user);
    if (!around || !isStrictlyAfter(user, tile.loop))
      return refuse(user, "the tile is used before the loop, too");
  }
  return std::nullopt;
}

/// Accesses of several elements of `array` at once are aligned in the stage
/// that there is; in those behind it where they begin at a multiple.
static std::optional<Refusal> checkAlignment(Value array) {
  int64_t stageBytes = staticBytes(array.getType());
  for (Operation *user : array.getUsers()) {
    int64_t bytes = movedBytes(user);
    if (auto promised = user->getAttrOfType<IntegerAttr>("alignment"))
      bytes = std::max(bytes, promised.getInt());
    if (bytes > 1 && stageBytes % bytes)
      return refuse(user, "in a stage behind one of " +
                              std::to_string(stageBytes) +
                              " bytes it would not be aligned");
  }
  return std::nullopt;
}

std::optional<Refusal> gpuopt::checkStages(TileLoop &tile) {
  auto counted = dyn_cast<affine::AffineForOp>(*tile.loop);
  if (!counted || counted.getUpperBoundMap().getNumResults() != 1)
    return refuse(tile.loop, "the loop's bounds are not affine");
  for (Value array : tile.tiles) {
    auto type = cast<MemRefType>(array.getType());
    if (!isa<BlockArgument>(array) || !type.hasStaticShape() ||
        !type.getLayout().isIdentity())
      return refuse(tile.loop, "the size of a tile is not known");
    if (std::optional<Refusal> refusal = checkUses(tile, array))
      return refusal;
    if (std::optional<Refusal> refusal = checkAlignment(array))
      return refusal;
  }
  Invariance invariance(tile);
  for (Operation *store :
       llvm::concat<Operation *>(tile.stores, tile.guardedStores)) {
    Value array = accessedArray(store);
    for (Value operand : store->getOperands().drop_front())
      if (operand != array && !invariance.isInvariant(operand))
        return refuse(store, "iterations fill different parts of the tile");
    for (Operation *op = store->getParentOp(); op != tile.loop;
         op = op->getParentOp())
      // Both of its sides store the same.
      if (auto branch = dyn_cast<scf::IfOp>(op);
          branch && !branch->hasAttr(kUnguardedAttrName))
        if (!invariance.isInvariant(branch.getCondition()))
          return refuse(store, "iterations fill different parts of the tile, "
                               "as a guard says");
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// The alignment in bytes that `access` is known to have.
static int64_t alignmentOf(Operation *access, const AccessFunctions &accesses) {
  auto type = cast<MemRefType>(accessedArray(access).getType());
  int64_t alignment = type.getElementTypeBitWidth() / 8;
  if (auto promised = access->getAttrOfType<IntegerAttr>("alignment"))
    alignment = std::max(alignment, promised.getInt());
  if (const AccessFunction *function = accesses.lookup(access))
    alignment =
        std::max(alignment, provenAlignment(*function, accesses.variables()));
  return alignment;
}

std::optional<Refusal>
gpuopt::checkAsyncCopies(const TileLoop &tile,
                         const AccessFunctions &accesses) {
  for (Operation *load : tile.loads)
    for (Operation *user : load->getUsers())
      if (!llvm::is_contained(tile.stores, user) ||
          storedValue(user) != load->getResult(0) ||
          user->getBlock() != load->getBlock())
        return refuse(load, "what is loaded is not copied as it is");
  for (Operation *store : tile.stores) {
    Operation *load = storedValue(store).getDefiningOp();
    if (!load || !llvm::is_contained(tile.loads, load))
      return refuse(store, "what is stored was not loaded");
    int64_t bytes = movedBytes(store);
    if (bytes != 4 && bytes != 8 && bytes != 16)
      return refuse(store, std::to_string(bytes) +
                               " bytes cannot be copied asynchronously: 4, 8 "
                               "or 16 can");
    auto from = cast<MemRefType>(accessedArray(load).getType());
    auto to = cast<MemRefType>(accessedArray(store).getType());
    if (!from.isLastDimUnitStride() ||
        from.getElementType() != to.getElementType())
      return refuse(load, "what is loaded is not copied as it is");
    if (alignmentOf(load, accesses) % bytes ||
        alignmentOf(store, accesses) % bytes || staticBytes(to) % bytes)
      return refuse(store, "a copy of " + std::to_string(bytes) +
                               " bytes is not known to be aligned");
  }
  return std::nullopt;
}
