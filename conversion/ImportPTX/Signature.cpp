//===- Signature.cpp - what parameters of kernels are ---------------------===//

#include "conversion/ImportPTX/Signature.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

//===----------------------------------------------------------------------===//
// Types by name
//===----------------------------------------------------------------------===//

static ElementType elementOf(RegisterType type) {
  ElementKind kind =
      type.kind == RegisterType::Kind::Float      ? ElementKind::Float
      : type.kind == RegisterType::Kind::BFloat   ? ElementKind::BFloat
      : type.kind == RegisterType::Kind::Unsigned ? ElementKind::UnsignedInt
                                                  : ElementKind::SignedInt;
  return {kind, type.bits / type.lanes / 8, type.lanes};
}

namespace {
struct NamedElement {
  StringLiteral name;
  ElementType element;
};
} // namespace

/// As the demangler spells them.
static constexpr NamedElement elementsOfC[] = {
    {"float", {ElementKind::Float, 4, 1}},
    {"double", {ElementKind::Float, 8, 1}},
    {"__half", {ElementKind::Float, 2, 1}},
    {"half", {ElementKind::Float, 2, 1}},
    {"_Float16", {ElementKind::Float, 2, 1}},
    {"__half2", {ElementKind::Float, 2, 2}},
    {"__nv_bfloat16", {ElementKind::BFloat, 2, 1}},
    {"bool", {ElementKind::Bool, 1, 1}},
    {"char", {ElementKind::SignedInt, 1, 1}},
    {"signed char", {ElementKind::SignedInt, 1, 1}},
    {"unsigned char", {ElementKind::UnsignedInt, 1, 1}},
    {"short", {ElementKind::SignedInt, 2, 1}},
    {"unsigned short", {ElementKind::UnsignedInt, 2, 1}},
    {"int", {ElementKind::SignedInt, 4, 1}},
    {"unsigned int", {ElementKind::UnsignedInt, 4, 1}},
    {"long", {ElementKind::SignedInt, 8, 1}},
    {"unsigned long", {ElementKind::UnsignedInt, 8, 1}},
    {"long long", {ElementKind::SignedInt, 8, 1}},
    {"unsigned long long", {ElementKind::UnsignedInt, 8, 1}},
};

/// Also `float4`, `uint2`.
static std::optional<ElementType> elementNamed(StringRef name) {
  for (const NamedElement &known : elementsOfC)
    if (name == known.name)
      return known.element;
  if (name.empty() || !StringRef("234").contains(name.back()))
    return std::nullopt;
  unsigned lanes = name.back() - '0';
  name = name.drop_back();
  std::string scalar = name.starts_with("u") ? "unsigned " : "";
  scalar += name.starts_with("u") ? name.drop_front() : name;
  if (scalar == "unsigned longlong" || scalar == "longlong")
    scalar.insert(scalar.size() - 4, " ");
  for (const NamedElement &known : elementsOfC)
    if (scalar == known.name && known.element.lanes == 1)
      return ElementType{known.element.kind, known.element.bytes, lanes};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Splits at commas that stand in no brackets.
static SmallVector<StringRef> splitList(StringRef text) {
  SmallVector<StringRef> parts;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    depth += c == '<' || c == '(' || c == '[';
    depth -= depth && (c == '>' || c == ')' || c == ']');
    if (c != ',' || (depth && i < text.size()))
      continue;
    parts.push_back(text.slice(begin, i).trim());
    begin = i + 1;
  }
  return parts;
}

