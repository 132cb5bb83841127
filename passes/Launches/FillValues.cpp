//===- FillValues.cpp - what a thread has stored, computed again ----------===//
//
// check what the value is computed from → at the load, the same operations on
// the ids and iterators of the store.
//
//===----------------------------------------------------------------------===//

#include "passes/Launches/FillValues.h"

#include "passes/Analysis/SubscriptRanges.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace gpuopt;

static Value storedValue(Operation *store) {
  if (auto affineStore = dyn_cast<affine::AffineStoreOp>(store))
    return affineStore.getValueToStore();
  return cast<memref::StoreOp>(store).getValueToStore();
}

static bool isLoad(Operation *op) {
  return isa<affine::AffineLoadOp, memref::LoadOp>(op);
}

/// The dimension along which `op` is the id of a thread or a work item.
static std::optional<unsigned> dimensionOfId(Operation *op) {
  if (auto id = dyn_cast_or_null<gpu::ThreadIdOp>(op))
    return static_cast<unsigned>(id.getDimension());
  if (auto id = dyn_cast_or_null<gpu::GlobalIdOp>(op))
    return static_cast<unsigned>(id.getDimension());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What can be computed again
//===----------------------------------------------------------------------===//

/// Whether nothing has to be computed: the value is the same in both threads,
/// or told apart by who stored.
bool FillValues::isKnown(Value value, const FilledLoad &load) const {
  if (std::optional<unsigned> dimension = dimensionOfId(value.getDefiningOp()))
    return load.ids[*dimension].has_value();
  bool isIterator = llvm::any_of(load.iterators, [&](const auto &iterator) {
    return iterator.first == value;
  });
  return isIterator || fills.isCommon(value, load.load);
}

std::optional<Refusal> FillValues::checkValue(Value value,
                                              const FilledLoad &load) {
  if (isKnown(value, load) || computable.contains(value))
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op)
    return Refusal{storedValue(load.store).getLoc(),
                   "what is stored depends on a value that a loop carries"};
  return checkOperation(op, load);
}

std::optional<Refusal> FillValues::checkOperation(Operation *op,
                                                  const FilledLoad &load) {
  if (isLoad(op)) {
    if (!uniformity.isReadOnly(memoryRoot(getAccessedMemRef(op))))
      return Refusal{op->getLoc(), "what is stored was loaded from memory that "
                                   "the kernel may write"};
  } else if (isa<scf::IfOp>(op)) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps()) {
        bool ends = nested.hasTrait<OpTrait::IsTerminator>();
        for (Value operand : nested.getOperands())
          if (auto refusal = ends ? checkValue(operand, load) : std::nullopt)
            return refusal;
        if (auto refusal = ends ? std::nullopt : checkOperation(&nested, load))
          return refusal;
      }
  } else if (op->getNumRegions() || !isPure(op) || !isFunctionOfOperands(op)) {
    return Refusal{op->getLoc(), "what is stored is computed by '" +
                                     op->getName().getStringRef().str() + "'"};
  }
  for (Value operand : op->getOperands())
    if (auto refusal = checkValue(operand, load))
      return refusal;
  for (Value result : op->getResults())
    computable.insert(result);
  return std::nullopt;
}

std::optional<Refusal> FillValues::findObstacle(const FilledLoad &load) {
  computable.clear();
  return checkValue(storedValue(load.store), load);
}

//===----------------------------------------------------------------------===//
// Computing it again
//===----------------------------------------------------------------------===//

/// The id as the thread that stored has it.
Value FillValues::buildId(OpBuilder &builder, Operation *id,
                          const FilledLoad &load) {
  unsigned dimension = *dimensionOfId(id);
  Polynomial thread = *load.ids[dimension];
  if (isa<gpu::GlobalIdOp>(id)) {
    bool isOwn = thread == values.getId(Atom::Kind::ThreadId, dimension);
    int64_t threads = (*kernel.getKnownBlockSize())[dimension];
    thread =
        isOwn ? values.getId(Atom::Kind::GlobalId, dimension)
              : values.getId(Atom::Kind::BlockId, dimension) * threads + thread;
  }
  return indices.build(builder, load.load->getLoc(), thread, /*isExact=*/true);
}

