//===- ExpandCopies.cpp - intrinsics become plain instructions ------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;

/// Larger copies are arrays, not vectors.
static constexpr uint64_t largestCopyBytes = 32;

/// More elements than that are no array for registers.
static constexpr uint64_t mostElementsSet = 64;

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

/// An element all bytes of which are `byte`; null where it is no number that
/// the source would have written.
static Constant *splat(Type *type, const APInt &byte) {
  if (type->isIntegerTy())
    return ConstantInt::get(type,
                            APInt::getSplat(type->getIntegerBitWidth(), byte));
  return byte.isZero() ? Constant::getNullValue(type) : nullptr;
}

static void expandMemset(MemSetInst &memset, const ConstantInt &byte,
                         uint64_t bytes) {
  auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(memset.getRawDest()));
  Type *scalar = array ? scalarOf(array->getAllocatedType()) : nullptr;
  if (!scalar || scalar->isIntegerTy(1))
    return;
  const DataLayout &layout = memset.getDataLayout();
  uint64_t size = layout.getTypeStoreSize(scalar);
  Constant *value = splat(scalar, byte.getValue());
  if (!value || bytes % size != 0 || bytes / size > mostElementsSet ||
      layout.getTypeSizeInBits(scalar) != 8 * size)
    return;
  IRBuilder<> builder(&memset);
  for (uint64_t i = 0; i < bytes / size; ++i)
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(
                                   scalar, memset.getRawDest(), i));
  memset.eraseFromParent();
}

void gpuopt::expandSmallMemsets(Module &module) {
  SmallVector<MemSetInst *> memsets;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *memset = dyn_cast<MemSetInst>(&instruction);
          memset && !memset->isVolatile())
        memsets.push_back(memset);
  for (MemSetInst *memset : memsets) {
    auto *byte = dyn_cast<ConstantInt>(memset->getValue());
    auto *bytes = dyn_cast<ConstantInt>(memset->getLength());
    if (byte && bytes)
      expandMemset(*memset, *byte, bytes->getZExtValue());
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
