//===- IntricateValues.cpp - what MLIR takes too long to classify ---------===//

#include "passes/Analysis/IntricateValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace gpuopt;

int64_t IntricateValues::countSteps(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || affine::isTopLevelValue(value))
    return 1;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  int64_t steps = 1;
  for (Value operand : op->getOperands())
    steps = std::min(steps + countSteps(operand), kMostSteps);
  return known[value] = steps;
}
