//===- VersionedBlock.cpp - what versions have each for itself ------------===//

#include "passes/Transforms/Versions/VersionedBlock.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// The operations of `block` whose results are operands of affine operations in
/// it, where they may be so because `block` is the top of a kernel.
static llvm::SetVector<Operation *> findSymbols(Block &block) {
  llvm::SetVector<Operation *> symbols;
  if (!isa<gpu::GPUFuncOp>(block.getParentOp()))
    return symbols;
  block.walk([&](Operation *op) {
    if (!isa<affine::AffineDialect>(op->getDialect()))
      return;
    for (Value operand : op->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      // An affine map's result is as good as its operands, wherever it stands.
      if (operand.getType().isIndex() && definition &&
          definition->getBlock() == &block &&
          !isa<affine::AffineApplyOp>(definition))
        symbols.insert(definition);
    }
  });
  return symbols;
}

/// `ops` and what they are computed from in their block.
static llvm::SetVector<Operation *>
withDefinitions(llvm::SetVector<Operation *> ops) {
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && definition->getBlock() == ops[i]->getBlock())
        ops.insert(definition);
  return ops;
}

VersionedBlock gpuopt::findVersionedOps(Block &block) {
  llvm::SetVector<Operation *> symbols = findSymbols(block);
  llvm::SetVector<Operation *> needed = withDefinitions(symbols);
  VersionedBlock result;
  bool mayHaveWritten = false;
  for (Operation &op : block.without_terminator()) {
    bool dependsOnVersion = llvm::any_of(op.getOperands(), [&](Value operand) {
      return result.ops.contains(operand.getDefiningOp());
    });
    // Both versions load it, before anything that they write.
    bool isEarlyLoad = needed.contains(&op) && !mayHaveWritten &&
                       hasSingleEffect<MemoryEffects::Read>(&op);
    if (op.getNumRegions() == 0 && !dependsOnVersion &&
        (isPure(&op) || isEarlyLoad))
      continue;
    result.ops.insert(&op);
    mayHaveWritten |=
        !isMemoryEffectFree(&op) && !hasSingleEffect<MemoryEffects::Read>(&op);
    if (symbols.contains(&op))
      result.symbol = &op;
  }
  return result;
}
