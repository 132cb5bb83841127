//===- LaunchHelper.cpp - the host's side of a tuned kernel ---------------===//
//
// The rule is documented at `GeometryAttr`; runtime/Launch.cpp computes it.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/LaunchHelper.h"

#include "conversion/EmitSource/Structures.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "dialects/GPUOpt/SourceFacts.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

namespace {
/// A tuned kernel's geometry, as text.
struct Helper {
  mutable gpu::GPUFuncOp function;
  GeometryAttr geometry;
  Spelling spelling;

  StringRef name, original;

  std::string sourceName(unsigned number) const {
    auto source = function.getArgAttrOfType<StringAttr>(number, kNameAttrName);
    return source ? source.str() : "arg" + std::to_string(number);
  }
  std::string parameterName(unsigned number) const;
  std::vector<std::string> parameters(bool withTypes) const;
  std::string print(AffineExpr expr, bool isFactor, bool isWide) const;
  std::string endOf(unsigned number) const;
  void addDistinctness(std::vector<std::string> &all) const;
  void addAlignments(std::vector<std::string> &all) const;
  void addRequirements(std::vector<std::string> &all) const;
  std::string extent(unsigned dim) const;
  std::string workItems(unsigned dim) const;
  std::vector<std::string> conditions() const;
};
} // namespace

/// The names that the function has of its own.
static bool isOwnName(StringRef name) {
  return llvm::is_contained<StringRef>({"grid", "block", "shared_bytes",
                                        "stream", "blocks", "items_x",
                                        "items_y", "items_z"},
                                       name);
}

/// The name of a parameter, unless it is one of the function's own.
std::string Helper::parameterName(unsigned number) const {
  std::string wish = sourceName(number);
  if (!isOwnName(wish) && wish != name && wish != original)
    return wish;
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i)
    taken.insert(sourceName(i));
  for (unsigned next = 2;; ++next)
    if (std::string free = wish + "_" + std::to_string(next);
        !taken.contains(free))
      return free;
}

std::vector<std::string> Helper::parameters(bool withTypes) const {
  std::vector<std::string> list;
  FunctionType type = function.getFunctionType();
  for (auto [number, input] : llvm::enumerate(type.getInputs())) {
    if (!withTypes) {
      list.push_back(parameterName(number));
      continue;
    }
    auto memref = dyn_cast<MemRefType>(input);
    Type element = memref ? memref.getElementType() : Type(input);
    Variable variable;
    variable.kind = Variable::Parameter;
    variable.name = parameterName(number);
    if (auto structure = function.getArgAttrOfType<DictionaryAttr>(
            number, kStructureAttrName))
      variable.structure = typeNameOf(structure).str();
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
    list.push_back(spelling.parameter(variable));
  }
  return list;
}

/// An extent in C: sums and products of parameters, in 64 bits where asked for.
std::string Helper::print(AffineExpr expr, bool isFactor, bool isWide) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return (isWide ? "(long long)" : "") + parameterName(symbol.getPosition());
  auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!operation)
    return "0";
  // A parameter of 32 bits, read as unsigned.
  auto parameter = dyn_cast<AffineSymbolExpr>(operation.getLHS());
  auto modulus = dyn_cast<AffineConstantExpr>(operation.getRHS());
  if (operation.getKind() == AffineExprKind::Mod && parameter && modulus &&
      modulus.getValue() == int64_t(1) << 32) {
    unsigned number = parameter.getPosition();
    bool isUnsigned = bool(function.getArgAttr(number, kUnsignedAttrName));
    return (isWide ? "(long long)" : "") +
           std::string(isUnsigned ? "" : "(unsigned)") + parameterName(number);
  }
  bool isSum = operation.getKind() == AffineExprKind::Add;
  if (operation.getKind() == AffineExprKind::Mul && modulus &&
      modulus.getValue() == -1)
    return "-" + print(operation.getLHS(), /*isFactor=*/true, isWide);
  std::string left = print(operation.getLHS(), !isSum, isWide);
  std::string right =
      print(operation.getRHS(), !isSum,
            isWide && isa<AffineBinaryOpExpr>(operation.getRHS()));
  StringRef sign = isSum                                        ? " + "
                   : operation.getKind() == AffineExprKind::Mul ? " * "
                   : operation.getKind() == AffineExprKind::Mod ? " % "
                                                                : " / ";
  if (isSum && StringRef(right).starts_with("-"))
    return left + " - " + right.substr(1);
  std::string text = left + sign.str() + right;
  return isSum && isFactor ? "(" + text + ")" : text;
}

