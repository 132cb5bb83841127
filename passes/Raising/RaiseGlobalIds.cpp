//===- RaiseGlobalIds.cpp - block * size + thread to gpu.global_id --------===//
//
// The value of each integer operation is read as a polynomial (IntegerValues),
// in which `block_id * block_dim + thread_id` is one atom. An operation where
// the atom appears for the first time, its operands still spelling it with
// thread and block ids, is computed anew from `gpu.global_id`. Where the
// block's size is known, `block_id * 16 + thread_id` is the atom as well.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/BlockItems.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Raising/IndexBuilder.h"
#include "passes/Raising/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISEGLOBALIDS
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {

/// The ids of one dimension, as variables.
struct DimensionIds {
  unsigned global, thread, block, blockDim;
  /// Threads of a block; nothing where that is not known.
  std::optional<int64_t> size;

  DimensionIds(IntegerValues &values, unsigned dimension,
               std::optional<ArrayRef<int32_t>> sizes) {
    if (sizes)
      size = (*sizes)[dimension];
    auto get = [&](Atom::Kind kind) {
      return *values.getId(kind, dimension).getVariable();
    };
    global = get(Atom::Kind::GlobalId);
    thread = get(Atom::Kind::ThreadId);
    block = get(Atom::Kind::BlockId);
    blockDim = get(Atom::Kind::BlockDim);
  }

  /// `value` with the work item's id in place of its parts, if it is that.
  Polynomial withGlobal(const Polynomial &value) const {
    Polynomial ofThread = value.getCofactor(thread);
    if (!size || ofThread.isZero() ||
        value.getCofactor(block) != ofThread * Polynomial(*size))
      return value;
    return value + ofThread * (Polynomial::variable(global) -
                               Polynomial::variable(thread) -
                               Polynomial(*size) * Polynomial::variable(block));
  }

  bool usesParts(const Polynomial &value) const {
    return value.contains(thread) || value.contains(block) ||
           value.contains(blockDim);
  }
  /// True where `value` has the work item's id in place of its parts.
  bool usesOnlyGlobal(const Polynomial &value) const {
    return value.contains(global) && !usesParts(value);
  }
};

class RaiseGlobalIdsPass
    : public gpuopt::impl::RaiseGlobalIdsBase<RaiseGlobalIdsPass> {
public:
  using Base::Base;
  void runOnOperation() override;

private:
  void emitRemarks(gpu::GPUFuncOp kernel, ArrayRef<bool> raised);
};

} // namespace

/// What `value` is, with the ids of work items.
static IntegerValue getNumber(Value value, IntegerValues &values,
                              ArrayRef<DimensionIds> ids) {
  IntegerValue number = values.get(value);
  for (const DimensionIds &id : ids)
    number.value = id.withGlobal(number.value);
  return number;
}

/// What an operation computes of ids: its result or, where it compares for
/// equality, what it compares with 0. LLVM writes `b * s + t == 0` as
/// `b * s == 0 - t`.
static std::optional<IntegerValue>
getNumber(Operation *op, IntegerValues &values, ArrayRef<DimensionIds> ids) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    bool isEquality = compare.getPredicate() == arith::CmpIPredicate::eq ||
                      compare.getPredicate() == arith::CmpIPredicate::ne;
    if (!isEquality || getBits(compare.getLhs().getType()) < 32)
      return std::nullopt;
    IntegerValue difference;
    difference.value =
        values.get(compare.getLhs()).value - values.get(compare.getRhs()).value;
    for (const DimensionIds &id : ids)
      difference.value = id.withGlobal(difference.value);
    return difference;
  }
  if (op->getNumResults() != 1 || getBits(op->getResult(0).getType()) < 32 ||
      !isa<arith::ArithDialect>(op->getDialect()))
    return std::nullopt;
  return getNumber(op->getResult(0), values, ids);
}

/// The first dimension whose id this operation puts together.
static std::optional<unsigned> formsGlobalId(Operation *op,
                                             IntegerValues &values,
                                             ArrayRef<DimensionIds> ids) {
  std::optional<IntegerValue> number = getNumber(op, values, ids);
  if (!number)
    return std::nullopt;
  Polynomial value = number->value;
  for (auto [dimension, id] : llvm::enumerate(ids))
    if (id.usesOnlyGlobal(value) &&
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return getBits(operand.getType()) != 0 &&
                 id.usesParts(getNumber(operand, values, ids).value);
        }))
      return dimension;
  return std::nullopt;
}

