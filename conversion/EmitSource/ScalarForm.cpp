//===- ScalarForm.cpp - arithmetic on lanes, one by one -------------------===//

#include "conversion/EmitSource/ScalarForm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt::source;

/// The type of the one result of `op`, where that is a row of lanes.
static VectorType vectorOf(Operation *op) {
  if (op->getNumResults() != 1)
    return {};
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  return type && type.getRank() == 1 && !type.isScalable() ? type
                                                           : VectorType();
}

static bool isByLanes(Operation *op) {
  return vectorOf(op) &&
         (OpTrait::hasElementwiseMappableTraits(op) ||
          isa<vector::FMAOp, vector::ShuffleOp, LLVM::ShuffleVectorOp>(op));
}

static Value laneOf(OpBuilder &builder, Location location, Value vector,
                    int64_t lane) {
  return builder.createOrFold<vector::ExtractOp>(location, vector, lane);
}

/// `op` for the lane `lane` of its operands.
static Value computeLane(OpBuilder &builder, Operation *op, int64_t lane) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<VectorType>(operand.getType())
                           ? laneOf(builder, op->getLoc(), operand, lane)
                           : operand);
  StringRef name = isa<vector::FMAOp>(op) ? math::FmaOp::getOperationName()
                                          : op->getName().getStringRef();
  OperationState state(op->getLoc(), name, operands,
                       vectorOf(op).getElementType(), op->getAttrs());
  return builder.create(state)->getResult(0);
}

/// The lane that a shuffle takes from its operands. Those that are anything are
/// the first.
static Value shuffledLane(OpBuilder &builder, Operation *shuffle,
                          int64_t number) {
  Value first = shuffle->getOperand(0), second = shuffle->getOperand(1);
  int64_t count = cast<VectorType>(first.getType()).getNumElements();
  number = std::max<int64_t>(number, 0);
  return number < count
             ? laneOf(builder, shuffle->getLoc(), first, number)
             : laneOf(builder, shuffle->getLoc(), second, number - count);
}

static void spread(Operation *op) {
  OpBuilder builder(op);
  SmallVector<Value> lanes;
  if (auto shuffle = dyn_cast<vector::ShuffleOp>(op)) {
    for (int64_t number : shuffle.getMask())
      lanes.push_back(shuffledLane(builder, op, number));
  } else if (auto imported = dyn_cast<LLVM::ShuffleVectorOp>(op)) {
    for (int32_t number : imported.getMask())
      lanes.push_back(shuffledLane(builder, op, number));
  } else {
    for (int64_t lane = 0; lane < vectorOf(op).getNumElements(); ++lane)
      lanes.push_back(computeLane(builder, op, lane));
  }
  op->replaceAllUsesWith(ValueRange{vector::FromElementsOp::create(
      builder, op->getLoc(), vectorOf(op), lanes)});
  op->erase();
}

ScalarForm::ScalarForm(gpu::GPUFuncOp kernel) : kernel(kernel) {
  WalkResult found = kernel.walk([](Operation *op) {
    return isByLanes(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  OpBuilder builder(kernel);
  copy = cast<gpu::GPUFuncOp>(builder.clone(*kernel));
  SmallVector<Operation *> all;
  copy.walk([&](Operation *op) {
    if (isByLanes(op))
      all.push_back(op);
  });
  for (Operation *op : all)
    spread(op);
  // What is left of vectors that nobody takes as a whole.
  copy.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

ScalarForm::~ScalarForm() {
  if (copy)
    copy->erase();
}