/// The results of `map`, all of whose operands become dimensions; empty where
/// one is no operand of an affine operation.
static AffineMap asDimensions(AffineMap map, ValueRange operands,
                              Region *scope) {
  if (!llvm::all_of(operands, [&](Value operand) {
        return affine::isValidDim(operand, scope);
      }))
    return AffineMap();
  SmallVector<AffineExpr> dims, symbols;
  for (unsigned i = 0, e = map.getNumInputs(); i < e; ++i)
    (i < map.getNumDims() ? dims : symbols)
        .push_back(getAffineDimExpr(i, map.getContext()));
  return map.replaceDimsAndSymbols(dims, symbols, map.getNumInputs(), 0);
}

/// `expressions` combined by `Combine`, of affine.min and affine.max.
template <typename Combine>
static Value combine(OpBuilder &builder, Location loc,
                     ArrayRef<Value> expressions) {
  Value all = expressions.front();
  for (Value next : expressions.drop_front())
    all = Combine::create(builder, loc, all, next);
  return all;
}

/// The affine operation `op` on `operands`, affine if they may stand there.
static Value buildAffine(OpBuilder &builder, Operation *op, Value memref,
                         ValueRange operands, Region *scope) {
  Location loc = op->getLoc();
  AffineMap map = cast<AffineMapAttr>(op->getAttr("map")).getValue();
  AffineMap dims = asDimensions(map, operands, scope);
  if (dims && memref)
    return affine::AffineLoadOp::create(builder, loc, memref, dims, operands);
  if (dims && isa<affine::AffineApplyOp>(op))
    return affine::AffineApplyOp::create(builder, loc, dims, operands);
  SmallVector<Value> results =
      *affine::expandAffineMap(builder, loc, map, operands);
  if (memref)
    return memref::LoadOp::create(builder, loc, memref, results);
  if (isa<affine::AffineMinOp>(op))
    return combine<arith::MinSIOp>(builder, loc, results);
  if (isa<affine::AffineMaxOp>(op))
    return combine<arith::MaxSIOp>(builder, loc, results);
  return results.front();
}

Value FillValues::build(OpBuilder &builder, Value value, const FilledLoad &load,
                        IRMapping &built) {
  if (Value done = built.lookupOrNull(value))
    return done;
  Operation *op = value.getDefiningOp();
  if (dimensionOfId(op)) {
    built.map(value, buildId(builder, op, load));
    return built.lookup(value);
  }
  for (const auto &[iterator, stored] : load.iterators)
    if (iterator == value) {
      built.map(value, indices.build(builder, load.load->getLoc(), stored,
                                     /*isExact=*/true));
      return built.lookup(value);
    }
  if (fills.isCommon(value, load.load))
    return value;
  buildOperation(builder, op, load, built);
  return built.lookup(value);
}

void FillValues::buildOperation(OpBuilder &builder, Operation *op,
                                const FilledLoad &load, IRMapping &built) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(build(builder, operand, load, built));
  // What regions use from outside is computed outside again.
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    built.map(value, build(builder, value, load, built));

  Region *scope = affine::getAffineScope(load.load);
  if (isa<affine::AffineLoadOp>(op))
    return built.map(op->getResult(0),
                     buildAffine(builder, op, operands.front(),
                                 ValueRange(operands).drop_front(), scope));
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op))
    return built.map(op->getResult(0),
                     buildAffine(builder, op, Value(), operands, scope));
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch) {
    for (auto [from, to] : llvm::zip(op->getOperands(), operands))
      built.map(from, to);
    builder.clone(*op, built);
    return;
  }
  auto copy = scf::IfOp::create(builder, op->getLoc(), op->getResultTypes(),
                                operands.front(), /*addThenBlock=*/true,
                                /*addElseBlock=*/branch.elseBlock() != nullptr);
  for (auto [from, to] : llvm::zip(branch->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder inside = OpBuilder::atBlockBegin(&to.front());
    for (Operation &nested : from.front()) {
      if (isa<scf::YieldOp>(nested))
        inside.clone(nested, built);
      else
        buildOperation(inside, &nested, load, built);
    }
  }
  built.map(branch.getResults(), copy.getResults());
}

void FillValues::replace(const FilledLoad &load) {
  OpBuilder builder(load.load);
  IRMapping built;
  Value value = build(builder, storedValue(load.store), load, built);
  // Another load may have its place in a tile from this one.
  indices.replace(load.load->getResult(0), value);
  load.load->getResult(0).replaceAllUsesWith(value);
}
