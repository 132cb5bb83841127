//===- SplitStructures.cpp - members of structures as parameters ----------===//

#include "conversion/ImportSource/SplitStructures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// More numbers than a kernel is written for by hand.
static constexpr size_t kMostParts = 64;

/// `[1][2]`: the element that is `number`th in row-major order.
static std::string subscriptsOf(ArrayRef<int64_t> extents, int64_t number) {
  std::string text;
  for (int64_t extent : reverse(extents)) {
    text = "[" + std::to_string(number % extent) + "]" + text;
    number /= extent;
  }
  return text;
}

/// The numbers and pointers of a structure; empty where there are too many.
static std::vector<KernelParameter> partsOf(const KernelParameter &whole) {
  std::vector<KernelParameter> parts;
  for (const StructureMember &member : whole.members) {
    KernelParameter part;
    part.typeName = member.typeName;
    part.isPointer = member.isPointer;
    part.pointeeIsConst = member.pointeeIsConst;
    part.pointee = member.pointee;
    part.element = member.element;
    part.bytes = member.isPointer ? sizeof(uint64_t) : member.element.bytes;
    int64_t count = 1;
    for (int64_t extent : member.extents)
      if (count *= extent; count > int64_t(kMostParts))
        return {};
    for (int64_t number = 0; number < count; ++number) {
      part.name =
          whole.name + "." + member.name + subscriptsOf(member.extents, number);
      part.offset = member.offset + number * part.bytes;
      parts.push_back(part);
    }
  }
  return parts.size() > kMostParts ? std::vector<KernelParameter>() : parts;
}

static Type *typeOf(const KernelParameter &part, LLVMContext &context) {
  if (part.isPointer)
    return PointerType::get(context, 0);
  if (part.element.kind == ElementKind::BFloat)
    return Type::getBFloatTy(context);
  if (part.element.kind != ElementKind::Float)
    return IntegerType::get(context, 8 * part.bytes);
  return part.bytes == 2   ? Type::getHalfTy(context)
         : part.bytes == 4 ? Type::getFloatTy(context)
                           : Type::getDoubleTy(context);
}

std::vector<SourceArgument> KernelInfo::sourceArguments() const {
  std::vector<SourceArgument> all;
  for (unsigned number = 0; number < parameters.size();
       number += all.back().count) {
    auto structure = find_if(structures, [&](const SplitStructure &candidate) {
      return candidate.first == number;
    });
    if (structure == structures.end())
      all.push_back({&parameters[number], number});
    else
      all.push_back(
          {&structure->whole, number, structure->count, /*isSplit=*/true});
  }
  return all;
}

//===----------------------------------------------------------------------===//
// What becomes of an argument
//===----------------------------------------------------------------------===//

namespace {
/// An access to a structure in memory.
struct StructureAccess {
  Instruction *instruction = nullptr;
  int64_t offset = 0;
};

/// How Clang passes a structure, and what the kernel does with it.
struct PassedStructure {
  /// Of its numbers and pointers, in order.
  SmallVector<Type *> types;
  /// Where it is memory.
  SmallVector<StructureAccess> accesses;
};
} // namespace

/// Finds the loads and stores through `address`, which is `offset` bytes behind
/// the start of a structure. Fails where something else is done with it.
static bool collectAccesses(Value &address, int64_t offset,
                            const DataLayout &layout,
                            SmallVectorImpl<StructureAccess> &accesses) {
  for (Use &use : address.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    auto *store = dyn_cast<StoreInst>(user);
    if ((store && store->isSimple() &&
         use.getOperandNo() == StoreInst::getPointerOperandIndex()) ||
        (isa<LoadInst>(user) && cast<LoadInst>(user)->isSimple())) {
      accesses.push_back({user, offset});
      continue;
    }
    APInt distance(layout.getIndexTypeSizeInBits(address.getType()), 0);
    auto *step = dyn_cast<GEPOperator>(user);
    bool isKnown = isa<AddrSpaceCastInst>(user) ||
                   (step && step->accumulateConstantOffset(layout, distance));
    if (!isKnown || !collectAccesses(*user, offset + distance.getSExtValue(),
                                     layout, accesses))
      return false;
  }
  return true;
}

