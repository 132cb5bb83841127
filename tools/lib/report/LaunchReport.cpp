//===- LaunchReport.cpp - a launch as expressions -------------------------===//

#include "tools/lib/report/LaunchReport.h"

#include "conversion/EmitSource/LaunchProblem.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/ArrayExtents.h"
#include "tools/lib/report/ExpressionText.h"

using namespace mlir;
using namespace gpuopt;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// "int32", "float16"; null for what is no number.
static json::Value formatOf(const ElementType &type) {
  std::string bits = std::to_string(8 * type.bytes);
  switch (type.kind) {
  case ElementKind::Bool:
    return "bool";
  case ElementKind::SignedInt:
    return "int" + bits;
  case ElementKind::UnsignedInt:
    return "uint" + bits;
  case ElementKind::Float:
    return "float" + bits;
  case ElementKind::BFloat:
    return "bfloat" + bits;
  case ElementKind::Opaque:
    return nullptr;
  }
  return nullptr;
}

static json::Array toArray(const std::vector<std::string> &texts) {
  json::Array array;
  for (const std::string &text : texts)
    array.push_back(text);
  return array;
}

/// The largest of several, or the one.
static std::string largestOf(ArrayRef<AffineExpr> ends,
                             const ExpressionText &text) {
  if (ends.size() == 1)
    return text.print(ends.front());
  std::string list;
  for (AffineExpr end : ends)
    list += (list.empty() ? "" : ", ") + text.print(end);
  return "max(" + list + ")";
}

/// By argument, how many elements of an array the kernel may touch.
static llvm::DenseMap<unsigned, std::string>
elementsOf(gpu::GPUFuncOp kernel, const ExpressionText &text) {
  llvm::DenseMap<unsigned, std::string> elements;
  if (kernel && kernel.getBody().hasOneBlock())
    for (const ArrayExtent &extent : computeArrayExtents(kernel))
      if (extent.elements)
        elements[extent.argument] =
            largestOf(extent.elements.getResults(), text);
  return elements;
}

/// How many elements of an array the kernel may touch, by its number.
using ReachedElements = llvm::DenseMap<unsigned, std::string>;

static json::Value reachedOf(unsigned number, const ReachedElements &elements) {
  auto reached = elements.find(number);
  return reached == elements.end() ? json::Value(nullptr)
                                   : json::Value(reached->second);
}

/// The members of a structure.
static json::Array membersOf(const KernelInfo &kernel,
                             const SourceArgument &source,
                             const ReachedElements &elements) {
  json::Array members;
  for (const StructureMember &member : source.parameter->members) {
    json::Object object{{"name", member.name},
                        {"offset", member.offset},
                        {"format", formatOf(member.element)},
                        {"lanes", member.element.lanes},
                        {"extents", json::Array(member.extents)},
                        {"is_pointer", member.isPointer}};
    for (unsigned i = 0; source.isSplit && member.isPointer && i < source.count;
         ++i)
      if (kernel.parameters[source.first + i].offset == member.offset)
        object["elements"] = reachedOf(source.first + i, elements);
    members.push_back(std::move(object));
  }
  return members;
}

json::Array gpuopt::reportParameters(const Compilation &compilation,
                                     const KernelInfo &kernel) {
  gpu::GPUFuncOp raised = compilation.raisedKernel(kernel);
  ExpressionText text(raised, kernel);
  ReachedElements elements = elementsOf(raised, text);
  json::Array parameters;
  for (const SourceArgument &source : kernel.sourceArguments()) {
    const KernelParameter &parameter = *source.parameter;
    json::Object object{{"name", parameter.name},
                        {"type", parameter.typeName},
                        {"bytes", parameter.bytes},
                        {"kind", parameter.isPointer          ? "array"
                                 : !parameter.members.empty() ? "structure"
                                                              : "number"},
                        {"format", formatOf(parameter.element)},
                        {"lanes", parameter.element.lanes}};
    if (!parameter.members.empty())
      object["members"] = membersOf(kernel, source, elements);
    if (parameter.isPointer) {
      object["element_bytes"] =
          parameter.element.bytes * parameter.element.lanes;
      object["is_const"] = parameter.pointeeIsConst;
      object["is_restrict"] = parameter.isRestrict;
      object["elements"] = reachedOf(source.first, elements);
      object["shape"] = nullptr;
      if (kernel.pragma)
        if (auto shape = kernel.pragma->arrays.find(parameter.name);
            shape != kernel.pragma->arrays.end())
          object["shape"] = toArray(shape->second);
    }
    parameters.push_back(std::move(object));
  }
  return parameters;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
/// What the tuned kernel says of its launch, as texts.
class Arithmetic {
public:
  Arithmetic(const Compilation &compilation, const KernelInfo &kernel)
      : compilation(compilation), kernel(kernel),
        function(compilation.tunedKernel(kernel)), text(function, kernel),
        geometry(function->getAttrOfType<GeometryAttr>(kGeometryAttrName)),
        ownItems(function->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName)) {
    LaunchRules rules = compilation.launchRules(kernel);
    readsGrid = rules.geometry && rules.geometry->readsGrid;
    ownBytes = rules.geometry ? rules.geometry->dynamicSharedBytes : 0;
  }

  json::Object report();

private:
  bool keepsLaunch() const { return !geometry && !ownItems; }
  int64_t itemsPerBlock(unsigned dim) const {
    return geometry ? geometry.getItemsPerBlock()[dim] : dim == 0 ? 256 : 1;
  }
  json::Value problem();
  AffineMapAttr extentsOf(unsigned dim) const {
    ArrayAttr extents = geometry ? geometry.getExtents() : ArrayAttr();
    return extents ? dyn_cast<AffineMapAttr>(extents[dim]) : AffineMapAttr();
  }
  std::string gridOf(unsigned dim) const;
  void addSizes();
  void addArrays();
  void addRequirements();
  void addCover(unsigned dim);
  std::string coveredBy(unsigned dim) const;
  gpu::GPUFuncOp original() const;

  const Compilation &compilation;
  const KernelInfo &kernel;
  gpu::GPUFuncOp function;
  ExpressionText text;
  GeometryAttr geometry;
  AffineMapAttr ownItems;
  bool readsGrid;
  /// Workgroup memory beside what the original launch asks for.
  int64_t ownBytes;
  std::vector<std::string> conditions;
};
} // namespace

