//===- Retarget.cpp - of a module for the host one for a device -----------===//

#include "conversion/ImportSource/OpenACC/ImportOpenACC.h"
#include "conversion/ImportSource/OpenACC/TeamRegions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace gpuopt;

/// Puts local variables where the device has its stack.
static void moveStack(Function &function, unsigned space) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    if (isa<LifetimeIntrinsic>(instruction)) {
      instruction.eraseFromParent();
      continue;
    }
    auto *old = dyn_cast<AllocaInst>(&instruction);
    if (!old || old->getAddressSpace() == space)
      continue;
    auto *moved =
        new AllocaInst(old->getAllocatedType(), space, old->getArraySize(),
                       old->getAlign(), old->getName(), old->getIterator());
    auto *plain =
        new AddrSpaceCastInst(moved, old->getType(), "", old->getIterator());
    old->replaceAllUsesWith(plain);
    old->eraseFromParent();
  }
}

/// Drops what module flags say of the host's code: its kind of relocations, …
static void keepDebugFlags(Module &module) {
  NamedMDNode *flags = module.getModuleFlagsMetadata();
  if (!flags)
    return;
  SmallVector<MDNode *> kept;
  for (MDNode *flag : flags->operands())
    if (is_contained({"Debug Info Version", "Dwarf Version"},
                     cast<MDString>(flag->getOperand(1))->getString()))
      kept.push_back(flag);
  flags->clearOperands();
  for (MDNode *flag : kept)
    flags->addOperand(flag);
}

/// Work items are all on one device.
static void narrowScopes(Function &function) {
  SyncScope::ID device = function.getContext().getOrInsertSyncScopeID("device");
  for (Instruction &instruction : instructions(function))
    if (instruction.isAtomic())
      setAtomicSyncScopeID(&instruction, device);
}

/// Devices have sines and cosines, but nothing for both.
static void splitSinesAndCosines(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *both = dyn_cast<IntrinsicInst>(&instruction);
    if (!both || both->getIntrinsicID() != Intrinsic::sincos)
      continue;
    IRBuilder<> builder(both);
    builder.setFastMathFlags(both->getFastMathFlags());
    Value *operand = both->getArgOperand(0);
    Value *sine = builder.CreateUnaryIntrinsic(Intrinsic::sin, operand);
    Value *cosine = builder.CreateUnaryIntrinsic(Intrinsic::cos, operand);
    Value *result =
        builder.CreateInsertValue(PoisonValue::get(both->getType()), sine, 0);
    both->replaceAllUsesWith(builder.CreateInsertValue(result, cosine, 1));
    both->eraseFromParent();
  }
}

/// Puts what teams share where the device has such memory.
static void moveWorkgroupVariables(Module &module) {
  constexpr unsigned workgroupSpace = 3;
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (variable.getSection() != kWorkgroupSection)
      continue;
    Type *type = variable.getValueType();
    auto *moved = new GlobalVariable(
        module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
        UndefValue::get(type), "", &variable, GlobalValue::NotThreadLocal,
        workgroupSpace);
    moved->takeName(&variable);
    moved->setAlignment(variable.getAlign());
    variable.replaceAllUsesWith(
        ConstantExpr::getAddrSpaceCast(moved, variable.getType()));
    variable.eraseFromParent();
  }
}

/// Calls the device's functions for what a thread of a team asks.
static void nameTeamFunctions(Module &module) {
  constexpr std::pair<StringLiteral, StringLiteral> names[] = {
      {"omp_get_thread_num", "__gpuopt_thread_id_x"},
      {"omp_get_num_threads", "__gpuopt_block_dim_x"},
      {"omp_get_team_num", "__gpuopt_block_id_x"},
      {"omp_get_num_teams", "__gpuopt_grid_dim_x"}};
  for (auto [name, device] : names) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      continue;
    FunctionCallee callee = module.getOrInsertFunction(
        device, Type::getInt32Ty(module.getContext()));
    auto *declared = cast<Function>(callee.getCallee());
    declared->setDoesNotAccessMemory();
    declared->setDoesNotThrow();
    declared->setWillReturn();
    function->replaceAllUsesWith(declared);
    function->eraseFromParent();
  }
}

void gpuopt::retargetModule(Module &module, TargetAttr target,
                            ArrayRef<KernelInfo> kernels) {
  bool isNVIDIA = target.getVendor() == Vendor::NVIDIA;
  moveWorkgroupVariables(module);
  nameTeamFunctions(module);
  Triple triple(isNVIDIA ? "nvptx64-nvidia-cuda" : "amdgcn-amd-amdhsa");
  module.setTargetTriple(triple);
  module.setDataLayout(triple.computeDataLayout());
  for (Function &function : module) {
    // What only the host's back end knows.
    for (StringRef name : {"frame-pointer", "min-legal-vector-width",
                           "stack-protector-buffer-size"})
      function.removeFnAttr(name);
    function.removeFnAttr(Attribute::UWTable);
    narrowScopes(function);
    splitSinesAndCosines(function);
    moveStack(function, module.getDataLayout().getAllocaAddrSpace());
  }
  for (const KernelInfo &kernel : kernels)
    module.getFunction(kernel.symbol)
        ->setCallingConv(isNVIDIA ? CallingConv::PTX_Kernel
                                  : CallingConv::AMDGPU_KERNEL);
  keepDebugFlags(module);
}
