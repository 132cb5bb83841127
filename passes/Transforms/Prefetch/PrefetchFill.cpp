//===- PrefetchFill.cpp - the fill of another iteration -------------------===//

#include "passes/Transforms/Prefetch/PrefetchFill.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

/// Copies of so many bytes can go around the first-level cache.
static constexpr int64_t kBypassBytes = 16;

//===----------------------------------------------------------------------===//
// Accesses of stages
//===----------------------------------------------------------------------===//

/// The place of the first subscript among the operands of `access`.
static unsigned firstSubscript(Operation *access) {
  Value array = accessedArray(access);
  for (OpOperand &operand : access->getOpOperands())
    if (operand.get() == array)
      return operand.getOperandNumber() + 1;
  llvm_unreachable("an access has its array as an operand");
}

void gpuopt::addStage(Operation *access, Value stage) {
  unsigned position = firstSubscript(access);
  access->insertOperands(position, stage);
  auto attr = access->getAttrOfType<AffineMapAttr>("map");
  if (!attr)
    return;
  AffineMap map = attr.getValue();
  SmallVector<AffineExpr> subscripts = {
      getAffineDimExpr(0, access->getContext())};
  llvm::append_range(subscripts, map.shiftDims(1).getResults());
  access->setAttr("map", AffineMapAttr::get(AffineMap::get(
                             map.getNumDims() + 1, map.getNumSymbols(),
                             subscripts, access->getContext())));
}

/// The only result of `map`; a constant where it is one.
static Value createApply(OpBuilder &builder, Location loc, AffineMap map,
                         ValueRange operands) {
  SmallVector<OpFoldResult> folded(operands);
  return getValueOrCreateConstantIndexOp(
      builder, loc,
      affine::makeComposedFoldedAffineApply(builder, loc, map, folded));
}

/// The subscripts of `access` as values.
static SmallVector<Value> expandSubscripts(OpBuilder &builder,
                                           Operation *access) {
  SmallVector<Value> operands(
      access->getOperands().drop_front(firstSubscript(access)));
  auto attr = access->getAttrOfType<AffineMapAttr>("map");
  if (!attr)
    return operands;
  SmallVector<Value> subscripts;
  AffineMap map = attr.getValue();
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    subscripts.push_back(
        createApply(builder, access->getLoc(), map.getSubMap({i}), operands));
  return subscripts;
}

//===----------------------------------------------------------------------===//
// Copies of the fill
//===----------------------------------------------------------------------===//

SmallVector<Value> gpuopt::createPoison(OpBuilder &builder, Location loc,
                                        TypeRange types) {
  SmallVector<Value> values;
  for (Type type : types)
    values.push_back(ub::PoisonOp::create(builder, loc, type));
  return values;
}

SmallVector<Value>
gpuopt::guarded(OpBuilder &builder, Location loc, Value condition,
                llvm::function_ref<SmallVector<Value>(OpBuilder &)> body,
                ValueRange otherwise) {
  if (!condition)
    return body(builder);
  // The types are known after the body has been written.
  auto branch = scf::IfOp::create(builder, loc, TypeRange(), condition,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/false);
  OpBuilder inside = OpBuilder::atBlockEnd(branch.thenBlock());
  SmallVector<Value> values = body(inside);
  scf::YieldOp::create(inside, loc, values);
  if (values.empty())
    return {};
  auto typed = scf::IfOp::create(builder, loc, TypeRange(ValueRange(values)),
                                 condition, /*addThenBlock=*/false,
                                 /*addElseBlock=*/true);
  typed.getThenRegion().takeBody(branch.getThenRegion());
  branch.erase();
  OpBuilder other = OpBuilder::atBlockEnd(&typed.getElseRegion().front());
  SmallVector<Value> unused(otherwise);
  if (unused.empty())
    unused = createPoison(other, loc, typed.getResultTypes());
  scf::YieldOp::create(other, loc, unused);
  return SmallVector<Value>(typed.getResults());
}

void FillCopy::visitLoad(OpBuilder &builder, Operation &load) {
  if (part == Part::Stores) {
    map.map(load.getResult(0), given.front());
    given = given.drop_front();
    return;
  }
  Operation *copy = builder.clone(load, map);
  if (part == Part::Loads)
    values.push_back(copy->getResult(0));
}

