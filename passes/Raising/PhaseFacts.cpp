//===- PhaseFacts.cpp - what splitting asks of operations -----------------===//

#include "passes/Raising/PhaseFacts.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace gpuopt;

bool gpuopt::mayAct(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        if (nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
            nested->hasTrait<OpTrait::IsTerminator>() ||
            isa<gpu::BarrierOp>(nested) || isMemoryEffectFree(nested))
          return WalkResult::advance();
        auto interface = dyn_cast<MemoryEffectOpInterface>(nested);
        if (!interface || interface.hasEffect<MemoryEffects::Write>())
          return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isWorkgroupMemory(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref);
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == 3;
}

Operation *gpuopt::findWorkgroupMemory(Operation *op) {
  Operation *found = nullptr;
  op->walk([&](Operation *nested) {
    if (!llvm::any_of(nested->getOperandTypes(), isWorkgroupMemory) &&
        !llvm::any_of(nested->getResultTypes(), isWorkgroupMemory))
      return WalkResult::advance();
    found = nested;
    return WalkResult::interrupt();
  });
  return found;
}

bool gpuopt::isHostArithmetic(Operation *op) {
  return op->walk([&](Operation *nested) {
             StringRef dialect = nested->getDialect()
                                     ? nested->getDialect()->getNamespace()
                                     : StringRef();
             bool isKnown = dialect == "arith" || dialect == "math" ||
                            isa<scf::IfOp, scf::ForOp, scf::WhileOp,
                                scf::YieldOp, scf::ConditionOp>(nested);
             return isKnown ? WalkResult::advance() : WalkResult::interrupt();
           }).wasInterrupted() == false;
}

SetVector<Value> gpuopt::valuesUsedBy(Operation *op) {
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

bool gpuopt::canComputeAgain(Operation *op,
                             const UniformityAnalysis &uniformity) {
  if (findWorkgroupMemory(op))
    return false;
  return !op->walk([&](Operation *nested) {
              bool isId = isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::GlobalIdOp,
                              gpu::BlockDimOp, gpu::GridDimOp, gpu::LaneIdOp,
                              gpu::SubgroupSizeOp, gpu::SubgroupIdOp>(nested);
              bool isGPU =
                  isa_and_nonnull<gpu::GPUDialect>(nested->getDialect());
              if (isGPU)
                return isId ? WalkResult::advance() : WalkResult::interrupt();
              if (nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(nested))
                return WalkResult::advance();
              auto interface = dyn_cast<MemoryEffectOpInterface>(nested);
              SmallVector<MemoryEffects::EffectInstance> effects;
              if (interface)
                interface.getEffects(effects);
              bool isRead =
                  !effects.empty() &&
                  llvm::all_of(effects, [&](const auto &effect) {
                    return isa<MemoryEffects::Read>(effect.getEffect()) &&
                           effect.getValue() &&
                           uniformity.isReadOnly(memoryRoot(effect.getValue()));
                  });
              return isRead ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}
