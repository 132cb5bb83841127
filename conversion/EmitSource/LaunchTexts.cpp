//===- LaunchTexts.cpp - what a launch is computed from, as text ----------===//

#include "conversion/EmitSource/LaunchTexts.h"

#include "conversion/EmitSource/ImpliedConditions.h"
#include "conversion/EmitSource/LaunchProblem.h"
#include "conversion/EmitSource/LegalNames.h"
#include "conversion/EmitSource/Structures.h"
#include "dialects/GPUOpt/AttributeNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

std::string LaunchTexts::sourceName(unsigned number) const {
  auto source = function.getArgAttrOfType<StringAttr>(number, kNameAttrName);
  return source ? source.str() : "arg" + std::to_string(number);
}

std::string LaunchTexts::parameterName(unsigned number) const {
  SmallVector<std::string> names = parameterNames(function);
  StringRef wish = baseOf(names[number]);
  auto isTaken = [&](StringRef other) {
    bool isHidden = isOwnName(other) || other == name || other == original;
    auto isIts = [&](StringRef name) { return baseOf(name) == other; };
    return isHidden || (other != wish && llvm::any_of(names, isIts));
  };
  return legalName(wish, isTaken) + names[number].substr(wish.size());
}

Variable LaunchTexts::parameter(unsigned number) const {
  Type input = function.getFunctionType().getInput(number);
  auto memref = dyn_cast<MemRefType>(input);
  Type element = memref ? memref.getElementType() : input;
  Variable variable;
  variable.kind = Variable::Parameter;
  variable.name = parameterName(number);
  if (auto structure =
          function.getArgAttrOfType<DictionaryAttr>(number, kStructureAttrName))
    variable.structure = typeNameOf(structure).str();
  if (DictionaryAttr structure = structureAround(function, number)) {
    variable.structure = typeNameOf(structure).str();
    variable.name = baseOf(variable.name).str();
  }
  variable.isPointer = memref != nullptr;
  variable.isConst = memref && function.getArgAttr(number, "llvm.readonly");
  bool isFloat = isa<FloatType>(element);
  variable.type = {
      element.isBF16()       ? CType::BFloat
      : isFloat              ? CType::Float
      : element.isInteger(1) ? CType::Bool
                             : CType::Signed,
      element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64, 1};
  if (function.getArgAttr(number, kUnsignedAttrName))
    variable.type.kind = CType::Unsigned;
  if (auto pointee =
          function.getArgAttrOfType<StringAttr>(number, kPointeeAttrName))
    variable.pointee = pointee.str();
  if (function.getArgAttr(number, kUnusedAttrName))
    variable.pointToAnything();
  return variable;
}

std::vector<std::string> LaunchTexts::parameters(bool withTypes) const {
  std::vector<std::string> list;
  for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i) {
    DictionaryAttr structure = structureAround(function, i);
    if (!structure || firstOf(structure) == i)
      list.push_back(withTypes ? spelling.parameter(parameter(i))
                               : parameter(i).name);
  }
  return list;
}

ArgumentText LaunchTexts::argument(unsigned number) const {
  return {parameterName(number), bitsOfArgument(function, number),
          function.getArgAttr(number, kUnsignedAttrName) != nullptr};
}

std::string LaunchTexts::print(AffineExpr extent,
                               const ExtentStyle &style) const {
  return printExtent(extent, reader(), positive, style);
}

StringRef LaunchTexts::typeOf(ArrayRef<AffineExpr> extents) const {
  return typeOfExtents(extents, reader());
}

std::string LaunchTexts::printOneOf(StringRef choice,
                                    ArrayRef<AffineExpr> extents,
                                    ExtentStyle style) const {
  if (extents.size() == 1)
    return print(extents.front(), style);
  std::vector<std::string> texts;
  for (AffineExpr extent : extents) {
    std::string text = print(extent, style);
    // A list does not convert exact numbers to `double` by itself.
    if (style.isWide && typeOf(extents) == "double" &&
        typeOf(extent) != "double")
      text = "(double)(" + text + ")";
    texts.push_back(std::move(text));
  }
  std::string list = llvm::join(texts, ", ");
  // In comments it is plain.
  if (!style.isWide || spelling.isOpenCL())
    return (choice + "(" + list + ")").str();
  spelling.require(Headers::Algorithm);
  return ("std::" + choice + "<" + typeOf(extents) + ">({" + list + "})").str();
}

