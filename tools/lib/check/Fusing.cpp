//===- Fusing.cpp - which products and sums may be fused ------------------===//

#include "tools/lib/check/Fusing.h"

#include "tools/lib/check/ReachedFunctions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Operator.h"

using namespace gpuopt;
using namespace llvm;

static bool givesNumbers(const Type *type) {
  if (auto *structure = dyn_cast<StructType>(type))
    return any_of(structure->elements(), givesNumbers);
  if (auto *array = dyn_cast<ArrayType>(type))
    return givesNumbers(array->getElementType());
  return type->isFPOrFPVectorTy();
}

/// Whether what is called rounds once, as it says.
static bool isExact(const Function &callee) {
  if (!callee.isDeclaration())
    return true;
  StringRef name = callee.getName();
  if (name.contains("mma"))
    return false;
  if (!givesNumbers(callee.getReturnType()))
    return true;
  if (name.consume_front("llvm.nvvm."))
    return !name.contains(".approx") && !name.contains(".full") &&
           is_contained({"add", "mul", "fma", "div", "rcp", "sqrt"},
                        name.split('.').first);
  return is_contained(
      {Intrinsic::fma, Intrinsic::sqrt, Intrinsic::fabs, Intrinsic::copysign,
       Intrinsic::floor, Intrinsic::ceil, Intrinsic::trunc, Intrinsic::rint,
       Intrinsic::roundeven, Intrinsic::nearbyint, Intrinsic::minnum,
       Intrinsic::maxnum, Intrinsic::minimum, Intrinsic::maximum,
       Intrinsic::minimumnum, Intrinsic::maximumnum},
      callee.getIntrinsicID());
}

static bool isFused(const Function &callee) {
  return callee.getIntrinsicID() == Intrinsic::fma ||
         callee.getName().starts_with("llvm.nvvm.fma.");
}

RoundingFacts gpuopt::roundingFactsOf(const Module &module, StringRef symbol) {
  RoundingFacts facts;
  bool hasProduct = false, hasSum = false;
  for (const Function *function : reachedFrom(module, symbol)) {
    facts.fuses |= isFused(*function);
    facts.isOpen |= !isExact(*function);
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      facts.isOpen |= call && !call->getCalledFunction();
      if (!isa<FPMathOperator>(instruction) || !instruction.hasAllowContract())
        continue;
      hasProduct |= instruction.getOpcode() == Instruction::FMul;
      hasSum |= instruction.getOpcode() == Instruction::FAdd ||
                instruction.getOpcode() == Instruction::FSub;
    }
  }
  facts.mayFuse = hasProduct && hasSum;
  return facts;
}

bool gpuopt::mayDifferByFusing(const RoundingFacts &one,
                               const RoundingFacts &other) {
  return (one.fuses && other.mayFuse) || (other.fuses && one.mayFuse);
}
