//===- ExtentsProperty.cpp - work items beyond extents do nothing ---------===//

#include "BuildProgram.h"
#include "ClaimedValues.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Transforms/Utils/Extents.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;
using llvm::DynamicAPInt;

/// The value of an expression of the kernel's arguments, without limits;
/// nothing where a divisor is not positive.
static Number evaluateExtent(AffineExpr expr, ArrayRef<llvm::APInt> arguments) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return DynamicAPInt(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return read(arguments[symbol.getPosition()], false);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Number left = evaluateExtent(binary.getLHS(), arguments);
  Number right = evaluateExtent(binary.getRHS(), arguments);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (expr.getKind() == AffineExprKind::Mul)
    return *left * *right;
  if (*right <= 0)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return floorDiv(*left, *right);
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return ceilDiv(*left, *right);
  return mod(*left, *right);
}

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
          Number limit =
              extent ? evaluateExtent(extent, run.getArguments()) : Number();
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