/// How many elements of an array the kernel may touch.
std::string LaunchTexts::lengthOf(unsigned number) const {
  auto map = function.getArgAttrOfType<AffineMapAttr>(number, kExtentAttrName);
  return map ? printOneOf("max", map.getValue().getResults(), {.isWide = true})
             : "";
}

/// Whether array `number` begins behind all `length` elements of `other`. A
/// distance does not wrap, as the end of an array does that is only as long as
/// some guard lets it be.
std::string LaunchTexts::isBehind(unsigned number, unsigned other,
                                  StringRef length) const {
  CType element = parameter(other).type;
  auto elementsOf = [&](const Variable &array) {
    return (spelling.pointsTo(array, element)
                ? ""
                : "(const " + spelling.type(element) + " *)") +
           array.name;
  };
  return (elementsOf(parameter(number)) + " - " + elementsOf(parameter(other)) +
          " >= " + length)
      .str();
}

/// Arrays that the kernel takes for distinct must not overlap.
void LaunchTexts::addDistinctness(std::vector<std::string> &all) const {
  FunctionType type = function.getFunctionType();
  for (unsigned i = 0; i < type.getNumInputs(); ++i)
    for (unsigned j = 0; j < type.getNumInputs(); ++j) {
      bool isSaid = j < i && function.getArgAttr(j, kDistinctAttrName);
      std::string left = lengthOf(i), right = lengthOf(j);
      if (i == j || isSaid || !function.getArgAttr(i, kDistinctAttrName) ||
          left.empty() || right.empty())
        continue;
      all.push_back("(" + isBehind(j, i, left) + " || " +
                    isBehind(i, j, right) + ")");
    }
}

void LaunchTexts::addAlignments(std::vector<std::string> &all) const {
  for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i)
    if (auto bytes =
            function.getArgAttrOfType<IntegerAttr>(i, kAlignedAttrName))
      all.push_back("(size_t)" + parameterName(i) + " % " +
                    std::to_string(bytes.getInt()) + " == 0");
}

std::optional<SymbolText>
LaunchTexts::read(unsigned symbol, std::optional<int64_t> modulus) const {
  unsigned numArguments = function.getFunctionType().getNumInputs();
  if (symbol < numArguments)
    return argument(symbol).read(modulus);
  unsigned dim = (symbol - numArguments) % 3;
  std::string axis(1, static_cast<char>('x' + dim));
  if (symbol < numArguments + 3)
    return SymbolText{"grid." + axis, dim == 0 ? 31u : 16u};
  return SymbolText{"block." + axis, 11};
}

/// Conditions on arguments, grid and block.
void LaunchTexts::addRequirements(std::vector<std::string> &all) const {
  IntegerSet set = launchConditions(function);
  if (!set)
    return;
  for (unsigned i : findNeededConstraints(set, positive)) {
    std::string text = toString(set, i, reader());
    bool isOfLaunch = geometry && !function->hasAttr(kWorkItemsAttrName);
    for (char axis : {'x', 'y', 'z'}) {
      if (!isOfLaunch || geometry.getItemsPerBlock()[axis - 'x'] == 1)
        continue;
      std::string product = std::string("grid.") + axis + " * block." + axis;
      for (std::string wide : {"(long long)" + product, product})
        if (size_t at = text.find(wide); at != std::string::npos)
          text.replace(at, wide.size(), std::string("items_") + axis);
    }
    all.push_back(text);
  }
}

void LaunchTexts::addSizes(std::vector<std::string> &all) const {
  auto sizes = function->getAttrOfType<DictionaryAttr>(kSpecializedAttrName);
  if (!sizes)
    return;
  for (NamedAttribute size : sizes) {
    std::string parameter = size.getName().str();
    for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i)
      if (sourceName(i) == size.getName())
        parameter = parameterName(i);
    if (auto value = dyn_cast<IntegerAttr>(size.getValue()))
      all.push_back(parameter + " == " + std::to_string(value.getInt()));
  }
}

std::vector<std::string> LaunchTexts::conditions() const {
  std::vector<std::string> all;
  addSizes(all);
  addRequirements(all);
  addAlignments(all);
  addDistinctness(all);
  return all;
}

std::string LaunchTexts::kernelName(StringRef kernel) const {
  return (isOwnName(kernel) ? "::" : "") + kernel.str();
}

std::string gpuopt::source::joinDims(ArrayRef<int64_t> extents,
                                     StringRef separator) {
  while (extents.size() > 1 && extents.back() == 1)
    extents = extents.drop_back();
  return llvm::join(
      llvm::map_range(extents,
                      [](int64_t extent) { return std::to_string(extent); }),
      separator);
}
