//===- ModuleVariables.cpp - __constant__ and __device__ variables --------===//

#include "conversion/EmitSource/ModuleVariables.h"

#include "conversion/EmitSource/LegalNames.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "dialects/GPUOpt/ManagedVariables.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"

#include <charconv>

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

//===--- Types and names --------------------------------------------------===//

static CType typeOf(Type type, bool isUnsigned) {
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
    return {};
  CType::Kind kind = type.isBF16()          ? CType::BFloat
                     : isa<FloatType>(type) ? CType::Float
                     : isUnsigned           ? CType::Unsigned
                                            : CType::Signed;
  return {kind, type.getIntOrFloatBitWidth(), 1};
}

/// The smallest number in `type`, the first of several; null where something in
/// it is none.
static Type findSmallest(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return findSmallest(array.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType();
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure)
    return type.isIntOrFloat() ? type : Type();
  Type smallest;
  for (Type member : structure.getBody()) {
    Type part = findSmallest(member);
    if (!part)
      return {};
    if (!smallest ||
        part.getIntOrFloatBitWidth() < smallest.getIntOrFloatBitWidth())
      smallest = part;
  }
  return smallest;
}

std::optional<DeclaredVariable>
gpuopt::source::describeVariable(LLVM::GlobalOp variable) {
  DeclaredVariable declared;
  declared.isInConstantMemory =
      variable.getAddrSpace() == GetVariableOp::kConstantSpace;
  bool isUnsigned = variable->hasAttr(kUnsignedAttrName);
  Type type = variable.getGlobalType();
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    declared.shape.push_back(array.getNumElements());
    type = array.getElementType();
  }
  if (!type.isIntOrFloat()) {
    Type smallest = findSmallest(type);
    if (!smallest)
      return std::nullopt;
    int64_t bytes =
        DataLayout::closest(variable).getTypeSize(variable.getGlobalType());
    declared.shape = {bytes * 8 / smallest.getIntOrFloatBitWidth()};
    type = smallest;
  }
  declared.element = typeOf(type, isUnsigned);
  if (declared.element.kind == CType::Void)
    return std::nullopt;
  return declared;
}

/// `table` of `_ZZ1kPfE5table`, which is `k(float*)::table`.
static std::string sourceNameOf(LLVM::GlobalOp variable) {
  std::string whole = llvm::demangle(variable.getSymName());
  size_t scope = whole.rfind("::");
  return scope == std::string::npos ? whole : whole.substr(scope + 2);
}

llvm::StringMap<std::string>
gpuopt::source::variableNames(gpu::GPUFuncOp function, bool isOpenCL) {
  llvm::StringSet<> taken;
  Operation *module = function->getParentOp();
  for (auto kernel : module->getRegion(0).getOps<gpu::GPUFuncOp>())
    if (auto name = kernel->getAttrOfType<StringAttr>(kSourceNameAttrName))
      taken.insert(name.getValue());
  llvm::StringMap<std::string> names;
  for (auto variable : module->getRegion(0).getOps<LLVM::GlobalOp>()) {
    std::string &name = names[variable.getSymName()];
    name =
        legalKernelName(sourceNameOf(variable), isOpenCL,
                        [&](StringRef other) { return taken.contains(other); });
    taken.insert(name);
  }
  return names;
}

//===--- Contents ---------------------------------------------------------===//

/// Whether nothing but zeros, or nothing at all, is what `variable` holds at
/// first.
static bool startsWithZeros(LLVM::GlobalOp variable) {
  if (Attribute value = variable.getValueOrNull()) {
    if (auto elements = dyn_cast<DenseElementsAttr>(value))
      return elements.isSplat() &&
             isa<FloatAttr, IntegerAttr>(elements.getSplatValue<Attribute>()) &&
             llvm::all_of(elements.getRawData(),
                          [](char byte) { return byte == 0; });
    if (auto number = dyn_cast<IntegerAttr>(value))
      return number.getValue().isZero();
    if (auto number = dyn_cast<FloatAttr>(value))
      return number.getValue().isPosZero();
    return false;
  }
  mlir::Block *body = variable.getInitializerBlock();
  if (!body)
    return true;
  Value value = cast<LLVM::ReturnOp>(body->getTerminator()).getArg();
  return isa_and_nonnull<LLVM::ZeroOp, LLVM::UndefOp, LLVM::PoisonOp>(
      value.getDefiningOp());
}