static std::string axisName(unsigned dim) {
  return std::string(1, static_cast<char>('x' + dim));
}

gpu::GPUFuncOp Arithmetic::original() const {
  auto fallback = function->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName);
  return fallback ? SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
                        function, fallback)
                  : gpu::GPUFuncOp();
}

void Arithmetic::addSizes() {
  for (const auto &[name, value] : compilation.specializedSizes(kernel))
    conditions.push_back(name.str() + " == " + std::to_string(value));
}

/// Arrays that must be apart, and aligned. One of no elements is nowhere.
void Arithmetic::addArrays() {
  struct Place {
    std::string name, bytes;
    bool isDistinct;
  };
  std::vector<Place> places;
  for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i) {
    if (auto bytes =
            function.getArgAttrOfType<IntegerAttr>(i, kAlignedAttrName))
      conditions.push_back(text.nameOf(i) + " % " +
                           std::to_string(bytes.getInt()) + " == 0");
    auto map = function.getArgAttrOfType<AffineMapAttr>(i, kExtentAttrName);
    if (!map)
      continue;
    auto array = cast<MemRefType>(function.getArgument(i).getType());
    int64_t bytes =
        DataLayout::closest(function).getTypeSize(array.getElementType());
    places.push_back({text.nameOf(i),
                      std::to_string(bytes) + " * max(" +
                          largestOf(map.getValue().getResults(), text) + ", 0)",
                      function.getArgAttr(i, kDistinctAttrName) != nullptr});
  }
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = i + 1; j < places.size(); ++j)
      if (places[i].isDistinct || places[j].isDistinct)
        conditions.push_back(places[i].name + " + " + places[i].bytes +
                             " <= " + places[j].name + " || " + places[j].name +
                             " + " + places[j].bytes + " <= " + places[i].name);
}

void Arithmetic::addRequirements() {
  IntegerSet set = launchConditions(function);
  for (unsigned i = 0; set && i < set.getNumConstraints(); ++i)
    conditions.push_back(text.print(set.getConstraint(i)) +
                         (set.isEq(i) ? " == 0" : " >= 0"));
}

/// What has to be so that no work item is run that the original does not have
/// and no guard stops; empty where that is always so.
std::string Arithmetic::coveredBy(unsigned dim) const {
  std::string items = "items." + axisName(dim);
  std::string all =
      items + " % " + std::to_string(itemsPerBlock(dim)) + " == 0";
  ArrayAttr extents = geometry.getExtents();
  if (AffineMapAttr map = extentsOf(dim))
    all +=
        " || " + largestOf(map.getValue().getResults(), text) + " <= " + items;
  gpu::GPUFuncOp written = original();
  auto own = written ? written->getAttrOfType<ArrayAttr>(kOwnExtentsAttrName)
                     : ArrayAttr();
  auto ends =
      extents && own ? dyn_cast<AffineMapAttr>(own[dim]) : AffineMapAttr();
  if (!ends)
    return all;
  for (AffineExpr end : ends.getValue().getResults()) {
    std::string part = text.print(end) + " <= " + items;
    // As an unsigned number, one that is negative bounds nothing.
    for (unsigned i = 0; i < written.getNumArguments(); ++i)
      if (end.isFunctionOfSymbol(i) &&
          written.getArgAttr(i, kBoundsUnsignedAttrName))
        part += " && " + text.print(getAffineSymbolExpr(i, end.getContext())) +
                " >= 0";
    all += " || " + part;
  }
  return all;
}

