//===- VendorIntrinsics.cpp - NVVM's names and ours
//------------------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace gpuopt;

/// `__gpuopt_` + second is what the intrinsic `llvm.nvvm.` + first does.
static constexpr std::pair<StringLiteral, StringLiteral> deviceFunctions[] = {
    {"read.ptx.sreg.tid.x", "thread_id_x"},
    {"read.ptx.sreg.tid.y", "thread_id_y"},
    {"read.ptx.sreg.tid.z", "thread_id_z"},
    {"read.ptx.sreg.ctaid.x", "block_id_x"},
    {"read.ptx.sreg.ctaid.y", "block_id_y"},
    {"read.ptx.sreg.ctaid.z", "block_id_z"},
    {"read.ptx.sreg.ntid.x", "block_dim_x"},
    {"read.ptx.sreg.ntid.y", "block_dim_y"},
    {"read.ptx.sreg.ntid.z", "block_dim_z"},
    {"read.ptx.sreg.nctaid.x", "grid_dim_x"},
    {"read.ptx.sreg.nctaid.y", "grid_dim_y"},
    {"read.ptx.sreg.nctaid.z", "grid_dim_z"},
    {"read.ptx.sreg.laneid", "lane_id"},
    {"read.ptx.sreg.warpsize", "subgroup_size"},
    {"barrier0", "barrier"},
    {"barrier.cta.sync.aligned.all", "barrier"},
};

/// `__gpuopt_nvvm_tex_unified_2d_v4f32_f32` of the prelude's textures.h is the
/// intrinsic of that name, whose results are a structure where C++ has a
/// vector.
static void nameIntrinsics(Module &module) {
  if (!module.getTargetTriple().isNVPTX())
    return;
  for (Function &function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front("__gpuopt_nvvm_"))
      continue;
    std::string intrinsic = "llvm.nvvm." + name.str();
    llvm::replace(intrinsic, '_', '.');
    Intrinsic::ID id = Intrinsic::lookupIntrinsicID(intrinsic);
    assert(id != Intrinsic::not_intrinsic && "of the prelude's own");
    Function *callee = Intrinsic::getOrInsertDeclaration(&module, id);
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> ir(call);
      SmallVector<Value *, 8> arguments(call->args());
      Value *result = ir.CreateCall(callee, arguments);
      if (call->getType()->isVectorTy()) {
        Value *parts = result;
        result = PoisonValue::get(call->getType());
        unsigned count = cast<StructType>(parts->getType())->getNumElements();
        for (unsigned part = 0; part < count; ++part)
          result = ir.CreateInsertElement(
              result, ir.CreateExtractValue(parts, part), uint64_t(part));
      }
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

void gpuopt::nameDeviceFunctions(Module &module) {
  nameIntrinsics(module);
  for (auto [intrinsic, name] : deviceFunctions) {
    Function *from = module.getFunction(("llvm.nvvm." + intrinsic).str());
    if (!from)
      continue;
    // Barrier 0 is the whole block's; any other stays what it is.
    auto *type = FunctionType::get(from->getReturnType(), false);
    FunctionCallee to =
        module.getOrInsertFunction(("__gpuopt_" + name).str(), type);
    for (User *user : make_early_inc_range(from->users())) {
      auto *call = cast<CallInst>(user);
      if (call->arg_size() == 1) {
        auto *barrier = dyn_cast<ConstantInt>(call->getArgOperand(0));
        if (!barrier || !barrier->isZero())
          continue;
      }
      CallInst *replacement = CallInst::Create(to, "", call->getIterator());
      replacement->setDebugLoc(call->getDebugLoc());
      call->replaceAllUsesWith(replacement);
      call->eraseFromParent();
    }
  }
}
