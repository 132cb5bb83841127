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

/// InstCombine makes an integer of a copy of up to that many bytes.
static constexpr uint64_t largestIntegerBytes = 8;

/// No type of C++'s or OpenCL's is aligned to more than that for its accesses.
static constexpr uint64_t mostBytesAligned = 16;

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

/// The scalar that the object which `pointer` points to is made of, where the
/// address or the variable shows it.
static Type *scalarBehind(const Value *pointer) {
  pointer = pointer->stripPointerCasts();
  if (auto *address = dyn_cast<GEPOperator>(pointer)) {
    Type *scalar = scalarOf(address->getResultElementType());
    // A part of something, by its distance in bytes from the start.
    if (scalar && scalar->isIntegerTy(8) && address->hasAllConstantIndices())
      if (Type *whole = scalarBehind(address->getPointerOperand()))
        return whole;
    return scalar;
  }
  if (auto *variable = dyn_cast<GlobalVariable>(pointer))
    return scalarOf(variable->getValueType());
  if (auto *local = dyn_cast<AllocaInst>(pointer))
    return scalarOf(local->getAllocatedType());
  return nullptr;
}

namespace {
/// A copy of a known number of bytes.
struct Copy {
  MemCpyInst *instruction;
  uint64_t bytes;
  Align from, to;

  Align alignment() const { return std::min(from, to); }
};
} // namespace

/// The scalar to copy with: the elements' own type, else an integer as wide as
/// the alignment allows.
static Type *copyScalar(const Copy &copy) {
  const DataLayout &layout = copy.instruction->getDataLayout();
  auto fits = [&](Type *scalar) {
    return scalar && !scalar->isIntegerTy(1) &&
           copy.bytes % layout.getTypeStoreSize(scalar) == 0;
  };
  Type *scalar = scalarBehind(copy.instruction->getSource());
  if (!fits(scalar) || scalar->isIntegerTy(8))
    scalar = scalarBehind(copy.instruction->getDest());
  if (fits(scalar))
    return scalar;
  uint64_t width = std::min<uint64_t>(copy.alignment().value(), 8);
  while (copy.bytes % width != 0)
    width /= 2;
  return IntegerType::get(copy.instruction->getContext(), 8 * width);
}

/// Whether the alignment of `copy` is that of a type: one by `void *` says
/// nothing about it.
static bool hasAlignment(const Copy &copy) {
  return copy.alignment() >=
         copy.instruction->getDataLayout().getABITypeAlign(copyScalar(copy));
}

/// The type of each load and store that `copy` becomes: no vector where the
/// address is known to be aligned less than C++ wants it for such a type.
static Type *copyType(const Copy &copy) {
  Type *scalar = copyScalar(copy);
  uint64_t count =
      copy.bytes / copy.instruction->getDataLayout().getTypeStoreSize(scalar);
  // Three lanes are aligned as one is.
  bool isVector =
      count == 3 || !hasAlignment(copy) ||
      copy.alignment().value() >= std::min(copy.bytes, mostBytesAligned);
  return count > 1 && isVector ? FixedVectorType::get(scalar, count) : scalar;
}

static void expandCopy(const Copy &copy) {
  MemCpyInst *instruction = copy.instruction;
  Type *type = copyType(copy);
  uint64_t size = instruction->getDataLayout().getTypeStoreSize(type);
  IRBuilder<> builder(instruction);
  auto address = [&](Value *base, uint64_t number) {
    return number == 0 ? base
                       : builder.CreateConstInBoundsGEP1_64(type, base, number);
  };
  // All of them are read before one is written: the two may be one place.
  SmallVector<Value *> values;
  for (uint64_t i = 0; i < copy.bytes / size; ++i)
    values.push_back(
        builder.CreateAlignedLoad(type, address(instruction->getRawSource(), i),
                                  commonAlignment(copy.from, i * size)));
  for (auto [i, value] : enumerate(values))
    builder.CreateAlignedStore(value, address(instruction->getRawDest(), i),
                               commonAlignment(copy.to, i * size));
  instruction->eraseFromParent();
}

