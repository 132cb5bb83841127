//===- BlockSlice.cpp - values of other threads of a block ----------------===//

#include "passes/Transforms/Utils/BlockSlice.h"

#include "passes/Analysis/Speculation.h"
#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Finding slices
//===----------------------------------------------------------------------===//

void BlockSlice::merge(const BlockSlice &other) {
  if (obstacle.empty())
    obstacle = other.obstacle;
  for (unsigned dim = 0; dim < 3; ++dim) {
    threadIds[dim] |= other.threadIds[dim];
    blockIds[dim] |= other.blockIds[dim];
  }
  iterators.insert_range(other.iterators);
}

/// Adds a block argument to `slice`.
static void addArgument(BlockArgument argument, BlockSlice &slice) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<gpu::GPUFuncOp>(owner))
    return;
  bool isIterator = (isa<affine::AffineForOp, scf::ForOp>(owner) &&
                     argument.getArgNumber() == 0) ||
                    isa<affine::AffineParallelOp>(owner);
  if (isIterator)
    slice.iterators.insert(argument);
  else
    slice.obstacle = "a value is carried around a loop";
}

/// Whether `op` may be computed again, elsewhere and for other threads. At the
/// top of the kernel all threads compute it: what is the same for a block need
/// not be computed again, and a division by such a number is defined.
static bool canBeRepeated(Operation *op, RangeOfValue rangeOf) {
  if (isTotal(op, rangeOf))
    return true;
  if (!isa<arith::ArithDialect>(op->getDialect()) || !isMemoryEffectFree(op) ||
      !isa<gpu::GPUFuncOp>(op->getParentOp()))
    return false;
  Value divisor = getDivisor(op);
  return computeSlice(op->getOperands()).isUniform() ||
         (divisor && isTotalForItsDivisor(op, rangeOf) &&
          computeSlice(divisor).isUniform());
}

/// Adds an operation to `slice`; true where its operands follow.
static bool addOp(Operation *op, RangeOfValue rangeOf, BlockSlice &slice) {
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    slice.threadIds[static_cast<unsigned>(id.getDimension())] = true;
    return false;
  }
  if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
    slice.blockIds[static_cast<unsigned>(id.getDimension())] = true;
    return false;
  }
  if (isa<gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::GlobalIdOp>(op) ||
      op->getNumRegions() || !canBeRepeated(op, rangeOf)) {
    slice.obstacle =
        hasEffect<MemoryEffects::Read>(op)
            ? "a value is loaded from memory"
            : ("a value is computed by '" + op->getName().getStringRef() + "'")
                  .str();
    return false;
  }
  return true;
}

BlockSlice gpuopt::computeSlice(ValueRange values) {
  BlockSlice slice;
  SmallVector<Value> worklist(values);
  llvm::SmallPtrSet<Operation *, 16> seen;
  std::optional<LazyRanges> ranges;
  while (!worklist.empty() && slice.isComputable()) {
    Value value = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      addArgument(argument, slice);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!ranges)
      ranges.emplace(op);
    if (seen.insert(op).second && addOp(op, *ranges, slice))
      worklist.append(op->operand_begin(), op->operand_end());
  }
  return slice;
}

BlockSlice gpuopt::computeSlice(Value value) {
  return computeSlice(ValueRange(value));
}

//===----------------------------------------------------------------------===//
// Affine operations on any operands
//===----------------------------------------------------------------------===//

/// Makes `map(operands)` valid where it is created: symbols that are none
/// become dimensions. False where an operand may not occur at all.
static bool legalize(AffineMap &map, SmallVectorImpl<Value> &operands) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims, symbols;
  SmallVector<Value> dimOperands, symbolOperands;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    bool isSymbol =
        number >= map.getNumDims() && affine::isValidSymbol(operand);
    if (!isSymbol && !affine::isValidDim(operand))
      return false;
    AffineExpr expr = isSymbol
                          ? getAffineSymbolExpr(symbolOperands.size(), context)
                          : getAffineDimExpr(dimOperands.size(), context);
    (isSymbol ? symbolOperands : dimOperands).push_back(operand);
    (number < map.getNumDims() ? dims : symbols).push_back(expr);
  }
  map = map.replaceDimsAndSymbols(dims, symbols, dimOperands.size(),
                                  symbolOperands.size());
  operands = dimOperands;
  operands.append(symbolOperands);
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  for (auto [number, operand] : llvm::enumerate(operands))
    if (number < map.getNumDims() ? !affine::isValidDim(operand)
                                  : !affine::isValidSymbol(operand))
      return false;
  return true;
}