/// (min(items.x, n) + 127) / 128
std::string Arithmetic::gridOf(unsigned dim) const {
  std::string items = "items." + axisName(dim);
  if (AffineMapAttr extents = extentsOf(dim); extents && !readsGrid)
    items = "min(" + items + ", " +
            largestOf(extents.getValue().getResults(), text) + ")";
  int64_t perBlock = itemsPerBlock(dim);
  return perBlock == 1 ? items
                       : "(" + items + " + " + std::to_string(perBlock - 1) +
                             ") / " + std::to_string(perBlock);
}

/// The conditions of runtime/Launch.h.
void Arithmetic::addCover(unsigned dim) {
  std::string axis = axisName(dim);
  if (geometry && !ownItems && !geometry.getOriginalBlock().empty() &&
      geometry.getOriginalBlock()[dim] != 0)
    conditions.push_back("block." + axis + " == " +
                         std::to_string(geometry.getOriginalBlock()[dim]));
  int64_t perBlock = itemsPerBlock(dim);
  if (geometry && perBlock != 1)
    conditions.push_back(coveredBy(dim));
  // Without anything to do the original is the shorter way.
  if (AffineMapAttr extents = extentsOf(dim))
    conditions.push_back(largestOf(extents.getValue().getResults(), text) +
                         " > 0");
  // All that the last block has fits `int`, as all that a launch has along y
  // and z does.
  int64_t most = std::numeric_limits<int32_t>::max() / perBlock * perBlock;
  if (dim == 0 || perBlock != 1 || ownItems)
    conditions.push_back("items." + axis + " <= " + std::to_string(most));
  if (dim != 0)
    conditions.push_back(gridOf(dim) +
                         " <= " + std::to_string(kMostBlocksAlongYOrZ) +
                         " || " + gridOf(dim) + " <= grid." + axis);
}

/// How much there is to do whatever is launched: a launch of the original
/// kernel that does it.
json::Value Arithmetic::problem() {
  gpu::GPUFuncOp written = original();
  std::optional<source::LaunchProblem> found =
      written ? source::findLaunchProblem(function, written) : std::nullopt;
  if (!found)
    return nullptr;
  json::Array items, grid, block, nonNegative;
  for (unsigned dim = 0; dim < 3; ++dim) {
    ArrayRef<AffineExpr> ends = found->extents[dim];
    std::string least;
    for (AffineExpr end : ends)
      least += (least.empty() ? "" : ", ") + text.print(end);
    if (ends.size() > 1)
      least = "min(" + least + ")";
    int64_t threads = found->originalBlock[dim];
    items.push_back(ends.empty() ? "1" : least);
    block.push_back(threads);
    std::string number = std::to_string(threads);
    grid.push_back(ends.empty()
                       ? "1"
                       : "(" + least + " + " + std::to_string(threads - 1) +
                             ") / " + number);
  }
  for (unsigned argument : found->nonNegative)
    nonNegative.push_back(text.nameOf(argument));
  return json::Object{{"items", std::move(items)},
                      {"grid", std::move(grid)},
                      {"block", std::move(block)},
                      {"not_negative", std::move(nonNegative)}};
}

json::Object Arithmetic::report() {
  addSizes();
  addArrays();
  addRequirements();
  json::Array items, grid, block;
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::string axis = axisName(dim);
    if (keepsLaunch()) {
      items.push_back("grid." + axis + " * block." + axis);
      grid.push_back("grid." + axis);
      block.push_back("block." + axis);
      continue;
    }
    items.push_back(
        ownItems
            ? "max(" + text.print(ownItems.getValue().getResult(dim)) + ", 1)"
            : "grid." + axis + " * block." + axis);
    grid.push_back(gridOf(dim));
    int64_t threads = geometry ? geometry.getBlock()[dim] : itemsPerBlock(dim);
    block.push_back(std::to_string(threads));
    addCover(dim);
  }
  return json::Object{{"items", std::move(items)},
                      {"conditions", toArray(conditions)},
                      {"grid", std::move(grid)},
                      {"block", std::move(block)},
                      {"dynamic_shared_bytes",
                       "dynamic_shared_bytes" +
                           (ownBytes ? " + " + std::to_string(ownBytes) : "")},
                      {"problem", problem()}};
}

json::Object gpuopt::reportArithmetic(const Compilation &compilation,
                                      const KernelInfo &kernel) {
  return Arithmetic(compilation, kernel).report();
}