/// Copies asynchronously what `from` loads to where `to` stores.
static void createAsyncCopy(OpBuilder &builder, Operation *from,
                            Operation *to) {
  SmallVector<Value> source = expandSubscripts(builder, from);
  SmallVector<Value> target = expandSubscripts(builder, to);
  auto vector = dyn_cast<VectorType>(from->getResult(0).getType());
  int64_t elements = vector ? vector.getNumElements() : 1;
  UnitAttr bypass =
      movedBytes(from) == kBypassBytes ? builder.getUnitAttr() : UnitAttr();
  nvgpu::DeviceAsyncCopyOp::create(
      builder, to->getLoc(),
      nvgpu::DeviceAsyncTokenType::get(builder.getContext()), accessedArray(to),
      target, accessedArray(from), source, builder.getIndexAttr(elements),
      /*srcElements=*/Value(), bypass);
}

void FillCopy::copyAsync(OpBuilder &builder, Operation &store) {
  Operation *load = storedValue(&store).getDefiningOp();
  // Both sides for this iteration, as operations whose operands can be read.
  Operation *from = builder.clone(*load, map);
  map.map(load->getResult(0), from->getResult(0));
  Operation *to = builder.clone(store, map);
  addStage(to, stage);
  createAsyncCopy(builder, from, to);
  to->erase();
  from->erase();
}

void FillCopy::visitStore(OpBuilder &builder, Operation &store) {
  if (part == Part::Loads)
    return;
  if (part == Part::AsyncCopies)
    return copyAsync(builder, store);
  Operation *copy = builder.clone(store, map);
  if (stage)
    addStage(copy, stage);
}

/// A copy of bytes that can be asynchronous, from `load` to `store`.
static bool isCopyable(Operation *load, Operation *store) {
  int64_t bytes = movedBytes(store);
  auto from = cast<MemRefType>(accessedArray(load).getType());
  auto to = cast<MemRefType>(accessedArray(store).getType());
  return (bytes == 4 || bytes == 8) && from.isLastDimUnitStride() &&
         from.getElementType() == to.getElementType() &&
         !isa<VectorType>(storedValue(store).getType());
}

/// Where `store` stores what is loaded under a guard, or else a number, copies
/// asynchronously under the guard, and stores the number otherwise.
static void copyChosen(Operation *store) {
  auto choice = storedValue(store).getDefiningOp<scf::IfOp>();
  if (!choice || choice.getNumResults() != 1 || !choice->hasOneUse() ||
      choice->getBlock() != store->getBlock())
    return;
  Operation *load = choice.thenYield().getOperand(0).getDefiningOp();
  if (!load || load->getBlock() != choice.thenBlock() || !accessedArray(load) ||
      !load->hasOneUse() || !isCopyable(load, store))
    return;
  Location loc = store->getLoc();
  OpBuilder builder(store);
  auto branch = scf::IfOp::create(builder, loc, choice.getCondition(),
                                  /*withElseRegion=*/true);
  Value number = choice.elseYield().getOperand(0);
  for (auto [from, to] : {std::pair(choice.thenBlock(), branch.thenBlock()),
                          std::pair(choice.elseBlock(), branch.elseBlock())})
    to->getOperations().splice(to->begin(), from->getOperations(),
                               from->begin(), std::prev(from->end()));
  builder.setInsertionPoint(branch.thenYield());
  createAsyncCopy(builder, load, store);
  store->moveBefore(branch.elseYield());
  store->setOperand(0, number);
  choice.erase();
  load->erase();
}

/// The code without guards is loaded ahead; so is what the code with guards
/// beside it loads, where asynchronous copies can take one element.
void FillCopy::visitVersions(OpBuilder &builder, scf::IfOp versions) {
  auto copies = scf::IfOp::create(builder, versions.getLoc(),
                                  map.lookupOrDefault(versions.getCondition()),
                                  /*withElseRegion=*/true);
  copies->setDiscardableAttrs(versions->getDiscardableAttrDictionary());
  OpBuilder first = copies.getThenBodyBuilder();
  for (Operation &op : versions.thenBlock()->without_terminator())
    visit(first, op);
  OpBuilder second = copies.getElseBodyBuilder();
  for (Operation &op : versions.elseBlock()->without_terminator())
    second.clone(op, map);
  SmallVector<Operation *> stores;
  copies.getElseRegion().walk([&](Operation *op) {
    if (Value array = accessedArray(op); array && tile.tiles.contains(array))
      stores.push_back(op);
  });
  for (Operation *store : stores) {
    if (stage)
      addStage(store, stage);
    if (part == Part::AsyncCopies)
      copyChosen(store);
  }
}

