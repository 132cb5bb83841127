//===- KernelLoops.cpp - loops that all threads run alike -----------------===//

#include "passes/Assist/KernelLoops.h"

#include "passes/Analysis/Speculation.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Assist/AccessSlice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

/// What the bounds and the step of `loop` are computed from.
static OperandRange boundsOf(Operation *loop) { return loop->getOperands(); }

/// Whether the host can have `value`: computed from arguments, from the shape
/// of the launch and from iterators of `loops` by what is defined everywhere.
static bool isOfHost(Value value, const llvm::SetVector<Operation *> &loops) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    return isa<gpu::GPUFuncOp>(owner) || loops.contains(owner);
  }
  Operation *op = value.getDefiningOp();
  if (isa<gpu::GridDimOp, gpu::BlockDimOp>(op))
    return true;
  return op->getNumRegions() == 0 && isFunctionOfOperands(op) && isTotal(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isOfHost(operand, loops); });
}

/// Whether nothing but branches and kernel loops are around `loop`.
static bool isReached(Operation *loop,
                      const llvm::SetVector<Operation *> &loops) {
  for (Operation *op = loop->getParentOp(); !isa<gpu::GPUFuncOp>(op);
       op = op->getParentOp())
    if (!loops.contains(op) &&
        (!isa<scf::IfOp, affine::AffineIfOp>(op) || op->getNumResults() > 0))
      return false;
  return true;
}

/// Whether `loop` comes to its end outside of the branches around it, too: none
/// of them may be what keeps its step from being zero.
static bool ends(Operation *loop, const llvm::SetVector<Operation *> &loops) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted || counted.getConstantStep())
    return true;
  Operation *around = loop->getParentOp();
  return isa<gpu::GPUFuncOp>(around) || loops.contains(around);
}

llvm::SetVector<Operation *> gpuopt::findKernelLoops(gpu::GPUFuncOp slice) {
  llvm::SetVector<Operation *> loops;
  slice.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, affine::AffineForOp>(op) && op->getNumResults() == 0 &&
        hasPrefetch(op) && isReached(op, loops) && ends(op, loops) &&
        llvm::all_of(boundsOf(op),
                     [&](Value bound) { return isOfHost(bound, loops); }))
      loops.insert(op);
  });
  return loops;
}

//===----------------------------------------------------------------------===//
// The host's loops
//===----------------------------------------------------------------------===//

void HostLoops::compute(OpBuilder &builder, Value value) {
  if (known.contains(value))
    return;
  Operation *op = value.getDefiningOp();
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return known.map(value, grid[unsigned(size.getDimension())]);
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return known.map(value, block[unsigned(size.getDimension())]);
  for (Value operand : op->getOperands())
    compute(builder, operand);
  builder.clone(*op, known);
}

void HostLoops::computeInvariants(OpBuilder &builder,
                                  const llvm::SetVector<Operation *> &loops) {
  for (Operation *loop : loops)
    for (Value bound : boundsOf(loop))
      if (isOfHost(bound, /*loops=*/{}))
        compute(builder, bound);
}

Block *HostLoops::create(OpBuilder &builder, Operation *loop) {
  for (Value bound : boundsOf(loop))
    compute(builder, bound);
  Operation *copy = builder.cloneWithoutRegions(*loop, known);
  Value iterator = loop->getRegion(0).getArgument(0);
  Block &body = copy->getRegion(0).emplaceBlock();
  known.map(iterator, body.addArgument(iterator.getType(), loop->getLoc()));
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  if (isa<affine::AffineForOp>(loop))
    affine::AffineYieldOp::create(inside, loop->getLoc());
  else
    scf::YieldOp::create(inside, loop->getLoc());
  return &body;
}