/// Finds the scalars that `type` is made of, by their places.
static void collectLeaves(Type *type, uint64_t offset, const DataLayout &layout,
                          std::map<uint64_t, Type *> &leaves) {
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout *places = layout.getStructLayout(structure);
    for (auto [index, element] : enumerate(structure->elements()))
      collectLeaves(element, offset + places->getElementOffset(index), layout,
                    leaves);
    return;
  }
  auto *array = dyn_cast<ArrayType>(type);
  if (!array)
    leaves[offset] = type;
  for (uint64_t i = 0; array && i < array->getNumElements(); ++i)
    collectLeaves(array->getElementType(),
                  offset + i * layout.getTypeAllocSize(array->getElementType()),
                  layout, leaves);
}

/// How `argument` passes a structure with these `parts`; nothing where it
/// cannot be split.
static std::optional<PassedStructure>
describePassing(Argument &argument, ArrayRef<KernelParameter> parts) {
  const DataLayout &layout = argument.getParent()->getDataLayout();
  PassedStructure passed;
  if (argument.hasByValAttr() || argument.hasByRefAttr()) {
    if (!collectAccesses(argument, 0, layout, passed.accesses))
      return std::nullopt;
    for (const KernelParameter &part : parts)
      passed.types.push_back(typeOf(part, argument.getContext()));
    return passed;
  }
  // A structure of one number may be passed as that number.
  std::map<uint64_t, Type *> leaves;
  collectLeaves(argument.getType(), 0, layout, leaves);
  for (const KernelParameter &part : parts) {
    auto leaf = leaves.find(part.offset);
    if (leaf == leaves.end() ||
        layout.getTypeStoreSize(leaf->second) != part.bytes ||
        leaf->second->isPointerTy() != part.isPointer)
      return std::nullopt;
    passed.types.push_back(leaf->second);
  }
  return passed;
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

/// The value of `type`, at `offset` in the structure, that `values` make.
static Value *assemble(Type *type, uint64_t offset,
                       const std::map<uint64_t, Value *> &values,
                       IRBuilder<> &builder) {
  auto found = values.find(offset);
  const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  Value *whole = PoisonValue::get(type);
  auto insert = [&](Type *element, unsigned index, uint64_t at) {
    whole = builder.CreateInsertValue(
        whole, assemble(element, at, values, builder), index);
  };
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout *places = layout.getStructLayout(structure);
    for (auto [index, element] : enumerate(structure->elements()))
      insert(element, index, offset + places->getElementOffset(index));
    return whole;
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    Type *element = array->getElementType();
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      insert(element, i, offset + i * layout.getTypeAllocSize(element));
    return whole;
  }
  return found == values.end() ? whole : found->second;
}

/// Puts the `parts` of a structure into a local variable, and has `accesses`
/// go there.
static void moveAccesses(const KernelParameter &whole,
                         ArrayRef<KernelParameter> parts,
                         ArrayRef<Argument *> values,
                         ArrayRef<StructureAccess> accesses,
                         IRBuilder<> &builder) {
  AllocaInst *variable = builder.CreateAlloca(
      ArrayType::get(builder.getInt8Ty(), whole.bytes), nullptr, whole.name);
  variable->setAlignment(Align(whole.alignment));
  for (auto [part, value] : zip_equal(parts, values))
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(
                                   builder.getInt8Ty(), variable, part.offset));
  for (auto [instruction, offset] : accesses) {
    IRBuilder<> there(instruction);
    Value *place =
        there.CreateConstGEP1_64(there.getInt8Ty(), variable, offset);
    unsigned operand = isa<LoadInst>(instruction)
                           ? LoadInst::getPointerOperandIndex()
                           : StoreInst::getPointerOperandIndex();
    instruction->setOperand(operand, place);
  }
}