/// Adds zeros for what of `type` has not been set, number by number.
static bool addZeros(Type type, SmallVectorImpl<Attribute> &numbers) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    for (unsigned i = 0; i < array.getNumElements(); ++i)
      if (!addZeros(array.getElementType(), numbers))
        return false;
    return true;
  }
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return llvm::all_of(structure.getBody(),
                        [&](Type member) { return addZeros(member, numbers); });
  if (!type.isIntOrFloat())
    return false;
  numbers.push_back(Builder(type.getContext()).getZeroAttr(type));
  return true;
}

static int64_t memberCount(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements();
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  return structure ? static_cast<int64_t>(structure.getBody().size()) : 0;
}

/// Adds the numbers of a constant that is put together in an initializer's
/// block, in the order in which they lie in memory. False where some are none.
static bool addNumbers(Value value, SmallVectorImpl<Attribute> &numbers) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<LLVM::ZeroOp, LLVM::UndefOp, LLVM::PoisonOp>(op))
    return addZeros(value.getType(), numbers);
  if (auto constant = dyn_cast_or_null<LLVM::ConstantOp>(op)) {
    if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue())) {
      llvm::append_range(numbers, elements.getValues<Attribute>());
      return true;
    }
    numbers.push_back(constant.getValue());
    return isa<IntegerAttr, FloatAttr>(numbers.back());
  }
  SmallVector<Value> members(memberCount(value.getType()));
  while (auto insert = value.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition().size() != 1)
      return false;
    Value &member = members[insert.getPosition().front()];
    if (!member) // Later ones come first.
      member = insert.getValue();
    value = insert.getContainer();
  }
  // What is under all of them matters only where it is not zeros.
  return !members.empty() &&
         isa_and_nonnull<LLVM::ZeroOp, LLVM::UndefOp, LLVM::PoisonOp>(
             value.getDefiningOp()) &&
         llvm::all_of(llvm::enumerate(members), [&](auto entry) {
           auto [index, member] = entry;
           if (member)
             return addNumbers(member, numbers);
           auto structure = dyn_cast<LLVM::LLVMStructType>(value.getType());
           return addZeros(structure
                               ? structure.getBody()[index]
                               : cast<LLVM::LLVMArrayType>(value.getType())
                                     .getElementType(),
                           numbers);
         });
}

/// A number as an initializer; nothing where it has no form.
static std::optional<std::string> spellNumber(Attribute attribute, CType type,
                                              const Spelling &spelling) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    const llvm::APInt &value = integer.getValue();
    llvm::SmallString<24> text;
    value.toString(text, 10, type.kind == CType::Signed);
    if (type.kind == CType::Unsigned)
      return (text + "u").str() + (type.bits == 64 ? "ll" : "");
    if (value.isMinSignedValue() && type.bits >= 32)
      return "(" + std::to_string(value.getSExtValue() + 1) + " - 1)";
    return text.str().str();
  }
  auto number = dyn_cast<FloatAttr>(attribute);
  if (!number || !number.getValue().isFinite() || type.bits < 32)
    return std::nullopt;
  char digits[32];
  llvm::APFloat value = number.getValue();
  auto end =
      type.bits == 32
          ? std::to_chars(digits, std::end(digits), value.convertToFloat())
          : std::to_chars(digits, std::end(digits), value.convertToDouble());
  std::string text(digits, end.ptr);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return spelling.number(text, type);
}

/// `values`, from `position` on, in the braces that `shape` needs.
static std::string nest(ArrayRef<std::string> values, ArrayRef<int64_t> shape,
                        size_t &position) {
  if (shape.empty())
    return values[position++];
  std::string text = "{";
  for (int64_t i = 0; i < shape.front(); ++i)
    text += (i ? ", " : "") + nest(values, shape.drop_front(), position);
  return text + "}";
}