void FillCopy::visitBranch(OpBuilder &builder, scf::IfOp branch) {
  if (!branch.getElseRegion().empty())
    return visitVersions(builder, branch);
  size_t before = values.size();
  SmallVector<Value> results = guarded(
      builder, branch.getLoc(), map.lookupOrDefault(branch.getCondition()),
      [&](OpBuilder &inside) {
        for (Operation &op : branch.thenBlock()->without_terminator())
          visit(inside, op);
        return SmallVector<Value>(ArrayRef(values).drop_front(before));
      });
  values.truncate(before);
  values.append(results);
}

void FillCopy::visit(OpBuilder &builder, Operation &op) {
  if (llvm::is_contained(tile.loads, &op)) {
    if (part != Part::AsyncCopies)
      visitLoad(builder, op);
  } else if (llvm::is_contained(tile.stores, &op))
    visitStore(builder, op);
  else if (auto branch = dyn_cast<scf::IfOp>(op))
    visitBranch(builder, branch);
  else
    builder.clone(op, map);
}

void FillCopy::run(OpBuilder &builder) {
  map.map(const_cast<TileLoop &>(tile).iterator(), iterator);
  for (Operation &op : const_cast<TileLoop &>(tile).body()) {
    if (&op == tile.filled)
      break;
    visit(builder, op);
  }
}

SmallVector<Value> FillCopy::load(OpBuilder &builder) {
  part = Part::Loads;
  run(builder);
  return values;
}

void FillCopy::store(OpBuilder &builder, ValueRange loaded) {
  part = Part::Stores;
  given = loaded;
  run(builder);
}

void FillCopy::copy(OpBuilder &builder, bool async) {
  part = async ? Part::AsyncCopies : Part::Both;
  run(builder);
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

/// The result of `map`, or with several results their least or greatest.
template <typename MinOrMax>
static Value createBound(OpBuilder &builder, Location loc, AffineMap map,
                         ValueRange operands) {
  if (map.getNumResults() > 1)
    return MinOrMax::create(builder, loc, map, operands);
  return createApply(builder, loc, map, operands);
}

Iterations::Iterations(LoopLikeOpInterface like) : loop(like) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  if (auto counted = dyn_cast<affine::AffineForOp>(*loop)) {
    lower = createBound<affine::AffineMaxOp>(builder, loc,
                                             counted.getLowerBoundMap(),
                                             counted.getLowerBoundOperands());
    upper = createBound<affine::AffineMinOp>(builder, loc,
                                             counted.getUpperBoundMap(),
                                             counted.getUpperBoundOperands());
    affineStep = counted.getStepAsInt();
    return;
  }
  auto counted = cast<scf::ForOp>(*loop);
  lower = counted.getLowerBound();
  upper = counted.getUpperBound();
  step = counted.getStep();
}

Value Iterations::advance(OpBuilder &builder, Value from, int64_t iterations) {
  if (iterations == 0)
    return from;
  Location loc = loop.getLoc();
  if (affineStep) {
    AffineMap map = AffineMap::get(
        1, 0, builder.getAffineDimExpr(0) + iterations * *affineStep);
    return createApply(builder, loc, map, from);
  }
  Value count = arith::ConstantIndexOp::create(builder, loc, iterations);
  Value distance = builder.createOrFold<arith::MulIOp>(loc, step, count);
  return builder.createOrFold<arith::AddIOp>(loc, from, distance);
}

Value Iterations::exists(OpBuilder &builder, Value iterator) {
  Value condition = builder.createOrFold<arith::CmpIOp>(
      loop.getLoc(), arith::CmpIPredicate::slt, iterator, upper);
  return matchPattern(condition, m_One()) ? Value() : condition;
}

Value Iterations::stage(OpBuilder &builder, int64_t distance, int64_t stages) {
  AffineExpr iterator = builder.getAffineDimExpr(0);
  AffineExpr first = builder.getAffineDimExpr(1);
  AffineExpr stage =
      ((iterator - first).floorDiv(*affineStep) + distance) % stages;
  return createApply(builder, loop.getLoc(), AffineMap::get(2, 0, stage),
                     {*loop.getSingleInductionVar(), lower});
}

Value Iterations::lastStage(OpBuilder &builder, int64_t stages) {
  AffineExpr first = builder.getAffineDimExpr(0);
  AffineExpr end = builder.getAffineDimExpr(1);
  AffineExpr stage = (end - first - 1).floorDiv(*affineStep) % stages;
  return createApply(builder, loop.getLoc(), AffineMap::get(2, 0, stage),
                     {lower, upper});
}
