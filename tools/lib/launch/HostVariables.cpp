//===- HostVariables.cpp - variables that the host sets -------------------===//

#include "tools/lib/launch/HostVariables.h"

#include "conversion/ImportSource/DeviceCompilation.h"
#include "tools/lib/launch/ArrayFile.h"
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

/// The scalars of `type` as one element, where all are of one type; else
/// opaque bytes.
static ElementType oneElement(llvm::Type *type,
                              const llvm::DataLayout &layout) {
  std::vector<VariableMember> members;
  addMembers(type, 0, layout, members);
  unsigned bytes = layout.getTypeAllocSize(type);
  uint64_t covered = 0;
  for (const VariableMember &member : members) {
    const ElementType &first = members.front().element;
    if (member.element.kind == first.kind &&
        member.element.bytes == first.bytes)
      covered += member.size;
  }
  if (bytes == 0 || covered != bytes)
    return {ElementKind::Opaque, bytes, 1};
  ElementType element = members.front().element;
  element.lanes = bytes / element.bytes;
  return element;
}

/// Sets the type of the elements of a variable, and how many there are along
/// each dimension. Clang writes an array of which the source sets the first
/// elements as a nameless structure: its dimensions are not known any more.
static void setShape(HostVariable &host, const llvm::GlobalVariable &variable) {
  llvm::Type *type = variable.getValueType();
  while (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    host.shape.push_back(array->getNumElements());
    type = array->getElementType();
  }
  host.element = oneElement(type, variable.getDataLayout());
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  if (structure && structure->isLiteral()) {
    int64_t count = std::exchange(host.element.lanes, 1u);
    for (int64_t extent : host.shape)
      count *= extent;
    host.shape = {count};
  }
  if (host.element.kind == ElementKind::UnsignedInt &&
      !variable.hasAttribute(kUnsignedVariable))
    host.element.kind = ElementKind::SignedInt;
}

std::vector<HostVariable>
gpuopt::findHostVariables(const llvm::Module &module) {
  std::vector<HostVariable> found;
  for (const llvm::GlobalVariable &variable : module.globals()) {
    if (!variable.isExternallyInitialized() || !variable.hasInitializer())
      continue;
    const llvm::Constant *value = variable.getInitializer();
    // No host knows the addresses of other variables.
    if (value->needsRelocation())
      continue;
    HostVariable host;
    host.symbol = variable.getName().str();
    host.name = llvm::demangle(host.symbol);
    host.isZero = value->isNullValue() || llvm::isa<llvm::UndefValue>(value);
    setShape(host, variable);
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

Expected<std::vector<uint8_t>>
gpuopt::readVariable(const HostVariable &variable, llvm::StringRef path) {
  ArrayFileUse use = {"variable '" + variable.name + "'", variable.element};
  Expected<NpyArray> file = readArrayFile(path, use);
  if (!file)
    return file.takeError();
  uint64_t bytes = uint64_t(variable.element.bytes) * variable.element.lanes;
  for (int64_t extent : variable.shape)
    bytes *= extent;
  if (Error error = checkArrayFile(path, *file, use, variable.shape, bytes))
    return error;
  return std::move(file->bytes);
}

/// Fills numbers of `element`. A byte may be a `bool`, which is 0 or 1.
static void fillNumbers(const ElementType &element, bool isExtreme,
                        bool sumsMayOverflow, std::mt19937_64 &random,
                        llvm::MutableArrayRef<uint8_t> bytes) {
  if (isExtreme)
    fillExtreme(element, sumsMayOverflow, random, bytes.data(), bytes.size());
  else
    fillRandom(element, random, bytes.data(), bytes.size());
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
    fillNumbers(member.element, isExtreme, run.sumsMayOverflow, random,
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
    auto contents = readVariable(variable, file->second);
    if (!contents)
      return contents.takeError();
    if (contents->size() != bytes->size())
      return createStringError(
          "variable '" + variable.name + "' has " + llvm::Twine(bytes->size()) +
          " bytes, but its file " + llvm::Twine(contents->size()));
    llvm::copy(*contents, bytes->begin());
  }
  return Error::success();
}
