//===- FastFunctions.cpp - the hardware's approximations ------------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace gpuopt;

/// What `__gpuopt_fast_` + first approximates; nothing for a division.
static constexpr std::pair<StringLiteral, Intrinsic::ID> fastFunctions[] = {
    {"sin", Intrinsic::sin},     {"cos", Intrinsic::cos},
    {"tan", Intrinsic::tan},     {"exp", Intrinsic::exp},
    {"exp10", Intrinsic::exp10}, {"log", Intrinsic::log},
    {"log2", Intrinsic::log2},   {"log10", Intrinsic::log10},
    {"pow", Intrinsic::pow},     {"divide", Intrinsic::not_intrinsic},
};

void gpuopt::expandFastFunctions(Module &module) {
  for (auto [name, id] : fastFunctions) {
    Function *function = module.getFunction(("__gpuopt_fast_" + name).str());
    if (!function)
      continue;
    for (User *user : make_early_inc_range(function->users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> ir(call);
      FastMathFlags flags;
      flags.setApproxFunc();
      if (isa<FPMathOperator>(call))
        flags |= call->getFastMathFlags();
      ir.setFastMathFlags(flags);
      SmallVector<Value *, 2> arguments(call->args());
      Value *result =
          id == Intrinsic::not_intrinsic
              ? ir.CreateFDiv(arguments[0], arguments[1])
              : ir.CreateIntrinsic(id, {call->getType()}, arguments);
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    function->eraseFromParent();
  }
}
