//===- BlockOrder.cpp - blocks that take each other's place ---------------===//

#include "passes/Transforms/BlockOrder/BlockOrder.h"

#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

/// Names `value` for who reads the source that is made of the kernel.
static void nameValue(Value value, StringRef name) {
  if (Operation *op = value.getDefiningOp())
    op->setLoc(
        NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
}

BlockOrderAttr gpuopt::blockOrderOf(gpu::GPUFuncOp kernel) {
  return kernel->getAttrOfType<BlockOrderAttr>(kBlockOrderAttrName);
}

void gpuopt::reorderBlocks(
    gpu::GPUFuncOp kernel, BlockOrderAttr order,
    llvm::function_ref<NewIds(OpBuilder &, GridPosition)> newIds) {
  gatherIds(kernel);
  Value oldX = blockIdAtTop(kernel, 0), oldY = blockIdAtTop(kernel, 1);
  Location loc = kernel.getLoc();
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto id = [&](auto tag, gpu::Dimension dimension) -> Value {
    return decltype(tag)::create(builder, loc, dimension);
  };
  GridPosition at{id(gpu::BlockIdOp(), gpu::Dimension::x),
                  id(gpu::BlockIdOp(), gpu::Dimension::y),
                  id(gpu::GridDimOp(), gpu::Dimension::x),
                  id(gpu::GridDimOp(), gpu::Dimension::y)};
  auto [newX, newY] = newIds(builder, at);
  nameValue(newX, "tile_x");
  nameValue(newY, "tile_y");
  for (auto [newId, dimension] : {std::pair{newX, "x"}, std::pair{newY, "y"}})
    if (Operation *op = newId.getDefiningOp(); op && op->getNumResults() == 1)
      op->setAttr(kBlockIdAttrName, builder.getStringAttr(dimension));
  for (auto [oldId, newId] : {std::pair{oldX, newX}, std::pair{oldY, newY}})
    if (oldId) {
      oldId.replaceAllUsesWith(newId);
      oldId.getDefiningOp()->erase();
    }
  kernel->setAttr(kBlockOrderAttrName, order);
}

void gpuopt::restoreBlockOrder(gpu::GPUFuncOp kernel) {
  kernel.walk([](Operation *op) {
    auto name = op->getAttrOfType<StringAttr>(kBlockIdAttrName);
    std::optional<gpu::Dimension> dimension =
        name ? gpu::symbolizeDimension(name.getValue()) : std::nullopt;
    if (!dimension)
      return;
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(
        gpu::BlockIdOp::create(builder, op->getLoc(), *dimension));
  });
  kernel->removeAttr(kBlockOrderAttrName);
}

namespace {
/// Index arithmetic at one place.
struct IndexBuilder {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value left, Value right) {
    return arith::AddIOp::create(builder, loc, left, right);
  }
  Value sub(Value left, Value right) {
    return arith::SubIOp::create(builder, loc, left, right);
  }
  Value mul(Value left, Value right) {
    return arith::MulIOp::create(builder, loc, left, right);
  }
  Value div(Value left, Value right) {
    return arith::DivUIOp::create(builder, loc, left, right);
  }
  Value rem(Value left, Value right) {
    return arith::RemUIOp::create(builder, loc, left, right);
  }
  Value min(Value left, Value right) {
    return arith::MinSIOp::create(builder, loc, left, right);
  }
};
} // namespace

NewIds gpuopt::emitDiagonalOrder(OpBuilder &builder, GridPosition at) {
  Location loc = at.blockX.getLoc();
  Value isSquare = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         at.gridX, at.gridY);
  auto branch = scf::IfOp::create(
      builder, loc, isSquare,
      [&](OpBuilder &inner, Location) {
        // No division: both ids are less than gx.
        IndexBuilder index{inner, loc};
        Value sum = index.add(at.blockX, at.blockY);
        Value wraps = arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::sge, sum, at.gridX);
        Value x = arith::SelectOp::create(inner, loc, wraps,
                                          index.sub(sum, at.gridX), sum);
        scf::YieldOp::create(inner, loc, ValueRange{x, at.blockX});
      },
      [&](OpBuilder &inner, Location) {
        IndexBuilder index{inner, loc};
        Value linear = index.add(index.mul(at.blockY, at.gridX), at.blockX);
        Value y = index.rem(linear, at.gridY);
        Value x =
            index.rem(index.add(index.div(linear, at.gridY), y), at.gridX);
        scf::YieldOp::create(inner, loc, ValueRange{x, y});
      });
  return {branch.getResult(0), branch.getResult(1)};
}

NewIds gpuopt::emitGroupedOrder(OpBuilder &builder, GridPosition at,
                                int64_t group) {
  IndexBuilder index{builder, at.blockX.getLoc()};
  Value rows = index.constant(group);
  // The rows of a group are launched one after the other, so a block's group
  // and its number in it follow from its own ids.
  Value firstRow = index.mul(index.div(at.blockY, rows), rows);
  Value height = index.min(index.sub(at.gridY, firstRow), rows);
  Value number =
      index.add(index.mul(index.sub(at.blockY, firstRow), at.gridX), at.blockX);
  nameValue(height, "group_rows");
  nameValue(number, "in_group");
  return {index.div(number, height),
          index.add(firstRow, index.rem(number, height))};
}
