//===- LegalizeForTarget.cpp - repairs on lowered LLVM IR -----------------===//

#include "conversion/GPUToLLVM/LegalizeForTarget.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuopt {

/// LLVM's number for workgroup memory on both vendors' targets.
static constexpr unsigned kWorkgroupSpace = 3;

/// An `alloca` must be in the data layout's space; its users keep the pointer
/// that they know.
static void moveAllocas(Function &function) {
  unsigned space = function.getParent()->getDataLayout().getAllocaAddrSpace();
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *slot = dyn_cast<AllocaInst>(&inst);
    if (!slot || slot->getAddressSpace() == space)
      continue;
    IRBuilder<> builder(slot);
    AllocaInst *moved = builder.CreateAlloca(slot->getAllocatedType(), space,
                                             slot->getArraySize());
    moved->setAlignment(slot->getAlign());
    slot->replaceAllUsesWith(
        builder.CreateAddrSpaceCast(moved, slot->getType()));
    moved->takeName(slot);
    slot->eraseFromParent();
  }
}

void legalizeForTarget(Module &module, TargetAttr target) {
  for (Function &function : module)
    moveAllocas(function);
  for (GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() != kWorkgroupSpace || global.isDeclaration())
      continue;
    global.setAlignment(std::max(global.getAlign().valueOrOne(),
                                 Align(kWorkgroupArrayAlignment)));
    // Upstream writes dynamic workgroup memory as an array of no elements; the
    // launch gives its size, which only external arrays receive.
    auto *array = dyn_cast<ArrayType>(global.getValueType());
    if (array && array->getNumElements() == 0) {
      global.setInitializer(nullptr);
      global.setLinkage(GlobalValue::ExternalLinkage);
      continue;
    }
    // Workgroup memory has no contents when a block starts.
    global.setInitializer(PoisonValue::get(global.getValueType()));
  }
}

} // namespace gpuopt