/// `ptr a`, `f32* b` or `s32 n`.
static Error applyGiven(StringRef text, KernelParameter &parameter,
                        std::optional<bool> &isPointer) {
  size_t space = text.find_last_of(" \t*");
  StringRef name = space == StringRef::npos ? "" : text.substr(space + 1);
  StringRef typeName = text.drop_back(name.size()).trim();
  bool isTyped = typeName.consume_back("*");
  std::optional<RegisterType> type = typeNamed(typeName.trim());
  isPointer = isTyped || typeName == "ptr";
  if (name.empty() || (!type && typeName != "ptr") ||
      (type && type->isPredicate()))
    return createStringError("a signature is a list like 'ptr a, f32* b, s32 "
                             "n', found '" +
                             text + "'");
  unsigned bytes = *isPointer ? 8 : type->bits / 8;
  if (bytes != parameter.bytes)
    return createStringError("the signature has '" + text + "' for '" +
                             parameter.name + "', which has " +
                             Twine(parameter.bytes) + " bytes");
  parameter.name = name.str();
  parameter.typeName = typeName.str() + (isTyped ? "*" : "");
  parameter.element = type ? elementOf(*type) : ElementType();
  return Error::success();
}

/// `float const*` or `unsigned int`.
static void applyMangled(StringRef text, KernelParameter &parameter,
                         std::optional<bool> &isPointer) {
  parameter.typeName = text.str();
  text.consume_back(" __restrict");
  bool isAddress = text.consume_back("*") || text.consume_back("&");
  text = text.trim();
  isPointer = isAddress;
  parameter.pointeeIsConst = isAddress && text.consume_back(" const");
  text = text.trim();
  std::optional<ElementType> element = elementNamed(text);
  if (element &&
      (isAddress || element->bytes * element->lanes == parameter.bytes))
    parameter.element = *element;
}

/// The types of parameters that `symbol` tells; empty where it tells none, or
/// not of so many.
static std::vector<std::string> mangledTypes(StringRef symbol, size_t count) {
  ItaniumPartialDemangler demangler;
  std::string mangled = symbol.str(); // The demangler's nodes point into it.
  if (!symbol.starts_with("_Z") || demangler.partialDemangle(mangled.c_str()) ||
      !demangler.isFunction())
    return {};
  char *text = demangler.getFunctionParameters(nullptr, nullptr);
  if (!text)
    return {};
  std::string list = text;
  std::free(text);
  std::vector<std::string> types;
  for (StringRef part : splitList(StringRef(list).drop_front().drop_back()))
    types.push_back(part.str());
  return types.size() == count ? types : std::vector<std::string>();
}

/// `param_0` for `kernel_param_0`, which is how compilers call them.
static std::string shortName(StringRef name, StringRef kernel) {
  if (name.consume_front(kernel))
    name.consume_front("_");
  return name.str();
}

static KernelParameter parameterOf(const Variable &variable, StringRef kernel) {
  KernelParameter parameter;
  parameter.name = shortName(variable.name, kernel);
  parameter.bytes = variable.bytes();
  if (!variable.isArray())
    parameter.element = elementOf(variable.type);
  // Compilers write any integer as unsigned, or as bits.
  if (parameter.element.kind == ElementKind::UnsignedInt)
    parameter.element.kind = ElementKind::SignedInt;
  parameter.typeName = variable.isArray() ? "a structure" : "a number";
  return parameter;
}

Expected<Signature> ptx::signatureOf(const SourceFunction &kernel,
                                     StringRef given) {
  Signature signature;
  size_t count = kernel.parameters.size();
  // Textures are behind what the source has.
  size_t declared = count_if(kernel.parameters, [](const Variable &parameter) {
    return !parameter.isTexture && !parameter.isTextureExtent;
  });
  std::vector<std::string> mangled = mangledTypes(kernel.name, declared);
  SmallVector<StringRef> wanted;
  if (!given.trim().empty()) {
    wanted = splitList(given);
    if (wanted.size() != count && wanted.size() != declared)
      return createStringError("the signature has " + Twine(wanted.size()) +
                               " parameters; '" + kernel.name + "' has " +
                               Twine(count));
  }
  llvm::StringSet<> names;
  for (auto [index, variable] : enumerate(kernel.parameters)) {
    KernelParameter parameter = parameterOf(variable, kernel.name);
    std::optional<bool> isPointer;
    if (variable.isPointer)
      isPointer = true;
    else if (variable.isArray() || variable.type.bits != 64 ||
             variable.type.isFloat())
      isPointer = false;
    if (index < wanted.size()) {
      if (Error error = applyGiven(wanted[index], parameter, isPointer))
        return std::move(error);
      if (!names.insert(parameter.name).second)
        return createStringError("the signature has '" + parameter.name +
                                 "' twice");
    } else if (index < mangled.size() && !variable.isArray()) {
      applyMangled(mangled[index], parameter, isPointer);
    }
    // Whatever a name says: it has to have room for an address.
    if (isPointer == true && parameter.bytes != 8)
      isPointer = false;
    signature.parameters.push_back(std::move(parameter));
    signature.isPointer.push_back(isPointer);
  }
  return signature;
}

