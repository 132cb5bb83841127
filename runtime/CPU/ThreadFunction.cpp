//===- ThreadFunction.cpp - a kernel as a function of its thread ----------===//
//
// Replaces the kernel's parameters by loads from the launch's argument block
// and its workgroup arrays by places in the block's workgroup memory. Each of
// these is noted as the base of a memory object, for the bounds checks.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/UnsetRegisters.h"
#include "runtime/CPU/KernelBuilder.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// `tile` for `_ZZ6kernelPfE4tile` and for `kernel(float*)::tile`, `local0` for
/// the first array that a raised kernel declares (MLIR's `__wg_kernel_0`).
static std::string readableName(StringRef symbol) {
  // Behind it, what the import of PTX adds to such a name.
  symbol.consume_back(".shared");
  if (symbol.starts_with("__wg_"))
    return "local" + symbol.rsplit('_').second.str();
  // The executor numbers the variables; see KernelCompiler.
  if (symbol.consume_front("gpuopt.global."))
    symbol = symbol.split('.').second;
  std::string name = demangle(symbol);
  size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

static unsigned addObject(KernelBuilder &kernel, MemoryObject::Kind kind,
                          std::string name, uint64_t bytes) {
  MemoryObject object;
  object.kind = kind;
  object.name = std::move(name);
  object.bytes = bytes;
  kernel.facts.objects.push_back(std::move(object));
  return kernel.facts.objects.size() - 1;
}

/// An aggregate that is passed in memory: each thread has its own copy.
static Value *copyAggregate(IRBuilderBase &ir, Type *type, Align align,
                            Value *slot) {
  AllocaInst *copy = ir.CreateAlloca(type);
  copy->setAlignment(align);
  const DataLayout &layout = ir.GetInsertBlock()->getModule()->getDataLayout();
  ir.CreateMemCpy(copy, align, slot, Align(1), layout.getTypeAllocSize(type));
  return copy;
}

/// Argument `index` as the kernel sees it.
static Value *loadArgument(KernelBuilder &kernel, IRBuilderBase &ir,
                           Argument &argument, Value *arguments,
                           Value *bounds) {
  const DataLayout &layout = kernel.module.getDataLayout();
  unsigned index = kernel.facts.parameters.size();
  ParameterFact parameter;
  parameter.name = argument.getName().str();
  if (parameter.name.empty())
    parameter.name = "#" + std::to_string(index);

  Type *inMemory = argument.getParamByValType();
  if (!inMemory)
    inMemory = argument.getParamByRefType();
  Type *type = inMemory ? inMemory : argument.getType();
  Align align = std::max(layout.getABITypeAlign(type), Align(8));
  parameter.isPointer = !inMemory && type->isPointerTy();
  parameter.bytes = inMemory ? uint64_t(layout.getTypeAllocSize(type))
                             : uint64_t(layout.getTypeStoreSize(type));
  parameter.offset = alignTo(kernel.facts.argumentBytes, align);
  kernel.facts.argumentBytes = parameter.offset + parameter.bytes;

  Value *slot = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), arguments,
                                              parameter.offset);
  Value *value;
  if (inMemory) {
    value = copyAggregate(ir, type, align, slot);
  } else {
    LoadInst *load = ir.CreateAlignedLoad(type, slot, Align(8));
    load->setMetadata(LLVMContext::MD_invariant_load,
                      MDNode::get(kernel.context, {}));
    value = load;
  }
  if (parameter.isPointer) {
    unsigned object =
        addObject(kernel, MemoryObject::Kind::Parameter, parameter.name, 0);
    kernel.facts.objects[object].parameter = index;
    Value *bytes = kernel.loadField(ir, bounds,
                                    index * sizeof(BufferBounds) +
                                        offsetof(BufferBounds, bytes),
                                    ir.getInt64Ty());
    kernel.bases[value] = {object, bytes};
  }
  kernel.facts.parameters.push_back(std::move(parameter));
  return value;
}

/// Gives each workgroup variable its place; dynamic ones all start after the
/// static ones, as on a GPU.
static void placeWorkgroupVariables(KernelBuilder &kernel, IRBuilderBase &ir,
                                    ArrayRef<GlobalVariable *> variables) {
  const DataLayout &layout = kernel.module.getDataLayout();
  SmallVector<Constant *> constants(variables.begin(), variables.end());
  convertUsersOfConstantsToInstructions(constants, kernel.function);
  Value *base = kernel.loadField(
      ir, kernel.block, offsetof(BlockContext, workgroup), ir.getPtrTy());
  uint64_t &end = kernel.facts.workgroupBytes;
  auto isDynamic = [&](GlobalVariable *variable) {
    return variable->isDeclaration() ||
           layout.getTypeAllocSize(variable->getValueType()) == 0;
  };
  DenseMap<GlobalVariable *, uint64_t> offsets;
  for (GlobalVariable *variable : variables)
    if (!isDynamic(variable)) {
      end = alignTo(end, variable->getAlign().value_or(Align(16)));
      offsets[variable] = end;
      uint64_t bytes = layout.getTypeAllocSize(variable->getValueType());
      if (variable->hasAttribute(ptx::presetMemory))
        kernel.facts.presetWorkgroup.push_back({end, bytes});
      end += bytes;
    }
  end = alignTo(end, 128);
  for (GlobalVariable *variable : variables) {
    bool dynamic = isDynamic(variable);
    uint64_t bytes = layout.getTypeAllocSize(variable->getValueType());
    Value *place = ir.CreateConstInBoundsGEP1_64(
        ir.getInt8Ty(), base, dynamic ? end : offsets[variable]);
    unsigned object =
        addObject(kernel,
                  dynamic ? MemoryObject::Kind::DynamicWorkgroup
                          : MemoryObject::Kind::Workgroup,
                  readableName(variable->getName()), dynamic ? 0 : bytes);
    Value *size = dynamic
                      ? kernel.loadField(ir, kernel.block,
                                         offsetof(BlockContext, dynamicBytes),
                                         ir.getInt64Ty())
                      : ir.getInt64(bytes);
    // A place at offset 0 may be `base` itself: make it a value of its own.
    if (place == base)
      place = ir.CreateFreeze(base);
    kernel.bases[place] = {object, size};
    variable->replaceAllUsesWith(place);
  }
  for (GlobalVariable *variable : variables)
    variable->eraseFromParent();
}

