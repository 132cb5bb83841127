//===- IndexUses.cpp - where operations take index expressions ------------===//

#include "passes/Transforms/Utils/IndexUses.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace gpuopt;

using Kind = IndexUse::Kind;

/// The number of the operand that is the memref of an access; nothing for
/// other operations. The operands after it are the subscripts.
static std::optional<unsigned> memrefOperand(Operation *op) {
  if (isa<affine::AffineLoadOp, affine::AffineVectorLoadOp, memref::LoadOp,
          vector::LoadOp, nvgpu::LdMatrixOp>(op))
    return 0;
  if (isa<affine::AffineStoreOp, affine::AffineVectorStoreOp, memref::StoreOp,
          vector::StoreOp>(op))
    return 1;
  return std::nullopt;
}

bool gpuopt::isSubscriptedAccess(Operation *op) {
  return memrefOperand(op).has_value();
}

Value IndexUse::getMemref() const {
  bool isAccess = kind == Kind::AffineAccess || kind == Kind::Access;
  return isAccess ? op->getOperand(*memrefOperand(op)) : Value();
}

/// The use with what `affine.apply` computes written into its map.
static IndexUse compose(Operation *op, Kind kind, AffineMap map,
                        ValueRange operands, unsigned number = 0) {
  IndexUse use = {op, kind, number, map, llvm::to_vector(operands)};
  affine::fullyComposeAffineMapAndOperands(&use.map, &use.operands);
  affine::canonicalizeMapAndOperands(&use.map, &use.operands);
  return use;
}

static bool isIndexExpression(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<affine::AffineApplyOp, gpu::ThreadIdOp,
                         gpu::BlockIdOp>(op);
}

SmallVector<IndexUse> gpuopt::indexUsesOf(Operation *op) {
  SmallVector<IndexUse> uses;
  auto identity = [&](unsigned rank) {
    return AffineMap::getMultiDimIdentityMap(rank, op->getContext());
  };
  if (isa<affine::AffineApplyOp>(op))
    return uses;
  unsigned firstPlain = 0, endPlain = op->getNumOperands();
  if (std::optional<unsigned> memref = memrefOperand(op)) {
    ValueRange subscripts = op->getOperands().drop_front(*memref + 1);
    auto map = op->getAttrOfType<AffineMapAttr>("map");
    uses.push_back(
        map ? compose(op, Kind::AffineAccess, map.getValue(), subscripts)
            : compose(op, Kind::Access, identity(subscripts.size()),
                      subscripts));
    endPlain = *memref;
  } else if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    uses.push_back(compose(op, Kind::LowerBound, loop.getLowerBoundMap(),
                           loop.getLowerBoundOperands()));
    uses.push_back(compose(op, Kind::UpperBound, loop.getUpperBoundMap(),
                           loop.getUpperBoundOperands()));
    firstPlain = loop.getNumControlOperands();
  } else if (auto branch = dyn_cast<affine::AffineIfOp>(op)) {
    IntegerSet set = branch.getIntegerSet();
    uses.push_back(
        compose(op, Kind::Set,
                AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                               set.getConstraints(), op->getContext()),
                branch.getOperands()));
    return uses;
  } else if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    uses.push_back(compose(op, Kind::Map,
                           op->getAttrOfType<AffineMapAttr>("map").getValue(),
                           op->getOperands()));
    return uses;
  }
  for (unsigned number = firstPlain; number < endPlain; ++number)
    if (isIndexExpression(op->getOperand(number)))
      uses.push_back(compose(op, Kind::Operand, identity(1),
                             op->getOperand(number), number));
  return uses;
}

/// The value of result `number` of `map`, for an operation that takes values.
/// Nothing is composed: what `operands` are computed from is the caller's.
static Value materialise(Operation *op, AffineMap map, ValueRange operands,
                         unsigned number) {
  AffineExpr result = map.getResult(number);
  if (auto dim = dyn_cast<AffineDimExpr>(result))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(result))
    return operands[map.getNumDims() + symbol.getPosition()];
  OpBuilder builder(op);
  AffineMap single = map.getSubMap({number});
  SmallVector<Value> used(operands);
  affine::canonicalizeMapAndOperands(&single, &used);
  return affine::AffineApplyOp::create(builder, op->getLoc(), single, used);
}

void gpuopt::setIndexUse(const IndexUse &use, AffineMap map,
                         ValueRange operands) {
  Operation *op = use.op;
  auto mapAttr = [&] { return AffineMapAttr::get(map); };
  switch (use.kind) {
  case Kind::AffineAccess: {
    unsigned first = *memrefOperand(op) + 1;
    op->setAttr("map", mapAttr());
    op->setOperands(first, op->getNumOperands() - first, operands);
    return;
  }
  case Kind::Access: {
    unsigned first = *memrefOperand(op) + 1;
    for (unsigned number = 0; number < map.getNumResults(); ++number)
      op->setOperand(first + number, materialise(op, map, operands, number));
    return;
  }
  case Kind::LowerBound:
    return cast<affine::AffineForOp>(op).setLowerBound(operands, map);
  case Kind::UpperBound:
    return cast<affine::AffineForOp>(op).setUpperBound(operands, map);
  case Kind::Set: {
    auto branch = cast<affine::AffineIfOp>(op);
    branch.setConditional(IntegerSet::get(map.getNumDims(), map.getNumSymbols(),
                                          map.getResults(),
                                          branch.getIntegerSet().getEqFlags()),
                          operands);
    return;
  }
  case Kind::Map:
    op->setAttr("map", mapAttr());
    op->setOperands(operands);
    return;
  case Kind::Operand:
    op->setOperand(use.number, materialise(op, map, operands, 0));
    return;
  }
}

void gpuopt::shiftSubscript(Operation *access, unsigned number,
                            int64_t offset) {
  if (offset == 0)
    return;
  unsigned first = *memrefOperand(access) + 1;
  if (auto attr = access->getAttrOfType<AffineMapAttr>("map")) {
    AffineMap map = attr.getValue();
    SmallVector<AffineExpr> results(map.getResults());
    results[number] = results[number] + offset;
    access->setAttr("map", AffineMapAttr::get(AffineMap::get(
                               map.getNumDims(), map.getNumSymbols(), results,
                               access->getContext())));
    return;
  }
  OpBuilder builder(access);
  AffineExpr shifted = builder.getAffineDimExpr(0) + offset;
  access->setOperand(first + number, affine::AffineApplyOp::create(
                                         builder, access->getLoc(),
                                         AffineMap::get(1, 0, shifted),
                                         access->getOperand(first + number)));
}

void gpuopt::simplifyIndices(gpu::GPUFuncOp kernel) {
  kernel.getBody().walk([&](Operation *op) {
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      AffineMap map = apply.getAffineMap();
      SmallVector<Value> operands(apply.getMapOperands());
      affine::fullyComposeAffineMapAndOperands(&map, &operands);
      map = simplifyAffineMap(map);
      affine::canonicalizeMapAndOperands(&map, &operands);
      apply.setMap(map);
      apply.getMapOperandsMutable().assign(operands);
      return;
    }
    for (IndexUse &use : indexUsesOf(op)) {
      if (use.kind != Kind::AffineAccess)
        continue;
      use.map = simplifyAffineMap(use.map);
      affine::canonicalizeMapAndOperands(&use.map, &use.operands);
      setIndexUse(use, use.map, use.operands);
    }
  });
}
