//===- Variables.cpp - variables of the module as arrays ------------------===//

#include "passes/Analysis/Variables.h"

#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gpuopt;

LLVM::GlobalOp gpuopt::getVariable(Value root) {
  auto get = root ? root.getDefiningOp<GetVariableOp>() : GetVariableOp();
  if (!get)
    return nullptr;
  return SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      get, get.getVariableAttr());
}

bool gpuopt::isConstantVariable(Value root) {
  if (LLVM::GlobalOp variable = getVariable(root))
    return variable.getConstant() ||
           variable.getAddrSpace() == GetVariableOp::kConstantSpace;
  auto get =
      root ? root.getDefiningOp<memref::GetGlobalOp>() : memref::GetGlobalOp();
  if (!get)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  return global && global.getConstant();
}

bool gpuopt::areDistinctVariables(Value left, Value right) {
  auto first = left.getDefiningOp<GetVariableOp>();
  auto second = right.getDefiningOp<GetVariableOp>();
  return first && second && first.getVariable() != second.getVariable();
}
