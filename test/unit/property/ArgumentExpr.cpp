//===- ArgumentExpr.cpp - expressions that launchers compute --------------===//

#include "ArgumentExpr.h"

using namespace mlir;
using namespace gpuopt::property;
using llvm::DynamicAPInt;

Number gpuopt::property::evaluate(AffineExpr expr, ArrayRef<Number> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return DynamicAPInt(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Number left = evaluate(binary.getLHS(), symbols);
  Number right = evaluate(binary.getRHS(), symbols);
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

SmallVector<Number> gpuopt::property::symbolsOf(const Interpreter &run) {
  SmallVector<Number> symbols;
  for (const llvm::APInt &argument : run.getArguments())
    symbols.push_back(read(argument, false));
  symbols.push_back(std::nullopt);
  for (int64_t size : run.getItem().gridDim)
    symbols.push_back(DynamicAPInt(size));
  for (int64_t size : run.getItem().blockDim)
    symbols.push_back(DynamicAPInt(size));
  return symbols;
}
