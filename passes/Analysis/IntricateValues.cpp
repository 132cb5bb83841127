//===- IntricateValues.cpp - what MLIR takes too long to classify ---------===//

#include "passes/Analysis/IntricateValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace gpuopt;

IntricateValues::Walk IntricateValues::walk(Value value) {
  if (!value.getType().isIndex())
    return {1, false};
  if (affine::isTopLevelValue(value))
    return {1, true};
  Operation *op = value.getDefiningOp();
  if (!op || op->hasTrait<OpTrait::ConstantLike>())
    return {1, op != nullptr};
  // Sizes of arrays lead to what the arrays are made of.
  bool isApply = isa<affine::AffineApplyOp>(op);
  if (!isApply && !isPure(op) && !isa<ShapedDimOpInterface>(op))
    return {1, false};
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Walk result = {1, true};
  for (Value operand : op->getOperands()) {
    Walk ofOperand = walk(operand);
    result.steps = std::min(result.steps + ofOperand.steps, kMostSteps);
    result.isSymbol &= ofOperand.isSymbol;
    // Whether all operands of a map are dimensions is asked then.
    if (!ofOperand.isSymbol && !isApply)
      break;
  }
  return known[value] = result;
}