/// Blocks of one thread, as upstream makes them from parallel loops: the
/// block's id is the work item's id.
static SmallVector<bool> raiseSingleThreadBlocks(gpu::GPUFuncOp kernel) {
  SmallVector<bool> raised(3, false);
  std::optional<ArrayRef<int32_t>> sizes = kernel.getKnownBlockSize();
  if (!sizes || llvm::any_of(*sizes, [](int32_t size) { return size != 1; }))
    return raised;
  kernel.walk([&](Operation *op) {
    OpBuilder builder(op);
    Value id;
    if (auto block = dyn_cast<gpu::BlockIdOp>(op)) {
      id = gpu::GlobalIdOp::create(builder, op->getLoc(), block.getDimension());
      raised[static_cast<unsigned>(block.getDimension())] = true;
    } else if (isa<gpu::ThreadIdOp>(op)) {
      id = arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
    } else {
      return;
    }
    op->getResult(0).replaceAllUsesWith(id);
    op->erase();
  });
  kernel.removeKnownBlockSizeAttr();
  return raised;
}

/// `number`, which has the work item's id `global` in it, in `type`. Upstream
/// takes an index for what comes back from a cast to fewer bits: a number that
/// does not fit there is a sum of that type.
static Value buildNumber(OpBuilder &builder, Location loc, Type type,
                         const IntegerValue &number, unsigned global,
                         IndexBuilder &indices) {
  auto build = [&](const Polynomial &value, bool isExact) {
    return indices.build(builder, loc, value, isExact);
  };
  if (!number.isSigned && !number.isUnsigned && getBits(type) < 64) {
    auto truncate = [&](const Polynomial &value) -> Value {
      return arith::IndexCastOp::create(builder, loc, type,
                                        build(value, /*isExact=*/false));
    };
    Polynomial id = Polynomial::variable(global);
    return arith::AddIOp::create(builder, loc, truncate(id),
                                 truncate(number.value - id));
  }
  Value value = build(number.value, number.isSigned);
  if (type.isIndex())
    return value;
  if (getBits(type) == 64 || number.isSigned)
    return arith::IndexCastOp::create(builder, loc, type, value);
  return arith::IndexCastUIOp::create(builder, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Ids in affine maps
//===----------------------------------------------------------------------===//

namespace {
/// A map with its operands, of an operation that has one.
struct MapInUse {
  AffineMap map;
  SmallVector<Value> operands;

  /// Dimension or symbol `number`, in the order of the operands.
  AffineExpr input(unsigned number) const {
    return number < map.getNumDims()
               ? getAffineDimExpr(number, map.getContext())
               : getAffineSymbolExpr(number - map.getNumDims(),
                                     map.getContext());
  }
  bool uses(AffineExpr result, AffineExpr input) const {
    if (auto dim = dyn_cast<AffineDimExpr>(input))
      return result.isFunctionOfDim(dim.getPosition());
    return result.isFunctionOfSymbol(
        cast<AffineSymbolExpr>(input).getPosition());
  }
};
} // namespace

static std::optional<MapInUse> mapOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<MapInUse>>(op)
      .Case<affine::AffineLoadOp, affine::AffineStoreOp,
            affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
            affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [](auto op) {
            return MapInUse{op.getMap(),
                            llvm::to_vector<8>(op.getMapOperands())};
          })
      .Default(std::nullopt);
}

/// The number of the operand that is an id along `dimension`.
template <typename IdOp>
static std::optional<unsigned> findId(ArrayRef<Value> operands,
                                      gpu::Dimension dimension) {
  for (auto [number, operand] : llvm::enumerate(operands))
    if (auto id = operand.getDefiningOp<IdOp>();
        id && id.getDimension() == dimension)
      return number;
  return std::nullopt;
}