/// What must not exceed the work items; empty where nothing guards them.
std::string Helper::extent(unsigned dim) const {
  ArrayAttr extents = geometry.getExtents();
  auto map = extents ? dyn_cast<AffineMapAttr>(extents[dim]) : AffineMapAttr();
  return map ? print(map.getValue().getResult(0), false, false) : "";
}

/// The number of work items along a dimension, in 64 bits.
std::string Helper::workItems(unsigned dim) const {
  if (auto map = function->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName))
    return print(map.getValue().getResult(dim), /*isFactor=*/true,
                 /*isWide=*/true);
  std::string axis(1, static_cast<char>('x' + dim));
  return "(long long)grid." + axis + " * block." + axis;
}

/// Where the elements of an array end that the kernel may touch.
std::string Helper::endOf(unsigned number) const {
  auto map = function.getArgAttrOfType<AffineMapAttr>(number, kExtentAttrName);
  if (!map)
    return "";
  std::string length;
  for (AffineExpr result : map.getValue().getResults()) {
    std::string one = print(result, false, true);
    length = length.empty() ? one : "max(" + length + ", " + one + ")";
  }
  return parameterName(number) + " + " + length;
}

/// Arrays that the kernel takes for distinct must not overlap.
void Helper::addDistinctness(std::vector<std::string> &all) const {
  FunctionType type = function.getFunctionType();
  for (unsigned i = 0; i < type.getNumInputs(); ++i)
    for (unsigned j = 0; j < type.getNumInputs(); ++j) {
      bool isSaid = j < i && function.getArgAttr(j, kDistinctAttrName);
      std::string left = endOf(i), right = endOf(j);
      if (i == j || isSaid || !function.getArgAttr(i, kDistinctAttrName) ||
          left.empty() || right.empty())
        continue;
      StringRef as = type.getInput(i) == type.getInput(j) ? "" : "(void *)";
      auto isBefore = [&](StringRef end, unsigned start) {
        return as.empty()
                   ? (end + " <= " + parameterName(start)).str()
                   : ("(const void *)(" + end + ") <= " + parameterName(start))
                         .str();
      };
      all.push_back("(" + isBefore(left, j) + " || " + isBefore(right, i) +
                    ")");
    }
}

void Helper::addAlignments(std::vector<std::string> &all) const {
  for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i)
    if (auto bytes =
            function.getArgAttrOfType<IntegerAttr>(i, kAlignedAttrName))
      all.push_back("(size_t)" + parameterName(i) + " % " +
                    std::to_string(bytes.getInt()) + " == 0");
}

/// Conditions on arguments, grid and block.
void Helper::addRequirements(std::vector<std::string> &all) const {
  IntegerSet set = launchConditions(function);
  if (!set)
    return;
  FunctionType type = function.getFunctionType();
  unsigned numArguments = type.getNumInputs();
  auto textOf = [&](unsigned symbol, bool isUnsigned) -> SymbolText {
    if (symbol < numArguments) {
      bool isDeclared = bool(function.getArgAttr(symbol, kUnsignedAttrName));
      unsigned bits = type.getInput(symbol).isIntOrFloat()
                          ? type.getInput(symbol).getIntOrFloatBitWidth()
                          : 64;
      return {(isUnsigned && !isDeclared ? "(unsigned)" : "") +
                  parameterName(symbol),
              isUnsigned ? bits : bits - 1};
    }
    unsigned dim = (symbol - numArguments) % 3;
    std::string axis(1, static_cast<char>('x' + dim));
    if (symbol < numArguments + 3)
      return {"grid." + axis, dim == 0 ? 31u : 16u};
    return {"block." + axis, 11};
  };
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    std::string text = toString(set, i, textOf);
    bool isOfLaunch = !function->hasAttr(kWorkItemsAttrName);
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

std::vector<std::string> Helper::conditions() const {
  std::vector<std::string> all;
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::string axis(1, 'x' + dim), items = "items_" + axis;
    int64_t perBlock = geometry.getItemsPerBlock()[dim];
    if (!geometry.getOriginalBlock().empty() &&
        geometry.getOriginalBlock()[dim] != 0)
      all.push_back("block." + axis +
                    " == " + std::to_string(geometry.getOriginalBlock()[dim]));
    if (perBlock == 1)
      continue;
    std::string exact = items + " % " + std::to_string(perBlock) + " == 0";
    std::string guard = extent(dim);
    all.push_back(guard.empty()
                      ? exact
                      : "(" + exact + " || " + guard + " <= " + items + ")");
    // All positions in the last block have to fit `int`.
    int64_t most = std::numeric_limits<int32_t>::max() / perBlock * perBlock;
    // The launch that is asked for is within the limits of grids.
    if (dim != 0 && function->hasAttr(kWorkItemsAttrName))
      most = std::min<int64_t>(most, 65535 * perBlock);
    all.push_back(items + " <= 0x" + llvm::utohexstr(most, /*LowerCase=*/true));
  }
  if (auto sizes =
          function->getAttrOfType<DictionaryAttr>(kSpecializedAttrName))
    for (NamedAttribute size : sizes) {
      std::string parameter = size.getName().str();
      for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i)
        if (sourceName(i) == size.getName())
          parameter = parameterName(i);
      if (auto value = dyn_cast<IntegerAttr>(size.getValue()))
        all.push_back(parameter + " == " + std::to_string(value.getInt()));
    }
  addRequirements(all);
  addAlignments(all);
  addDistinctness(all);
  return all;
}

