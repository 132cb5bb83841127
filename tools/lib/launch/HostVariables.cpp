//===- HostVariables.cpp - variables that the host sets -------------------===//

#include "tools/lib/launch/HostVariables.h"

#include "tools/lib/launch/Npy.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

ElementType gpuopt::elementTypeOf(llvm::Type *scalar) {
  unsigned bytes = scalar->getScalarSizeInBits() / 8;
  if (scalar->isIntegerTy() && llvm::is_contained({1, 2, 4, 8}, bytes))
    return {ElementKind::UnsignedInt, bytes, 1};
  if (scalar->isBFloatTy())
    return {ElementKind::BFloat, bytes, 1};
  if (scalar->isHalfTy() || scalar->isFloatTy() || scalar->isDoubleTy())
    return {ElementKind::Float, bytes, 1};
  return {ElementKind::Opaque, 1, 1};
}

/// Adds the numbers of a `type` that starts at `offset`.
static void addMembers(llvm::Type *type, uint64_t offset,
                       const llvm::DataLayout &layout,
                       std::vector<VariableMember> &members) {
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout *places = layout.getStructLayout(structure);
    for (auto [member, place] :
         llvm::zip(structure->elements(), places->getMemberOffsets()))
      addMembers(member, offset + place, layout, members);
    return;
  }
  auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
  if (array && array->getElementType()->isAggregateType()) {
    uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      addMembers(array->getElementType(), offset + i * stride, layout, members);
    return;
  }
  llvm::Type *scalar = array ? array->getElementType() : type;
  ElementType element = elementTypeOf(scalar->getScalarType());
  if (element.kind != ElementKind::Opaque)
    members.push_back({element, offset, layout.getTypeStoreSize(type)});
}

std::vector<HostVariable>
gpuopt::findHostVariables(const llvm::Module &module) {
  std::vector<HostVariable> found;
  for (const llvm::GlobalVariable &variable : module.globals()) {
    if (!variable.isExternallyInitialized() || !variable.hasInitializer())
      continue;
    const llvm::Constant *value = variable.getInitializer();
    HostVariable host;
    host.symbol = variable.getName().str();
    host.name = llvm::demangle(host.symbol);
    host.isZero = value->isNullValue() || llvm::isa<llvm::UndefValue>(value);
    addMembers(variable.getValueType(), 0, module.getDataLayout(),
               host.members);
    found.push_back(std::move(host));
  }
  return found;
}

std::vector<HostVariable>
gpuopt::findHostVariables(const Compilation &compilation) {
  if (const llvm::Module *imported = compilation.importedModule())
    return findHostVariables(*imported);
  llvm::LLVMContext context;
  auto module = compilation.untouched(context);
  if (module)
    return findHostVariables(**module);
  // Whoever runs a kernel of it says what is wrong with it.
  llvm::consumeError(module.takeError());
  return {};
}

static Error readVariable(const HostVariable &variable, llvm::StringRef path,
                          llvm::MutableArrayRef<uint8_t> bytes) {
  Expected<NpyArray> file = readNpy(path);
  if (!file)
    return file.takeError();
  if (file->bytes.size() != bytes.size())
    return llvm::createStringError(
        "'" + path + "' has " + llvm::Twine(file->bytes.size()) +
        " bytes of data; variable '" + variable.name + "' takes " +
        llvm::Twine(bytes.size()));
  llvm::copy(file->bytes, bytes.begin());
  return Error::success();
}

/// Fills numbers of `element`. A byte may be a `bool`, which is 0 or 1.
static void fillNumbers(const ElementType &element, bool isExtreme,
                        std::mt19937_64 &random,
                        llvm::MutableArrayRef<uint8_t> bytes) {
  (isExtreme ? fillExtreme : fillRandom)(element, random, bytes.data(),
                                         bytes.size());
  if (isInteger(element) && element.bytes == 1)
    for (uint8_t &byte : bytes)
      byte &= 1;
}

static void makeUp(const HostVariable &variable, const RunOptions &run,
                   llvm::MutableArrayRef<uint8_t> bytes) {
  std::mt19937_64 random = generatorFor(run.seed, variable.name);
  bool isOrdinary = run.values == InputValues::Ordinary;
  for (const VariableMember &member : variable.members) {
    bool isKnown = !variable.isZero || isInteger(member.element);
    if (isOrdinary && isKnown)
      continue;
    bool isExtreme = run.values == InputValues::Extreme ||
                     (!isOrdinary && isFloat(member.element));
    fillNumbers(member.element, isExtreme, random,
                bytes.slice(member.offset, member.size));
  }
}

Error gpuopt::fillVariables(CPUExecutor &executor,
                            llvm::ArrayRef<HostVariable> variables,
                            const RunOptions &run) {
  for (const HostVariable &variable : variables) {
    auto bytes = executor.global(variable.symbol);
    if (!bytes)
      return bytes.takeError();
    auto file = run.inputs.find(variable.name);
    if (file == run.inputs.end()) {
      makeUp(variable, run, *bytes);
      continue;
    }
    if (Error error = readVariable(variable, file->second, *bytes))
      return error;
  }
  return Error::success();
}