/// The other variables of the module live in the executor's own module; their
/// size is fixed, so they are bases as they stand.
static Error noteGlobals(KernelBuilder &kernel) {
  const DataLayout &layout = kernel.module.getDataLayout();
  IRBuilder<> ir(kernel.context);
  for (GlobalVariable &variable : kernel.module.globals()) {
    if (variable.isDeclaration() && !variable.getName().starts_with("gpuopt."))
      return createStringError("kernel '%s' uses variable '%s', which has no "
                               "definition in the module",
                               kernel.facts.name.c_str(),
                               variable.getName().str().c_str());
    uint64_t bytes = layout.getTypeAllocSize(variable.getValueType());
    unsigned object = addObject(kernel, MemoryObject::Kind::Global,
                                readableName(variable.getName()), bytes);
    kernel.bases[&variable] = {object, ir.getInt64(bytes)};
  }
  return Error::success();
}

/// Locals of one thread; they live on the stack of a host thread.
static constexpr uint64_t maxLocalBytes = 16 << 20;

/// Locals must be bases too; those in loops have no fixed address and are left
/// to the check at run time.
static Error noteLocals(KernelBuilder &kernel) {
  uint64_t total = 0;
  const DataLayout &layout = kernel.module.getDataLayout();
  IRBuilder<> ir(kernel.context);
  for (Instruction &instruction : instructions(*kernel.function)) {
    auto *local = dyn_cast<AllocaInst>(&instruction);
    if (!local || !local->isStaticAlloca())
      continue;
    std::optional<TypeSize> bytes = local->getAllocationSize(layout);
    if (!bytes)
      continue;
    std::string name = local->getName().str();
    unsigned object = addObject(kernel, MemoryObject::Kind::Private,
                                name.empty() ? "a local array" : name,
                                bytes->getFixedValue());
    kernel.bases[local] = {object, ir.getInt64(bytes->getFixedValue())};
    total += bytes->getFixedValue();
  }
  if (total > maxLocalBytes)
    return createStringError("kernel '%s' has %llu bytes of local variables; "
                             "the CPU executor allows %llu",
                             kernel.facts.name.c_str(),
                             (unsigned long long)total,
                             (unsigned long long)maxLocalBytes);
  return Error::success();
}

Error gpuopt::runtime::buildThreadFunction(
    KernelBuilder &kernel, ArrayRef<GlobalVariable *> workgroupVariables) {
  Function *original = kernel.function;
  Type *pointer = PointerType::get(kernel.context, 0);
  Function *function = Function::Create(
      FunctionType::get(Type::getVoidTy(kernel.context), {pointer}, false),
      GlobalValue::ExternalLinkage, original->getName() + ".thread",
      kernel.module);
  function->splice(function->begin(), original);
  function->setSubprogram(original->getSubprogram());
  function->setDoesNotThrow();
  // An address as any other: it is in no array.
  function->addFnAttr(Attribute::NullPointerIsValid);
  kernel.function = function;

  BasicBlock &entry = function->getEntryBlock();
  IRBuilder<> ir(&*entry.begin());
  ir.SetCurrentDebugLocation(DebugLoc());
  // Marks the end of the prologue; means nothing.
  kernel.bodyBegin = cast<Instruction>(ir.CreateFreeze(ir.getFalse()));
  ir.SetInsertPoint(kernel.bodyBegin);
  kernel.thread = function->getArg(0);
  kernel.block = kernel.loadField(ir, kernel.thread,
                                  offsetof(ThreadContext, block), pointer);
  kernel.launch = kernel.loadField(ir, kernel.block,
                                   offsetof(BlockContext, launch), pointer);
  Value *arguments = kernel.loadField(
      ir, kernel.launch, offsetof(LaunchContext, arguments), pointer);
  Value *bounds = kernel.loadField(ir, kernel.launch,
                                   offsetof(LaunchContext, bounds), pointer);
  for (Argument &argument : original->args())
    argument.replaceAllUsesWith(
        loadArgument(kernel, ir, argument, arguments, bounds));
  original->eraseFromParent();

  placeWorkgroupVariables(kernel, ir, workgroupVariables);
  if (Error error = noteLocals(kernel))
    return error;
  return noteGlobals(kernel);
}