Value gpuopt::createApply(OpBuilder &builder, Location loc, AffineMap map,
                          ArrayRef<Value> operands) {
  SmallVector<Value> legal(operands);
  AffineMap legalMap = map;
  if (!legalize(legalMap, legal))
    return affine::expandAffineMap(builder, loc, map, operands)->front();
  AffineExpr result = legalMap.getResult(0);
  if (auto constant = dyn_cast<AffineConstantExpr>(result))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(result))
    return legal[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(result))
    return legal[legalMap.getNumDims() + symbol.getPosition()];
  return affine::AffineApplyOp::create(builder, loc, legalMap, legal);
}

affine::AffineParallelOp
gpuopt::createCollectiveLoop(OpBuilder &builder, Location loc,
                             ArrayRef<int64_t> extents) {
  auto loop = affine::AffineParallelOp::create(
      builder, loc, TypeRange(), ArrayRef<arith::AtomicRMWKind>(), extents);
  loop->setAttr(kCollectiveAttrName, builder.getUnitAttr());
  return loop;
}

Value gpuopt::createLoad(OpBuilder &builder, Location loc, Value memref,
                         ValueRange indices) {
  auto map = builder.getMultiDimIdentityMap(indices.size());
  SmallVector<Value> operands(indices);
  if (!indices.empty() && legalize(map, operands))
    return affine::AffineLoadOp::create(builder, loc, memref, map, operands);
  return memref::LoadOp::create(builder, loc, memref, indices);
}

void gpuopt::createStore(OpBuilder &builder, Location loc, Value value,
                         Value memref, ValueRange indices) {
  auto map = builder.getMultiDimIdentityMap(indices.size());
  SmallVector<Value> operands(indices);
  if (!indices.empty() && legalize(map, operands))
    affine::AffineStoreOp::create(builder, loc, value, memref, map, operands);
  else
    memref::StoreOp::create(builder, loc, value, memref, indices);
}

//===----------------------------------------------------------------------===//
// Cloning slices
//===----------------------------------------------------------------------===//

bool SliceCloner::isAvailable(Value value) {
  if (isa<BlockArgument>(value))
    return true; // Arguments and iterators of loops around.
  Operation *definition = value.getDefiningOp();
  Block *block = builder.getInsertionBlock();
  if (definition->getBlock() == block)
    return builder.getInsertionPoint() == block->end() ||
           definition->isBeforeInBlock(&*builder.getInsertionPoint());
  Operation *around =
      definition->getBlock()->findAncestorOpInBlock(*block->getParentOp());
  return around && definition->isBeforeInBlock(around);
}

Value SliceCloner::clone(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return value;
  Value result;
  auto id = dyn_cast<gpu::ThreadIdOp>(definition);
  if (id && threadIds[static_cast<unsigned>(id.getDimension())])
    result = threadIds[static_cast<unsigned>(id.getDimension())];
  else
    result = cloneOp(definition, cast<OpResult>(value).getResultNumber());
  mapping.map(value, result);
  return result;
}

