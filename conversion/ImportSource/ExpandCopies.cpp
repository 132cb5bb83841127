//===- ExpandCopies.cpp - intrinsics become plain instructions ------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;

/// Larger copies are arrays, not vectors.
static constexpr uint64_t largestCopyBytes = 32;

/// The scalar that `type` is made of, if it is of one kind only.
static Type *scalarOf(Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return scalarOf(array->getElementType());
  if (auto *vector = dyn_cast<VectorType>(type))
    return vector->getElementType();
  auto *record = dyn_cast<StructType>(type);
  if (!record)
    return type->isIntegerTy() || type->isFloatingPointTy() ? type : nullptr;
  Type *scalar = nullptr;
  for (Type *element : record->elements()) {
    Type *next = scalarOf(element);
    if (!next || (scalar && scalar != next))
      return nullptr;
    scalar = next;
  }
  return scalar;
}

/// The element type that the address is computed with, where it shows one.
static Type *scalarBehind(const Value *pointer) {
  pointer = pointer->stripPointerCasts();
  if (auto *address = dyn_cast<GEPOperator>(pointer))
    return scalarOf(address->getResultElementType());
  if (auto *variable = dyn_cast<GlobalVariable>(pointer))
    return scalarOf(variable->getValueType());
  return nullptr;
}

/// The type to copy `bytes` bytes with: a vector of the elements' own type,
/// else of integers as wide as the alignment allows.
static Type *copyType(const MemCpyInst &copy, uint64_t bytes) {
  const DataLayout &layout = copy.getDataLayout();
  auto fits = [&](Type *scalar) {
    return scalar && !scalar->isIntegerTy(1) &&
           bytes % layout.getTypeStoreSize(scalar) == 0;
  };
  Type *scalar = scalarBehind(copy.getSource());
  if (!fits(scalar) || scalar->isIntegerTy(8))
    scalar = scalarBehind(copy.getDest());
  if (!fits(scalar))
    scalar = IntegerType::get(copy.getContext(), bytes % 4 == 0 ? 32 : 8);
  uint64_t count = bytes / layout.getTypeStoreSize(scalar);
  return count == 1 ? scalar : FixedVectorType::get(scalar, count);
}

void gpuopt::expandSmallCopies(Module &module) {
  SmallVector<MemCpyInst *> copies;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *copy = dyn_cast<MemCpyInst>(&instruction))
        if (auto *bytes = dyn_cast<ConstantInt>(copy->getLength());
            bytes && !copy->isVolatile() && bytes->getZExtValue() > 0 &&
            bytes->getZExtValue() <= largestCopyBytes)
          copies.push_back(copy);
  for (MemCpyInst *copy : copies) {
    IRBuilder<> builder(copy);
    uint64_t bytes = cast<ConstantInt>(copy->getLength())->getZExtValue();
    Type *type = copyType(*copy, bytes);
    Value *value = builder.CreateAlignedLoad(
        type, copy->getRawSource(), copy->getSourceAlign().valueOrOne());
    builder.CreateAlignedStore(value, copy->getRawDest(),
                               copy->getDestAlign().valueOrOne());
    copy->eraseFromParent();
  }
}

void gpuopt::splitMultiplyAdds(Module &module) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::fmuladd)
        calls.push_back(call);
  for (IntrinsicInst *call : calls) {
    IRBuilder<> builder(call);
    FastMathFlags flags = call->getFastMathFlags();
    flags.setAllowContract();
    builder.setFastMathFlags(flags);
    Value *product =
        builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
    Value *sum = builder.CreateFAdd(product, call->getArgOperand(2));
    call->replaceAllUsesWith(sum);
    call->eraseFromParent();
  }
}
