//===- JoinStructures.cpp - parameters as the source has them -------------===//

#include "conversion/EmitBinary/JoinStructures.h"

#include "dialects/GPUOpt/JoinedStructures.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace {
/// A structure in the place of the parameters from `first` on.
struct JoinedStructure {
  unsigned first = 0;
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  SmallVector<uint64_t> offsets;
};
} // namespace

static uint64_t numberOf(StringRef text) {
  uint64_t number = 0;
  bool isWrong = text.getAsInteger(10, number);
  assert(!isWrong && "lowering writes numbers");
  (void)isWrong;
  return number;
}

static SmallVector<JoinedStructure> structuresOf(const Function &kernel) {
  StringRef text = kernel.getFnAttribute(gpuopt::kJoinedStructuresAttrName)
                       .getValueAsString();
  SmallVector<JoinedStructure> structures;
  for (StringRef part : split(text, ';')) {
    SmallVector<StringRef> numbers;
    part.split(numbers, ',');
    JoinedStructure &structure = structures.emplace_back();
    structure.first = numberOf(numbers[0]);
    structure.bytes = numberOf(numbers[1]);
    structure.alignment = numberOf(numbers[2]);
    for (StringRef offset : ArrayRef(numbers).drop_front(3))
      structure.offsets.push_back(numberOf(offset));
  }
  return structures;
}

static bool isForAMD(const Module &module) {
  return module.getTargetTriple().isAMDGCN();
}

/// How a structure is passed: as Clang does.
static Type *pointerTypeFor(const Module &module) {
  constexpr unsigned constantSpace = 4;
  return PointerType::get(module.getContext(),
                          isForAMD(module) ? constantSpace : 0);
}

static AttributeSet attributesFor(const JoinedStructure &structure,
                                  const Module &module) {
  LLVMContext &context = module.getContext();
  Type *memory = ArrayType::get(Type::getInt8Ty(context), structure.bytes);
  AttrBuilder attributes(context);
  if (isForAMD(module))
    attributes.addByRefAttr(memory);
  else
    attributes.addByValAttr(memory);
  attributes.addAlignmentAttr(Align(structure.alignment));
  return AttributeSet::get(context, attributes);
}

/// What is known of a parameter is known of what is loaded in its place, as far
/// as loads can say so. Back ends look for the rest at loads of the array.
static void keepFacts(const Argument &parameter, LoadInst &load) {
  LLVMContext &context = load.getContext();
  load.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  if (!parameter.getType()->isPointerTy())
    return;
  if (MaybeAlign alignment = parameter.getParamAlign())
    load.setMetadata(
        LLVMContext::MD_align,
        MDNode::get(context,
                    ConstantAsMetadata::get(ConstantInt::get(
                        Type::getInt64Ty(context), alignment->value()))));
  if (!parameter.hasNoAliasAttr() || !parameter.onlyReadsMemory())
    return;
  for (Instruction &instruction :
       instructions(*const_cast<Function *>(parameter.getParent())))
    if (auto *access = dyn_cast<LoadInst>(&instruction);
        access && access->isSimple() &&
        getUnderlyingObject(access->getPointerOperand(), /*MaxLookup=*/0) ==
            &parameter)
      access->setMetadata(LLVMContext::MD_invariant_load,
                          MDNode::get(context, {}));
}

/// The one of `structures` that takes the place of the parameters from `number`
/// on; null where none does.
static const JoinedStructure *
structureAt(unsigned number, ArrayRef<JoinedStructure> structures) {
  const auto *found = find_if(structures, [&](const JoinedStructure &other) {
    return other.first == number;
  });
  return found == structures.end() ? nullptr : found;
}

/// A function without a body, in the place of `kernel`, that takes
/// `structures`.
static Function *declareJoined(Function &kernel,
                               ArrayRef<JoinedStructure> structures) {
  Module &module = *kernel.getParent();
  SmallVector<Type *> types;
  SmallVector<AttributeSet> attributes;
  for (unsigned number = 0; number < kernel.arg_size();) {
    if (const JoinedStructure *structure = structureAt(number, structures)) {
      types.push_back(pointerTypeFor(module));
      attributes.push_back(attributesFor(*structure, module));
      number += structure->offsets.size();
      continue;
    }
    types.push_back(kernel.getArg(number)->getType());
    attributes.push_back(kernel.getAttributes().getParamAttrs(number++));
  }
  auto *type = FunctionType::get(kernel.getReturnType(), types, false);
  Function *joined =
      Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace());
  module.getFunctionList().insert(kernel.getIterator(), joined);
  joined->copyAttributesFrom(&kernel);
  joined->setAttributes(AttributeList::get(
      module.getContext(), kernel.getAttributes().getFnAttrs(),
      kernel.getAttributes().getRetAttrs(), attributes));
  // Arrays are no memory of arguments any more.
  joined->removeFnAttr(Attribute::Memory);
  joined->copyMetadata(&kernel, 0);
  joined->takeName(&kernel);
  return joined;
}

/// `kernel` with `structures`, in its place.
static void join(Function &kernel, ArrayRef<JoinedStructure> structures) {
  Function *joined = declareJoined(kernel, structures);
  // Facts about the old parameters are read before their uses are others.
  SmallVector<std::pair<Argument *, Value *>> replacements;
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  auto *next = joined->arg_begin();
  for (unsigned number = 0; number < kernel.arg_size(); ++next) {
    const JoinedStructure *structure = structureAt(number, structures);
    if (!structure) {
      next->takeName(kernel.getArg(number));
      replacements.emplace_back(kernel.getArg(number++), next);
      continue;
    }
    next->setName(kernel.getArg(number)->getName().split('.').first);
    for (uint64_t offset : structure->offsets) {
      Argument *part = kernel.getArg(number++);
      if (part->use_empty())
        continue;
      Value *place = next;
      if (offset)
        place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), next,
                                                   offset);
      LoadInst *load = builder.CreateAlignedLoad(
          part->getType(), place,
          commonAlignment(Align(structure->alignment), offset),
          part->getName());
      keepFacts(*part, *load);
      replacements.emplace_back(part, load);
    }
  }
  for (auto [from, to] : replacements)
    from->replaceAllUsesWith(to);
  joined->splice(joined->begin(), &kernel);
  // Of kernels that NVVM's annotations or tables name.
  kernel.replaceAllUsesWith(joined);
  kernel.eraseFromParent();
}

void gpuopt::joinStructures(Module &module) {
  for (Function &kernel : make_early_inc_range(module)) {
    if (!kernel.hasFnAttribute(kJoinedStructuresAttrName))
      continue;
    SmallVector<JoinedStructure> structures = structuresOf(kernel);
    kernel.removeFnAttr(kJoinedStructuresAttrName);
    join(kernel, structures);
  }
}
