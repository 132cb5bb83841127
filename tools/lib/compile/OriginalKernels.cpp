//===- OriginalKernels.cpp - fallbacks as the source has them -------------===//

#include "tools/lib/compile/OriginalKernels.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gpuopt;

/// The operations of `table` that `op` refers to, and those that they do.
static SetVector<Operation *> referencedBy(Operation *op, SymbolTable &table) {
  SetVector<Operation *> found;
  SmallVector<Operation *> unvisited = {op};
  while (!unvisited.empty()) {
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(unvisited.pop_back_val());
    if (!uses)
      continue;
    for (SymbolTable::SymbolUse use : *uses) {
      Operation *symbol =
          table.lookup(use.getSymbolRef().getRootReference().getValue());
      if (symbol && symbol != op && found.insert(symbol))
        unvisited.push_back(symbol);
    }
  }
  return found;
}

/// Whether `one` and `other` are the same variable: not one of the source and
/// one that a pass has given this name.
static bool areTheSame(LLVM::GlobalOp one, LLVM::GlobalOp other) {
  return one.getGlobalType() == other.getGlobalType() &&
         one.getAddrSpace() == other.getAddrSpace() &&
         one.getConstant() == other.getConstant() &&
         one.getLinkage() == other.getLinkage() &&
         one.getValueOrNull() == other.getValueOrNull() &&
         OperationEquivalence::isRegionEquivalentTo(
             &one.getInitializerRegion(), &other.getInitializerRegion(),
             OperationEquivalence::IgnoreLocations);
}

/// Whether `one` stands for `other` as well. Bodies of functions may have been
/// simplified in one of them.
static bool areTheSame(Operation *one, Operation *other) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(one)) {
    auto otherFunction = dyn_cast<LLVM::LLVMFuncOp>(other);
    return otherFunction &&
           function.getFunctionType() == otherFunction.getFunctionType() &&
           function.getCConv() == otherFunction.getCConv() &&
           function.isExternal() == otherFunction.isExternal();
  }
  auto variable = dyn_cast<LLVM::GlobalOp>(one);
  auto otherVariable = dyn_cast<LLVM::GlobalOp>(other);
  return variable && otherVariable && areTheSame(variable, otherVariable);
}

/// Replaces the kernel `symbol` of `kernels` by a copy of `original`.
static void restore(SymbolTable &kernels, StringRef symbol,
                    LLVM::LLVMFuncOp original, SymbolTable &imported) {
  auto raised = dyn_cast_or_null<gpu::GPUFuncOp>(kernels.lookup(symbol));
  if (!raised ||
      raised.getFunctionType().getNumInputs() != original.getNumArguments())
    return;
  SetVector<Operation *> referenced = referencedBy(original, imported);
  for (Operation *op : referenced)
    if (Operation *present = kernels.lookup(SymbolTable::getSymbolName(op));
        present && !areTheSame(op, present))
      return;
  for (Operation *op : referenced)
    if (!kernels.lookup(SymbolTable::getSymbolName(op)))
      kernels.insert(op->clone());

  LLVM::LLVMFuncOp copy = original.clone();
  copy.setSymName(symbol);
  Block::iterator place(raised);
  kernels.remove(raised);
  kernels.insert(copy, place);
  raised.erase();
}

void gpuopt::restoreImportedKernels(
    ModuleOp module, ModuleOp imported,
    const llvm::StringMap<std::string> &symbols) {
  for (auto source : imported.getOps<gpu::GPUModuleOp>())
    for (auto target : module.getOps<gpu::GPUModuleOp>()) {
      if (source.getName() != target.getName())
        continue;
      SymbolTable originals(source), kernels(target);
      for (const auto &[symbol, name] : symbols)
        if (auto original = originals.lookup<LLVM::LLVMFuncOp>(name))
          restore(kernels, symbol, original, originals);
    }
}