Value SliceCloner::cloneOp(Operation *op, unsigned result) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(clone(operand));
  if (llvm::equal(operands, op->getOperands()) &&
      isAvailable(op->getResult(result)))
    return op->getResult(result);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return cloneApply(op->getLoc(), apply.getAffineMap(), operands);
  // The least (greatest) of several results, by comparisons: affine.min is
  // as particular about its operands as affine.apply.
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    auto minimum = dyn_cast<affine::AffineMinOp>(op);
    AffineMap map =
        minimum ? minimum.getMap() : cast<affine::AffineMaxOp>(op).getMap();
    Value best;
    for (unsigned number = 0; number < map.getNumResults(); ++number) {
      Value next = cloneApply(op->getLoc(), map.getSubMap({number}), operands);
      if (!best)
        best = next;
      else if (minimum)
        best = arith::MinSIOp::create(builder, op->getLoc(), best, next);
      else
        best = arith::MaxSIOp::create(builder, op->getLoc(), best, next);
    }
    return best;
  }
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  // What holds for the operands of the original need not for these.
  dropPoisonFlags(copy);
  return copy->getResult(result);
}

Value SliceCloner::cloneApply(Location loc, AffineMap map,
                              ArrayRef<Value> operands) {
  return createApply(builder, loc, map, operands);
}

SmallVector<Value> SliceCloner::cloneIndices(Operation *op) {
  SmallVector<Value> indices;
  if (isa<affine::AffineLoadOp, affine::AffineStoreOp>(op)) {
    auto load = dyn_cast<affine::AffineLoadOp>(op);
    auto store = dyn_cast<affine::AffineStoreOp>(op);
    AffineMap map = load ? load.getAffineMap() : store.getAffineMap();
    auto range = load ? load.getMapOperands() : store.getMapOperands();
    SmallVector<Value> operands;
    for (Value operand : range)
      operands.push_back(clone(operand));
    for (unsigned number = 0; number < map.getNumResults(); ++number)
      indices.push_back(
          cloneApply(op->getLoc(), map.getSubMap({number}), operands));
    return indices;
  }
  auto load = dyn_cast<memref::LoadOp>(op);
  auto range =
      load ? load.getIndices() : cast<memref::StoreOp>(op).getIndices();
  for (Value index : range)
    indices.push_back(clone(index));
  return indices;
}

Value SliceCloner::cloneLoad(Operation *op) {
  Value memref = clone(op->getOperand(0));
  return createLoad(builder, op->getLoc(), memref, cloneIndices(op));
}

void SliceCloner::cloneStore(Operation *op, Value stored) {
  Value memref = clone(op->getOperand(1));
  createStore(builder, op->getLoc(), stored, memref, cloneIndices(op));
}

Operation *SliceCloner::findUncloneable(Block &body) {
  for (Operation &op : body.without_terminator()) {
    if (isa<affine::AffineLoadOp, memref::LoadOp, affine::AffineStoreOp,
            memref::StoreOp>(op) ||
        (op.getNumRegions() == 0 && isMemoryEffectFree(&op)))
      continue;
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch)
      return &op;
    for (Region &region : branch->getRegions())
      if (!region.empty())
        if (Operation *found = findUncloneable(region.front()))
          return found;
  }
  return nullptr;
}

void SliceCloner::cloneBody(Block &body) {
  for (Operation &op : body.without_terminator()) {
    if (isa<affine::AffineLoadOp, memref::LoadOp>(op)) {
      mapping.map(op.getResult(0), cloneLoad(&op));
    } else if (isa<affine::AffineStoreOp, memref::StoreOp>(op)) {
      cloneStore(&op, clone(op.getOperand(0)));
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Value condition = clone(branch.getCondition());
      auto copy = scf::IfOp::create(builder, op.getLoc(), op.getResultTypes(),
                                    condition, !branch.getElseRegion().empty());
      // What is computed in one region is not there outside of it.
      IRMapping outside = mapping;
      for (auto [from, to] :
           llvm::zip_equal(branch->getRegions(), copy->getRegions())) {
        if (from.empty())
          continue;
        OpBuilder::InsertionGuard keep(builder);
        builder.setInsertionPointToStart(&to.front());
        cloneBody(from.front());
        if (branch.getNumResults() != 0)
          scf::YieldOp::create(
              builder, op.getLoc(),
              llvm::map_to_vector(from.front().getTerminator()->getOperands(),
                                  [&](Value value) { return clone(value); }));
        mapping = outside;
      }
      mapping.map(branch.getResults(), copy.getResults());
    }
    // Others are repeated where their results are needed.
  }
}
