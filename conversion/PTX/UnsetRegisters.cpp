//===- UnsetRegisters.cpp - registers before they are set -----------------===//

#include "conversion/PTX/UnsetRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuopt;

static constexpr StringLiteral unsetPrefix = "__gpuopt_unset.";
static constexpr StringLiteral openMemory = "gpuopt.ptx.open";

/// The function whose result stands for what `name` holds.
static Function *unsetFunction(Module &module, StringRef name, Type *type) {
  std::string callee;
  raw_string_ostream(callee) << unsetPrefix << name << '.' << *type;
  auto *unset =
      cast<Function>(module.getOrInsertFunction(callee, type).getCallee());
  if (unset->use_empty()) {
    unset->setDoesNotAccessMemory();
    unset->setDoesNotThrow();
    unset->setWillReturn();
    unset->addRetAttr(Attribute::NoUndef);
  }
  return unset;
}

void ptx::markOpen(AllocaInst &variable, const Twine &what) {
  variable.setMetadata(openMemory, MDNode::get(variable.getContext(), {}));
  IRBuilder<> ir(variable.getParent(), std::next(variable.getIterator()));
  ir.SetCurrentDebugLocation(DebugLoc());
  Function *unset = unsetFunction(*variable.getModule(),
                                  ("[" + what + "]").str(), ir.getInt8Ty());
  const DataLayout &layout = variable.getModule()->getDataLayout();
  ir.CreateMemSet(&variable, ir.CreateCall(unset),
                  variable.getAllocationSize(layout)->getFixedValue(),
                  variable.getAlign());
}

void ptx::markUnset(AllocaInst &slot, StringRef name) {
  IRBuilder<> ir(slot.getParent(), std::next(slot.getIterator()));
  ir.SetCurrentDebugLocation(DebugLoc());
  ir.CreateStore(ir.CreateCall(unsetFunction(*slot.getModule(), name,
                                             slot.getAllocatedType())),
                 &slot);
}

std::optional<StringRef> ptx::unsetRegister(const Function &callee) {
  StringRef name = callee.getName();
  if (!name.consume_front(unsetPrefix))
    return std::nullopt;
  return name.rsplit('.').first;
}

static void freezeResult(LoadInst &load) {
  if (load.hasOneUse() && isa<FreezeInst>(load.user_back()))
    return;
  auto *frozen = new FreezeInst(&load, "", std::next(load.getIterator()));
  frozen->setDebugLoc(load.getDebugLoc());
  load.replaceUsesWithIf(frozen,
                         [&](Use &use) { return use.getUser() != frozen; });
}

void ptx::freezeLoads(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load)
        continue;
      auto *local =
          dyn_cast<AllocaInst>(getUnderlyingObject(load->getPointerOperand()));
      if (!local)
        load->setMetadata(LLVMContext::MD_noundef,
                          MDNode::get(module.getContext(), {}));
      else if (local->hasMetadata(openMemory))
        freezeResult(*load);
    }
}

/// The variable in whose neighbourhood `load` reads; null where it is inside,
/// or where is not known. What fills a variable up to its alignment is nobody
/// else's.
static AllocaInst *readsBeyond(const LoadInst &load) {
  const DataLayout &layout = load.getModule()->getDataLayout();
  const Value *address = load.getPointerOperand();
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  auto *local = const_cast<AllocaInst *>(
      dyn_cast<AllocaInst>(address->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true)));
  if (!local || !local->hasMetadata(openMemory))
    return nullptr;
  uint64_t size = alignTo(local->getAllocationSize(layout)->getFixedValue(),
                          local->getAlign());
  uint64_t bytes = layout.getTypeStoreSize(load.getType());
  bool isInside = offset.ule(size) && offset.getZExtValue() + bytes <= size;
  return isInside ? nullptr : local;
}

void ptx::markLoadsBeyond(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      AllocaInst *local = load ? readsBeyond(*load) : nullptr;
      Type *type = instruction.getType();
      if (!local || type->isPtrOrPtrVectorTy() || type->isAggregateType())
        continue;
      IRBuilder<> ir(load);
      Type *bits = ir.getIntNTy(type->getPrimitiveSizeInBits());
      std::string name =
          ("[local memory beyond '" + local->getName() + "']").str();
      Value *open = ir.CreateCall(unsetFunction(module, name, bits));
      load->replaceAllUsesWith(ir.CreateBitCast(open, type));
      load->eraseFromParent();
    }
}

void ptx::resolveUnsetRegisters(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!unsetRegister(function))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      for (User *filled : make_early_inc_range(call->users()))
        if (auto *fill = dyn_cast<MemSetInst>(filled);
            fill && fill->getValue() == call)
          fill->eraseFromParent();
      call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}