/// Writes `block * size + thread` in the map of `op` as the work item's id;
/// false where it is not there.
static bool raiseInMap(Operation *op, gpu::Dimension dimension, int64_t size) {
  std::optional<MapInUse> use = mapOf(op);
  if (!use)
    return false;
  auto thread = findId<gpu::ThreadIdOp>(use->operands, dimension);
  auto block = findId<gpu::BlockIdOp>(use->operands, dimension);
  if (!thread || !block)
    return false;
  AffineMap map = use->map;
  AffineExpr ofThread = use->input(*thread), ofBlock = use->input(*block);
  AffineExpr item = getAffineSymbolExpr(map.getNumSymbols(), map.getContext());
  bool isRaised = false;
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults()) {
    AffineExpr raised =
        simplifyAffineExpr(result.replace(ofThread, item - ofBlock * size),
                           map.getNumDims(), map.getNumSymbols() + 1);
    bool isIt = use->uses(result, ofThread) && !use->uses(raised, ofBlock);
    isRaised |= isIt;
    results.push_back(isIt ? raised : result);
  }
  if (!isRaised)
    return false;
  OpBuilder builder(op);
  Value id = gpu::GlobalIdOp::create(builder, op->getLoc(), dimension);
  op->insertOperands(op->getNumOperands(), id);
  op->setAttr("map", AffineMapAttr::get(AffineMap::get(
                         map.getNumDims(), map.getNumSymbols() + 1, results,
                         map.getContext())));
  return true;
}

/// What raising has made affine before the block was known.
static void raiseInMaps(gpu::GPUFuncOp kernel, SmallVectorImpl<bool> &raised) {
  std::optional<ArrayRef<int32_t>> sizes = kernel.getKnownBlockSize();
  if (!sizes)
    return;
  kernel.walk([&](Operation *op) {
    for (unsigned dim = 0; dim < 3; ++dim)
      if (raiseInMap(op, static_cast<gpu::Dimension>(dim), (*sizes)[dim]))
        raised[dim] = true;
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

void RaiseGlobalIdsPass::runOnOperation() {
  gpu::GPUFuncOp kernel = getOperation();
  SmallVector<bool> raised = raiseSingleThreadBlocks(kernel);
  raiseInMaps(kernel, raised);
  IntegerValues values(kernel);
  IndexBuilder indices(kernel, values);
  SmallVector<DimensionIds> ids;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    ids.emplace_back(values, dimension, kernel.getKnownBlockSize());

  SmallVector<std::pair<Operation *, unsigned>> plan;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (std::optional<unsigned> dimension = formsGlobalId(op, values, ids))
      plan.emplace_back(op, *dimension);
  });

  for (auto [op, dimension] : plan) {
    OpBuilder builder(op);
    auto compare = dyn_cast<arith::CmpIOp>(op);
    Type type =
        compare ? compare.getLhs().getType() : op->getResult(0).getType();
    Value value =
        buildNumber(builder, op->getLoc(), type, *getNumber(op, values, ids),
                    ids[dimension].global, indices);
    if (compare) {
      compare.getLhsMutable().assign(value);
      compare.getRhsMutable().assign(arith::ConstantOp::create(
          builder, op->getLoc(), builder.getIntegerAttr(type, 0)));
    } else {
      op->getResult(0).replaceAllUsesWith(value);
    }
    raised[dimension] = true;
    ++numGlobalIds;
  }
  eraseDeadOperations(kernel);
  emitRemarks(kernel, raised);
}

void RaiseGlobalIdsPass::emitRemarks(gpu::GPUFuncOp kernel,
                                     ArrayRef<bool> raised) {
  std::array<bool, 3> blockItems = findBlockItems(kernel);
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    auto name = static_cast<gpu::Dimension>(dimension);
    if (raised[dimension])
      sayPassed(RemarkCode::GlobalIdRaised, kernel, kernel.getLoc(),
                {{"dimension", gpu::stringifyDimension(name)}});
    Operation *left = nullptr;
    kernel.walk([&](Operation *op) {
      auto thread = dyn_cast<gpu::ThreadIdOp>(op);
      auto block = dyn_cast<gpu::BlockIdOp>(op);
      if (!left && ((thread && thread.getDimension() == name) ||
                    (block && block.getDimension() == name)))
        left = op;
    });
    if (left && blockItems[dimension])
      sayFound(RemarkCode::BlockIdIsWorkItem, kernel, left->getLoc(),
               {{"dimension", gpu::stringifyDimension(name)}});
    else if (left)
      sayMissed(RemarkCode::IdStandsAlone, kernel, left->getLoc(),
                {{"id", isa<gpu::ThreadIdOp>(left) ? "thread" : "block"},
                 {"dimension", gpu::stringifyDimension(name)}});
  }
}