/// The kernel's launch in words, for languages whose host code is not here.
static void printComment(const Helper &helper, StringRef name,
                         StringRef original, llvm::raw_ostream &stream) {
  auto dims = [&](ArrayRef<int64_t> values) {
    return llvm::join(
        llvm::map_range(values,
                        [](int64_t value) { return std::to_string(value); }),
        " x ");
  };
  stream << "\n// Launch: " << name << " in groups of "
         << dims(helper.geometry.getBlock()) << " work-items, each group for "
         << dims(helper.geometry.getItemsPerBlock())
         << " of the original ones.\n// It takes the place of " << original
         << " where";
  std::vector<std::string> conditions = helper.conditions();
  if (conditions.empty())
    stream << " any launch is asked for.\n";
  else
    stream << ":\n";
  for (const std::string &condition : conditions)
    stream << "//   " << condition << '\n';
}

void gpuopt::source::printLaunchHelper(gpu::GPUFuncOp function, StringRef name,
                                       StringRef original,
                                       const Spelling &spelling,
                                       llvm::raw_ostream &stream) {
  auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName);
  // A kernel with work items of its own runs in blocks of any shape.
  if (!geometry && function->hasAttr(kWorkItemsAttrName))
    geometry = GeometryAttr::get(function.getContext(), {256, 1, 1}, {1, 1, 1},
                                 {256, 1, 1}, {}, {});
  if (!geometry)
    return;
  Helper helper{function, geometry, spelling, name, original};
  if (spelling.isOpenCL())
    return printComment(helper, name, original, stream);
  StringRef api =
      spelling.getLanguage() == OutputLanguage::HIP ? "hip" : "cuda";
  stream << "\n// Launches " << name << " in place of " << original
         << "<<<grid, block>>>.\nvoid launch_" << name
         << "(dim3 grid, dim3 block, size_t shared_bytes, " << api
         << "Stream_t stream, " << llvm::join(helper.parameters(true), ", ")
         << ") {\n";
  std::string blocks[3];
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::string axis(1, 'x' + dim);
    int64_t perBlock = geometry.getItemsPerBlock()[dim];
    bool hasOwnItems = function->hasAttr(kWorkItemsAttrName);
    std::string items = hasOwnItems ? helper.workItems(dim)
                                    : "grid." + axis + " * block." + axis;
    if (perBlock == 1) {
      blocks[dim] = items;
      continue;
    }
    stream << "const long long items_" << axis << " = " << helper.workItems(dim)
           << ";\n";
    blocks[dim] = "(items_" + axis + " + " + std::to_string(perBlock - 1) +
                  ") / " + std::to_string(perBlock);
  }
  std::string arguments = llvm::join(helper.parameters(false), ", ");
  std::vector<std::string> conditions = helper.conditions();
  auto dims = [](ArrayRef<int64_t> values) {
    std::string text = std::to_string(values[0]);
    if (values[1] != 1 || values[2] != 1)
      text += ", " + std::to_string(values[1]);
    if (values[2] != 1)
      text += ", " + std::to_string(values[2]);
    return text;
  };
  stream << "const dim3 blocks(" << blocks[0] << ", " << blocks[1] << ", "
         << blocks[2] << ");\n";
  if (!conditions.empty())
    stream << "if (" << llvm::join(conditions, " && ") << ")\n";
  // A kernel may have such a name as well.
  auto globalName = [](StringRef kernel) {
    return (isOwnName(kernel) ? "::" : "") + kernel.str();
  };
  stream << globalName(name) << "<<<blocks, dim3(" << dims(geometry.getBlock())
         << "), shared_bytes, stream>>>(" << arguments << ");\n";
  if (!conditions.empty())
    stream << "else\n"
           << globalName(original) << "<<<grid, block, shared_bytes, stream>>>("
           << arguments << ");\n";
  stream << "}\n";
}
