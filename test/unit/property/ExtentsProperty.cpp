//===- ExtentsProperty.cpp - work items beyond extents do nothing ---------===//

#include "ArgumentExpr.h"
#include "BuildProgram.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Transforms/Utils/Extents.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;
using llvm::DynamicAPInt;

/// 64-bit values are taken not to be huge, those that are divided as unsigned
/// not to be negative.
static bool isAssumption(const Interpreter &run, Operation *op) {
  if (run.hasLargeValues())
    return true;
  if (!isa<arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp>(op))
    return false;
  Bits left = run.get(op->getOperand(0));
  return left && left->getBitWidth() == 64 && left->isNegative();
}

Violation gpuopt::property::checkExtents(const Program &program, Tally &tally) {
  BuiltKernel built = build(program);
  std::array<AffineExpr, 3> extents = findExtents(built.kernel);
  for (AffineExpr extent : extents)
    if (extent)
      tally.add("extent");
  bool isAssumed = false;
  return runSamples(
      built.kernel, program.seed,
      [&](const Interpreter &run, Operation *op) -> Violation {
        if (&op->getBlock()->front() == op && op->getParentOp() == built.kernel)
          isAssumed = false;
        isAssumed |= isAssumption(run, op);
        if (op != built.store || isAssumed)
          return std::nullopt;
        for (auto [dimension, extent] : llvm::enumerate(extents)) {
          Number limit = extent ? evaluate(extent, symbolsOf(run)) : Number();
          if (!limit)
            continue;
          tally.add("work item within its extent");
          int64_t id = run.getItem().globalId(dimension);
          if (DynamicAPInt(id) >= *limit)
            return "work item " + std::to_string(id) +
                   " is active beyond the extent " + toString(*limit) +
                   " in dimension " + std::to_string(dimension);
        }
        return std::nullopt;
      });
}
