//===- LaunchQueries.cpp - block and grid shape on AMD --------------------===//

#include "conversion/EmitBinary/LaunchQueries.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace gpuopt {

/// Where the hidden arguments of code object version 5 hold a value of
/// dimension x; y and z follow.
struct HiddenArgument {
  const char *function;
  unsigned offsetBytes;
  unsigned bytes;
};

static const HiddenArgument hiddenArguments[] = {
    {"__ockl_get_num_groups", 0, 4},
    {"__ockl_get_local_size", 12, 2},
};

static Value *loadHidden(IRBuilder<> &builder, const HiddenArgument &argument,
                         Value *dim, Type *result) {
  Value *base = builder.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr,
                                        ArrayRef<Type *>(), {});
  Value *offset =
      builder.CreateMul(builder.CreateZExtOrTrunc(dim, builder.getInt64Ty()),
                        builder.getInt64(argument.bytes));
  offset = builder.CreateAdd(offset, builder.getInt64(argument.offsetBytes));
  Value *address = builder.CreateInBoundsGEP(builder.getInt8Ty(), base, offset);
  LoadInst *load = builder.CreateAlignedLoad(
      builder.getIntNTy(argument.bytes * 8), address, Align(argument.bytes));
  load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(builder.getContext(), {}));
  return builder.CreateZExtOrTrunc(load, result);
}

void lowerLaunchQueries(Module &module) {
  for (const HiddenArgument &argument : hiddenArguments) {
    Function *function = module.getFunction(argument.function);
    if (!function || !function->isDeclaration())
      continue;
    for (User *user : make_early_inc_range(function->users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != function)
        continue;
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(loadHidden(
          builder, argument, call->getArgOperand(0), call->getType()));
      call->eraseFromParent();
    }
    if (function->use_empty())
      function->eraseFromParent();
  }
}

} // namespace gpuopt
