//===- Aliasing.cpp - what may write the memory that is read --------------===//

#include "passes/Transforms/Utils/Aliasing.h"

#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Analysis/Variables.h"
#include "passes/Analysis/VendorArithmetic.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// Whether `root` is a parameter that is declared to overlap with no other.
static bool isNoAlias(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument)
    return false;
  auto kernel = dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  return kernel && argument.getArgNumber() < kernel.getNumArguments() &&
         kernel.getArgAttr(argument.getArgNumber(),
                           LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Whether `root` is memory that no parameter points to.
static bool isLocal(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
    return kernel && argument.getArgNumber() >= kernel.getNumArguments();
  }
  return isa_and_nonnull<memref::AllocaOp, memref::AllocOp>(
      root.getDefiningOp());
}

/// Whether it is known what `root` is: not one of several arrays, chosen when
/// the kernel runs.
static bool isKnown(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return isLocal(root) || getVariable(root) ||
         (argument && isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()));
}

bool gpuopt::mayAlias(Value left, Value right) {
  Value leftRoot = memoryRoot(left), rightRoot = memoryRoot(right);
  if (leftRoot == rightRoot)
    return true;
  if (isConstantVariable(leftRoot) || isConstantVariable(rightRoot))
    return false;
  if (!isKnown(leftRoot) || !isKnown(rightRoot))
    return true;
  if (areDistinctVariables(leftRoot, rightRoot))
    return false;
  return !isNoAlias(leftRoot) && !isNoAlias(rightRoot) && !isLocal(leftRoot) &&
         !isLocal(rightRoot);
}

bool gpuopt::isStrictlyAfter(Operation *later, Operation *earlier) {
  // Up to the block that holds both, then up for loops around it.
  for (Block *block = earlier->getBlock(); block;) {
    Operation *around = block->findAncestorOpInBlock(*later);
    if (around) {
      Operation *before = block->findAncestorOpInBlock(*earlier);
      if (before == around || !before->isBeforeInBlock(around))
        return false;
      for (Operation *parent = block->getParentOp(); parent;
           parent = parent->getParentOp())
        if (isa<LoopLikeOpInterface>(parent) || parent->getNumRegions() > 2)
          return false;
      return true;
    }
    Operation *parent = block->getParentOp();
    block = parent ? parent->getBlock() : nullptr;
  }
  return false;
}

bool gpuopt::areAlternatives(Operation *left, Operation *right) {
  auto conditional = left->getParentOfType<scf::IfOp>();
  while (conditional && !conditional->isProperAncestor(right))
    conditional = conditional->getParentOfType<scf::IfOp>();
  if (!conditional)
    return false;
  Region *side = &conditional.getThenRegion();
  if (!side->isAncestor(left->getParentRegion()))
    side = &conditional.getElseRegion();
  return !side->isAncestor(right->getParentRegion()) &&
         !conditional->getParentOfType<LoopLikeOpInterface>() &&
         UniformityAnalysis(left->getParentOfType<gpu::GPUFuncOp>())
             .isBlockUniform(conditional.getCondition());
}

/// Whether `op` may touch the memory of `memref`.
static bool touches(Operation *op, Value memref, bool readsToo) {
  if (isa<gpu::BarrierOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      touchesNoMemory(op))
    return false;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return false; // What is inside is visited.
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return !isa<gpu::GPUFuncOp>(op);
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(
      effects, [&](const MemoryEffects::EffectInstance &effect) {
        if (isa<MemoryEffects::Allocate>(effect.getEffect()) ||
            (!readsToo && isa<MemoryEffects::Read>(effect.getEffect())))
          return false;
        Value value = effect.getValue();
        return !value || !isa<BaseMemRefType>(value.getType()) ||
               mayAlias(value, memref);
      });
}

Operation *
gpuopt::findConflict(gpu::GPUFuncOp kernel, Value memref, bool readsToo,
                     llvm::function_ref<bool(Operation *)> concerns) {
  if (isConstantVariable(memoryRoot(memref)))
    return nullptr;
  Operation *conflict = nullptr;
  kernel.walk([&](Operation *op) {
    if (op == kernel || !touches(op, memref, readsToo) || !concerns(op))
      return WalkResult::advance();
    conflict = op;
    return WalkResult::interrupt();
  });
  return conflict;
}