KernelInfo ptx::describeKernel(const SourceFunction &kernel, StringRef path,
                               Signature signature) {
  KernelInfo info;
  info.symbol = info.name = info.displayName = kernel.name.str();
  info.position = {path.str(), kernel.at.line, kernel.at.column};
  info.parameters = std::move(signature.parameters);
  ItaniumPartialDemangler demangler;
  if (!kernel.name.starts_with("_Z") ||
      demangler.partialDemangle(info.symbol.c_str()) || !demangler.isFunction())
    return info;
  char *base = demangler.getFunctionBaseName(nullptr, nullptr);
  char *name = demangler.getFunctionName(nullptr, nullptr);
  if (base && name) {
    info.name = base;
    info.displayName = name;
  }
  std::free(base);
  std::free(name);
  return info;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

static ElementType elementOf(llvm::Type *type) {
  type = type->getScalarType();
  unsigned bytes =
      divideCeil(type->getPrimitiveSizeInBits().getFixedValue(), 8);
  if (type->isBFloatTy())
    return {ElementKind::BFloat, 2, 1};
  if (type->isFloatingPointTy())
    return {ElementKind::Float, bytes, 1};
  if (type->isIntegerTy() && bytes <= 8)
    return {ElementKind::SignedInt, bytes, 1};
  return {};
}

/// The types of what is accessed through `pointer`.
static SmallVector<llvm::Type *> accessedTypes(const Value &pointer) {
  SmallVector<llvm::Type *> types;
  SetVector<const Value *> pointers;
  pointers.insert(&pointer);
  for (size_t i = 0; i < pointers.size(); ++i)
    for (const User *user : pointers[i]->users()) {
      if (auto *load = dyn_cast<LoadInst>(user))
        types.push_back(load->getType());
      else if (auto *store = dyn_cast<StoreInst>(user);
               store && store->getPointerOperand() == pointers[i])
        types.push_back(store->getValueOperand()->getType());
      else if (auto *update = dyn_cast<AtomicRMWInst>(user))
        types.push_back(update->getType());
      else if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(
                   user))
        pointers.insert(user);
    }
  return types;
}

/// What all accesses agree on. Where some are of bits and others of numbers,
/// they are numbers.
static ElementType elementOf(ArrayRef<llvm::Type *> types) {
  ElementType result;
  for (llvm::Type *type : types) {
    ElementType element = elementOf(type);
    if (result.kind == ElementKind::Opaque)
      result = element;
    if (element.bytes != result.bytes)
      return {};
    if (element.kind != ElementKind::SignedInt)
      result = element;
  }
  return result;
}

void ptx::completeParameters(KernelInfo &kernel,
                             const llvm::Function &function) {
  for (auto [parameter, argument] : zip(kernel.parameters, function.args())) {
    parameter.isPointer =
        argument.getType()->isPointerTy() && !argument.hasByValAttr();
    if (!parameter.isPointer)
      continue;
    parameter.pointeeIsConst |= argument.onlyReadsMemory();
    bool isKnown = parameter.element.kind != ElementKind::Opaque &&
                   parameter.typeName != "a number";
    if (!isKnown)
      parameter.element = elementOf(accessedTypes(argument));
    if (parameter.typeName == "a number")
      parameter.typeName = "a pointer";
  }
}