/// The copies of up to `mostBytes` bytes in `function`.
static SmallVector<Copy> findCopies(Function &function, uint64_t mostBytes) {
  SmallVector<Copy> copies;
  for (Instruction &instruction : instructions(function))
    if (auto *copy = dyn_cast<MemCpyInst>(&instruction))
      if (auto *bytes = dyn_cast<ConstantInt>(copy->getLength());
          bytes && !copy->isVolatile() && bytes->getZExtValue() > 0 &&
          bytes->getZExtValue() <= mostBytes)
        copies.push_back({copy, bytes->getZExtValue(),
                          copy->getSourceAlign().valueOrOne(),
                          copy->getDestAlign().valueOrOne()});
  return copies;
}

bool gpuopt::expandIntegerCopies(Function &function) {
  bool hasChanged = false;
  for (const Copy &copy : findCopies(function, largestIntegerBytes))
    if (hasAlignment(copy)) {
      expandCopy(copy);
      hasChanged = true;
    }
  return hasChanged;
}

void gpuopt::expandSmallCopies(Module &module) {
  for (Function &function : module)
    for (const Copy &copy : findCopies(function, largestCopyBytes))
      expandCopy(copy);
}

/// Number of the member of `loaded` that `store` writes to its place in a local
/// variable, which is `variable` where that is set already.
static std::optional<unsigned>
storedMember(const StoreInst &store, const LoadInst &loaded, Value *&variable) {
  const DataLayout &layout = loaded.getDataLayout();
  const auto *member = dyn_cast<ExtractValueInst>(store.getValueOperand());
  if (!member || member->getAggregateOperand() != &loaded ||
      member->getNumIndices() != 1 || !member->hasOneUse() || !store.isSimple())
    return std::nullopt;
  Value *address = const_cast<Value *>(store.getPointerOperand());
  APInt distance(layout.getIndexTypeSizeInBits(address->getType()), 0);
  Value *base = address->stripAndAccumulateConstantOffsets(
      layout, distance, /*AllowNonInbounds=*/true);
  if (variable && variable != base)
    return std::nullopt;
  variable = base;
  unsigned number = member->getIndices()[0];
  const StructLayout *members =
      layout.getStructLayout(cast<StructType>(loaded.getType()));
  if (distance != members->getElementOffset(number).getFixedValue())
    return std::nullopt;
  return number;
}

/// Makes a copy of `loaded` where its members are all stored, and nothing else
/// is done in between.
static bool joinMembers(LoadInst &loaded) {
  auto *record = dyn_cast<StructType>(loaded.getType());
  uint64_t bytes = loaded.getDataLayout().getTypeStoreSize(loaded.getType());
  if (!record || !scalarOf(record) || !loaded.isSimple() ||
      bytes > largestCopyBytes ||
      loaded.getAlign().value() < std::min(bytes, mostBytesAligned) ||
      !loaded.hasNUses(record->getNumElements()))
    return false;
  Value *variable = nullptr;
  SmallVector<StoreInst *> stores(record->getNumElements());
  unsigned missing = stores.size();
  Instruction *next = loaded.getNextNode();
  for (; next && missing > 0; next = next->getNextNode()) {
    if (!next->mayReadOrWriteMemory())
      continue;
    auto *store = dyn_cast<StoreInst>(next);
    std::optional<unsigned> number =
        store ? storedMember(*store, loaded, variable) : std::nullopt;
    if (!number || stores[*number])
      return false;
    stores[*number] = store;
    --missing;
  }
  auto *to = dyn_cast_or_null<AllocaInst>(variable);
  auto *from =
      dyn_cast<AllocaInst>(getUnderlyingObject(loaded.getPointerOperand()));
  if (missing > 0 || !to || !from || to == from)
    return false;
  IRBuilder<> builder(next);
  builder.SetCurrentDebugLocation(loaded.getDebugLoc());
  builder.CreateMemCpy(to, to->getAlign(), loaded.getPointerOperand(),
                       loaded.getAlign(), bytes);
  for (StoreInst *store : stores) {
    auto *member = cast<Instruction>(store->getValueOperand());
    store->eraseFromParent();
    member->eraseFromParent();
  }
  loaded.eraseFromParent();
  return true;
}

bool gpuopt::joinReturnedMembers(Function &function) {
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      loads.push_back(load);
  bool hasChanged = false;
  for (LoadInst *load : loads)
    hasChanged |= joinMembers(*load);
  return hasChanged;
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