namespace {
/// What becomes of an argument: how it is split, or that it is not.
struct ArgumentSplit {
  KernelParameter parameter;
  std::vector<KernelParameter> parts;
  std::optional<PassedStructure> passed;
};
} // namespace

/// `function` with the parameters that `parameters` make, in its place.
static void rewrite(Function &function, ArrayRef<ArgumentSplit> parameters) {
  SmallVector<Type *> types;
  SmallVector<AttributeSet> attributes;
  for (auto [argument, parameter] : zip_equal(function.args(), parameters)) {
    if (parameter.passed) {
      append_range(types, parameter.passed->types);
      attributes.resize(types.size());
      continue;
    }
    types.push_back(argument.getType());
    attributes.push_back(
        function.getAttributes().getParamAttrs(argument.getArgNo()));
  }
  auto *type = FunctionType::get(function.getReturnType(), types, false);
  Function *split =
      Function::Create(type, function.getLinkage(), function.getAddressSpace());
  // Kernels stay in the order of the source.
  function.getParent()->getFunctionList().insert(function.getIterator(), split);
  split->copyAttributesFrom(&function);
  split->setAttributes(AttributeList::get(
      function.getContext(), function.getAttributes().getFnAttrs(),
      function.getAttributes().getRetAttrs(), attributes));
  split->copyMetadata(&function, 0);
  split->takeName(&function);
  split->splice(split->begin(), &function);

  IRBuilder<> builder(&*split->getEntryBlock().getFirstInsertionPt());
  auto *next = split->arg_begin();
  for (auto [argument, parameter] : zip_equal(function.args(), parameters)) {
    if (!parameter.passed) {
      next->takeName(&argument);
      argument.replaceAllUsesWith(next++);
      continue;
    }
    SmallVector<Argument *> values;
    std::map<uint64_t, Value *> byOffset;
    for (const KernelParameter &part : parameter.parts) {
      next->setName(part.name);
      values.push_back(next);
      byOffset[part.offset] = next++;
    }
    Value *left = PoisonValue::get(argument.getType());
    if (argument.hasByValAttr() || argument.hasByRefAttr())
      moveAccesses(parameter.parameter, parameter.parts, values,
                   parameter.passed->accesses, builder);
    else
      left = assemble(argument.getType(), 0, byOffset, builder);
    argument.replaceAllUsesWith(left);
  }
  function.eraseFromParent();
}

void gpuopt::splitStructures(Module &module,
                             MutableArrayRef<KernelInfo> kernels) {
  for (KernelInfo &kernel : kernels) {
    Function *function = module.getFunction(kernel.symbol);
    if (!function || function->isDeclaration() || !function->use_empty() ||
        function->arg_size() != kernel.parameters.size())
      continue;
    std::vector<ArgumentSplit> parameters;
    for (auto [argument, parameter] :
         zip_equal(function->args(), kernel.parameters)) {
      ArgumentSplit &source = parameters.emplace_back();
      source.parameter = parameter;
      source.parts = partsOf(parameter);
      if (!source.parts.empty())
        source.passed = describePassing(argument, source.parts);
    }
    kernel.parameters.clear();
    for (ArgumentSplit &source : parameters) {
      if (!source.passed) {
        kernel.parameters.push_back(source.parameter);
        continue;
      }
      kernel.structures.push_back({source.parameter,
                                   unsigned(kernel.parameters.size()),
                                   unsigned(source.parts.size())});
      append_range(kernel.parameters, source.parts);
    }
    if (!kernel.structures.empty())
      rewrite(*function, parameters);
  }
}

void gpuopt::splitStructures(Function &kernel, const KernelInfo &like) {
  std::vector<ArgumentSplit> parameters;
  for (auto [argument, source] :
       zip_equal(kernel.args(), like.sourceArguments())) {
    ArgumentSplit &split = parameters.emplace_back();
    split.parameter = *source.parameter;
    if (!source.isSplit)
      continue;
    split.parts =
        ArrayRef(like.parameters).slice(source.first, source.count).vec();
    split.passed = describePassing(argument, split.parts);
  }
  rewrite(kernel, parameters);
}
