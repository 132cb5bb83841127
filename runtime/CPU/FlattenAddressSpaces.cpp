//===- FlattenAddressSpaces.cpp - one address space for the host ----------===//
//
// Globals and functions whose type names an address space are replaced by ones
// that do not; the value mapper then retypes every instruction and constant.
// Casts between address spaces become nothing.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// NVPTX and AMDGPU number workgroup memory alike.
static constexpr unsigned workgroupAddressSpace = 3;

namespace {

/// Every pointer type becomes `ptr`.
struct FlatTypes : ValueMapTypeRemapper {
  Type *remapType(Type *type) override {
    if (isa<PointerType>(type))
      return PointerType::get(type->getContext(), 0);
    if (auto *vector = dyn_cast<VectorType>(type))
      return VectorType::get(remapType(vector->getElementType()),
                             vector->getElementCount());
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(remapType(array->getElementType()),
                            array->getNumElements());
    if (auto *function = dyn_cast<FunctionType>(type)) {
      SmallVector<Type *> parameters;
      for (Type *parameter : function->params())
        parameters.push_back(remapType(parameter));
      return FunctionType::get(remapType(function->getReturnType()), parameters,
                               function->isVarArg());
    }
    if (auto *structure = dyn_cast<StructType>(type))
      return remapStruct(structure);
    return type;
  }

private:
  Type *remapStruct(StructType *structure) {
    if (structure->isOpaque())
      return structure;
    SmallVector<Type *> elements;
    bool changed = false;
    for (Type *element : structure->elements()) {
      elements.push_back(remapType(element));
      changed |= elements.back() != element;
    }
    // Named structs cannot contain themselves without a pointer, so a literal
    // struct is as good.
    return changed ? StructType::get(structure->getContext(), elements,
                                     structure->isPacked())
                   : structure;
  }
};

/// Drops constant address space casts.
struct DropConstantCasts : ValueMaterializer {
  ValueMapper *mapper = nullptr;
  Value *materialize(Value *value) override {
    auto *expression = dyn_cast<ConstantExpr>(value);
    if (!expression || expression->getOpcode() != Instruction::AddrSpaceCast)
      return nullptr;
    return mapper->mapValue(*expression->getOperand(0));
  }
};

} // namespace

/// Creates the functions with flat types, body moved over.
static void replaceFunctions(Module &module, FlatTypes &types,
                             ValueToValueMapTy &map,
                             SmallVectorImpl<GlobalObject *> &dead) {
  for (Function &function : make_early_inc_range(module)) {
    auto *type =
        cast<FunctionType>(types.remapType(function.getFunctionType()));
    if (type == function.getFunctionType() && !function.getAddressSpace())
      continue;
    Function *flat =
        Function::Create(type, function.getLinkage(), 0, "", nullptr);
    module.getFunctionList().insert(function.getIterator(), flat);
    // By name, not by takeName: that would not see that it is an intrinsic.
    std::string name = function.getName().str();
    function.setName("");
    flat->setName(name);
    flat->copyAttributesFrom(&function);
    flat->splice(flat->begin(), &function);
    flat->copyMetadata(&function, 0);
    function.clearMetadata();
    for (auto [from, to] : zip(function.args(), flat->args())) {
      to.takeName(&from);
      from.mutateType(to.getType());
      from.replaceAllUsesWith(&to);
    }
    map[&function] = flat;
    dead.push_back(&function);
  }
}

static SmallVector<GlobalVariable *>
replaceVariables(Module &module, FlatTypes &types, ValueToValueMapTy &map,
                 SmallVectorImpl<GlobalObject *> &dead) {
  SmallVector<GlobalVariable *> workgroup;
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    auto *flat = new GlobalVariable(
        module, types.remapType(variable.getValueType()), variable.isConstant(),
        variable.getLinkage(), nullptr, "", &variable,
        GlobalValue::NotThreadLocal, 0);
    flat->takeName(&variable);
    flat->setAlignment(variable.getAlign());
    flat->setAttributes(variable.getAttributes());
    map[&variable] = flat;
    dead.push_back(&variable);
    if (variable.getAddressSpace() == workgroupAddressSpace)
      workgroup.push_back(flat);
  }
  return workgroup;
}

/// Casts that became no-ops, and intrinsics whose name spells an address space.
static void tidyBodies(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
        cast->replaceAllUsesWith(cast->getPointerOperand());
        cast->eraseFromParent();
      }
  for (Function &function : make_early_inc_range(module))
    if (function.isIntrinsic())
      if (auto renamed = Intrinsic::remangleIntrinsicFunction(&function)) {
        function.replaceAllUsesWith(*renamed);
        function.eraseFromParent();
      }
}

SmallVector<GlobalVariable *>
gpuopt::runtime::flattenAddressSpaces(Module &module,
                                      const DataLayout &hostLayout) {
  FlatTypes types;
  DropConstantCasts materializer;
  ValueToValueMapTy map;
  ValueMapper mapper(map, RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs,
                     &types, &materializer);
  materializer.mapper = &mapper;

  SmallVector<GlobalObject *> dead;
  replaceFunctions(module, types, map, dead);
  SmallVector<GlobalVariable *> workgroup =
      replaceVariables(module, types, map, dead);
  for (GlobalObject *object : dead)
    if (auto *variable = dyn_cast<GlobalVariable>(object))
      if (variable->hasInitializer())
        cast<GlobalVariable>(map[variable])
            ->setInitializer(mapper.mapConstant(*variable->getInitializer()));
  for (Function &function : module)
    if (!function.isDeclaration())
      mapper.remapFunction(function);
  for (GlobalObject *object : dead)
    if (auto *variable = dyn_cast<GlobalVariable>(object))
      variable->setInitializer(nullptr);
  for (GlobalObject *object : dead) {
    object->removeDeadConstantUsers();
    object->replaceAllUsesWith(PoisonValue::get(object->getType()));
    object->eraseFromParent();
  }
  module.setDataLayout(hostLayout);
  tidyBodies(module);
  return workgroup;
}