/// ` = {1, 2}`; empty for zeros. Nothing where it has no source form.
static std::optional<std::string>
spellInitializer(LLVM::GlobalOp variable, const DeclaredVariable &declared,
                 const Spelling &spelling) {
  if (startsWithZeros(variable)) // OpenCL C wants something.
    return spelling.isOpenCL() && declared.isInConstantMemory
               ? (declared.shape.empty() ? " = 0" : " = {0}")
               : "";
  int64_t count = 1;
  for (int64_t extent : declared.shape)
    count *= extent;
  std::vector<std::string> values;
  auto add = [&](Attribute value) {
    // Members of other types lie in the array in another way.
    auto number = dyn_cast<TypedAttr>(value);
    if (!number ||
        number.getType().getIntOrFloatBitWidth() != declared.element.bits ||
        isa<FloatType>(number.getType()) == declared.element.isInteger())
      return false;
    std::optional<std::string> text =
        spellNumber(value, declared.element, spelling);
    values.push_back(text.value_or(""));
    return text.has_value();
  };
  Attribute value = variable.getValueOrNull();
  if (auto text = dyn_cast_or_null<StringAttr>(value)) {
    for (char byte : text.getValue())
      values.push_back(std::to_string(declared.element.kind == CType::Unsigned
                                          ? int(uint8_t(byte))
                                          : int(int8_t(byte))));
  } else if (auto elements = dyn_cast_or_null<DenseElementsAttr>(value)) {
    if (!llvm::all_of(elements.getValues<Attribute>(), add))
      return std::nullopt;
  } else if (mlir::Block *body = variable.getInitializerBlock()) {
    SmallVector<Attribute> numbers;
    if (!addNumbers(cast<LLVM::ReturnOp>(body->getTerminator()).getArg(),
                    numbers) ||
        !llvm::all_of(numbers, add))
      return std::nullopt;
  } else if (!value || !add(value)) {
    return std::nullopt;
  }
  if (static_cast<int64_t>(values.size()) != count)
    return std::nullopt;
  size_t position = 0;
  return " = " + nest(values, declared.shape, position);
}

//===--- Declarations -----------------------------------------------------===//

static std::optional<std::string>
declare(LLVM::GlobalOp variable, StringRef name, const Spelling &spelling) {
  std::optional<DeclaredVariable> declared = describeVariable(variable);
  if (!declared)
    return std::nullopt;
  std::optional<std::string> initializer =
      spellInitializer(variable, *declared, spelling);
  if (!initializer)
    return std::nullopt;
  bool isLocal = variable.getLinkage() == LLVM::Linkage::Internal ||
                 variable.getLinkage() == LLVM::Linkage::Private ||
                 variable.getSymName().starts_with("_ZL");
  std::string text;
  uint64_t alignment = variable.getAlignment().value_or(1);
  if (alignment > declared->element.bits / 8)
    text = (spelling.isOpenCL() ? "__attribute__((aligned(" : "alignas(") +
           std::to_string(alignment) + (spelling.isOpenCL() ? "))) " : ") ");
  if (spelling.isOpenCL())
    text += declared->isInConstantMemory ? "__constant " : "__global ";
  else
    text += std::string(isLocal ? "static " : "") +
            (declared->isInConstantMemory               ? "__constant__ "
             : variable.getSection() == kManagedSection ? "__managed__ "
                                                        : "__device__ ");
  // What the host may set is no constant.
  if (variable.getConstant() && !variable.getExternallyInitialized() &&
      !spelling.isOpenCL())
    text += "const ";
  text += spelling.type(declared->element) + " " + name.str();
  for (int64_t extent : declared->shape)
    text += "[" + std::to_string(extent) + "]";
  return text + *initializer + ";\n";
}

FailureOr<std::string>
gpuopt::source::declareVariables(ArrayRef<gpu::GPUFuncOp> functions,
                                 const Spelling &spelling) {
  llvm::StringMap<Location> used;
  for (gpu::GPUFuncOp function : functions)
    function.walk([&](GetVariableOp get) {
      used.try_emplace(get.getVariable(), get.getLoc());
    });
  if (used.empty())
    return std::string();
  // In the order of the source.
  std::string text = "\n";
  gpu::GPUFuncOp first = functions.front();
  llvm::StringMap<std::string> names =
      variableNames(first, spelling.isOpenCL());
  for (auto variable : first->getParentRegion()->getOps<LLVM::GlobalOp>()) {
    auto use = used.find(variable.getSymName());
    if (use == used.end())
      continue;
    const std::string &name = names[variable.getSymName()];
    std::optional<std::string> line = declare(variable, name, spelling);
    if (!line) {
      emitError(use->second, "the variable '")
          << name << "' has no source form";
      return failure();
    }
    text += *line;
  }
  return text;
}
