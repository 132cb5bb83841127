//===- CompilerLaunch.cpp - the launch that a tuned kernel takes ----------===//

#include "tools/lib/compile/Compiler.h"

#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Transforms/Utils/Extents.h"

#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace gpuopt;

static unsigned bitsOf(gpu::GPUFuncOp function, unsigned number) {
  Type type = function.getFunctionType().getInput(number);
  return type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
}

/// What the symbols of extents and conditions of `function` are; nothing for
/// arguments that are not known.
static SmallVector<std::optional<int64_t>>
symbolValues(gpu::GPUFuncOp function, const KernelInfo &kernel,
             const SizeMap &scalars) {
  unsigned numArguments = function.getFunctionType().getNumInputs();
  SmallVector<std::optional<int64_t>> values(numArguments);
  for (unsigned i = 0; i < numArguments && i < kernel.parameters.size(); ++i)
    if (auto value = scalars.find(kernel.parameters[i].name);
        value != scalars.end())
      values[i] = symbolValue(value->second, bitsOf(function, i));
  return values;
}

/// How the source spells an argument.
static ArgumentText argumentText(gpu::GPUFuncOp function,
                                 const KernelInfo &kernel, unsigned number) {
  std::string name = number < kernel.parameters.size()
                         ? kernel.parameters[number].name
                         : "arg" + std::to_string(number);
  return {name, bitsOf(function, number),
          function.getArgAttr(number, kUnsignedAttrName) != nullptr};
}

/// An extent, the largest result of a map over the symbols. Nothing where there
/// is no map, or a symbol it needs is unknown.
static std::optional<int64_t>
evaluateExtent(Attribute extent, ArrayRef<std::optional<int64_t>> symbols) {
  auto map = dyn_cast_or_null<AffineMapAttr>(extent);
  if (!map)
    return std::nullopt;
  std::optional<int64_t> largest;
  for (AffineExpr result : map.getValue().getResults()) {
    std::optional<int64_t> value = evaluate(result, symbols);
    if (!value)
      return std::nullopt;
    largest = std::max(largest.value_or(*value), *value);
  }
  return largest;
}

/// Whether `end` is of an argument that it takes for an unsigned number and
/// that is negative as a signed one: it bounds nothing then.
static bool isWithoutBound(AffineExpr end, gpu::GPUFuncOp original,
                           ArrayRef<std::optional<int64_t>> symbols) {
  for (auto [number, value] : llvm::enumerate(symbols))
    if (end.isFunctionOfSymbol(number) && value.value_or(-1) < 0 &&
        original.getArgAttr(number, kBoundsUnsignedAttrName))
      return true;
  return false;
}

/// What several guards leave of a dimension, the least of their ends; nothing
/// where no end is known.
static std::optional<int64_t>
leastOwnExtent(gpu::GPUFuncOp original, unsigned dim,
               ArrayRef<std::optional<int64_t>> symbols) {
  auto extents = original
                     ? original->getAttrOfType<ArrayAttr>(kOwnExtentsAttrName)
                     : ArrayAttr();
  auto map = extents ? dyn_cast<AffineMapAttr>(extents[dim]) : AffineMapAttr();
  if (!map)
    return std::nullopt;
  std::optional<int64_t> least;
  for (AffineExpr end : map.getValue().getResults())
    if (!isWithoutBound(end, original, symbols))
      if (std::optional<int64_t> value = evaluate(end, symbols))
        least = std::min(least.value_or(*value), *value);
  return least;
}

std::optional<LaunchGeometry>
Compilation::geometry(const KernelInfo &kernel, const SizeMap &scalars) const {
  gpu::GPUFuncOp function = tunedKernel(kernel);
  auto attribute =
      function ? function->getAttrOfType<GeometryAttr>(kGeometryAttrName)
               : GeometryAttr();
  if (!attribute)
    return std::nullopt;
  LaunchGeometry geometry;
  llvm::copy(attribute.getBlock(), geometry.block.begin());
  llvm::copy(attribute.getItemsPerThread(), geometry.itemsPerThread.begin());
  llvm::copy(attribute.getItemsPerBlock(), geometry.itemsPerBlock.begin());
  auto symbols = symbolValues(function, kernel, scalars);
  auto fallback = function->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName);
  auto original =
      fallback ? SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(function,
                                                                      fallback)
               : gpu::GPUFuncOp();
  ArrayAttr extents = attribute.getExtents();
  for (unsigned dim = 0; extents && dim < 3; ++dim) {
    std::optional<int64_t> extent = evaluateExtent(extents[dim], symbols);
    std::optional<int64_t> own = leastOwnExtent(original, dim, symbols);
    geometry.extents[dim] = extent && own ? std::min(*extent, *own)
                            : extent      ? extent
                                          : own;
  }
  for (auto [dim, size] : llvm::enumerate(attribute.getOriginalBlock()))
    if (size != 0)
      geometry.originalBlock[dim] = size;
  return geometry;
}

std::optional<std::array<std::optional<int64_t>, 3>>
Compilation::workItems(const KernelInfo &kernel, const SizeMap &scalars) const {
  gpu::GPUFuncOp function = tunedKernel(kernel);
  auto map = function
                 ? function->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName)
                 : AffineMapAttr();
  if (!map)
    return std::nullopt;
  auto symbols = symbolValues(function, kernel, scalars);
  std::array<std::optional<int64_t>, 3> items;
  for (unsigned dim = 0; dim < 3; ++dim) {
    items[dim] = evaluate(map.getValue().getResult(dim), symbols);
    if (items[dim])
      items[dim] = std::max<int64_t>(*items[dim], 1);
  }
  return items;
}

std::array<std::optional<int64_t>, 3>
Compilation::guardedItems(const KernelInfo &kernel,
                          const SizeMap &scalars) const {
  std::array<std::optional<int64_t>, 3> items;
  gpu::GPUFuncOp function = raisedKernel(kernel);
  if (!function)
    return items;
  auto symbols = symbolValues(function, kernel, scalars);
  Extents extents = findExtents(function);
  for (AffineExpr argument : extents.nonNegative)
    if (evaluate(argument, symbols).value_or(-1) < 0)
      return items;
  for (auto [count, ends] : llvm::zip(items, extents.ends))
    for (AffineExpr end : ends)
      if (std::optional<int64_t> value = evaluate(end, symbols))
        count = std::min(count.value_or(*value), *value);
  return items;
}

SizeMap Compilation::specializedSizes(const KernelInfo &kernel) const {
  SizeMap sizes;
  gpu::GPUFuncOp function = tunedKernel(kernel);
  auto record =
      function ? function->getAttrOfType<DictionaryAttr>(kSpecializedAttrName)
               : DictionaryAttr();
  if (record)
    for (NamedAttribute size : record)
      if (auto value = dyn_cast<IntegerAttr>(size.getValue()))
        sizes[size.getName().str()] = value.getInt();
  return sizes;
}

/// Says why `geometry`, whose launch cannot be computed, does not cover
/// `original`.
static std::string describeUncovered(const LaunchGeometry &geometry,
                                     const LaunchConfig &original) {
  auto along = [](unsigned dim) {
    return " along " + std::string(1, static_cast<char>('x' + dim));
  };
  if (std::optional<unsigned> dim = findWrongBlock(geometry, original))
    return "it is for blocks of size " +
           std::to_string(*geometry.originalBlock[*dim]) + along(*dim);
  for (unsigned dim = 0; dim < 3; ++dim) {
    int64_t items = original.grid[dim] * original.block[dim];
    if (items % geometry.itemsPerBlock[dim] == 0)
      continue;
    std::string number = std::to_string(items) + " work items" + along(dim) +
                         " are no multiple of " +
                         std::to_string(geometry.itemsPerBlock[dim]);
    return geometry.extents[dim]
               ? number + ", and fewer than the kernel has work for"
               : number + ", and no guard stops more of them";
  }
  return "it has 2^31 work items or more in a dimension";
}

std::vector<ArrayUse>
Compilation::arraysToCompare(const KernelInfo &kernel,
                             const SizeMap &scalars) const {
  std::vector<ArrayUse> arrays;
  gpu::GPUFuncOp function = tunedKernel(kernel);
  if (!function)
    return arrays;
  auto symbols = symbolValues(function, kernel, scalars);
  bool compares = false;
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    if (index >= function.getNumArguments())
      break;
    Attribute extent = function.getArgAttr(index, kExtentAttrName);
    if (!extent)
      continue;
    bool mustBeDistinct =
        function.getArgAttr(index, kDistinctAttrName) != nullptr;
    compares |= mustBeDistinct;
    // Extents count elements of the raised array: of rows the scalars.
    Type element = cast<MemRefType>(function.getArgument(index).getType())
                       .getElementType();
    int64_t elementBytes = DataLayout::closest(function).getTypeSize(element);
    arrays.push_back({parameter.name, evaluateExtent(extent, symbols),
                      elementBytes, mustBeDistinct});
  }
  if (!compares)
    arrays.clear();
  return arrays;
}

/// Whether the elements of two arrays that a kernel uses may be the same.
static bool mayOverlap(const ArrayUse &left, const ArrayUse &right,
                       const AddressMap &addresses) {
  auto leftStart = addresses.find(left.name);
  auto rightStart = addresses.find(right.name);
  if (leftStart == addresses.end() || rightStart == addresses.end())
    return false;
  const auto &[low, high] = leftStart->second <= rightStart->second
                                ? std::pair(leftStart, rightStart)
                                : std::pair(rightStart, leftStart);
  const ArrayUse &lower = low == leftStart ? left : right;
  if (!lower.elements)
    return true;
  uint64_t distance = high->second - low->second;
  return *lower.elements > 0 &&
         uint64_t(*lower.elements) > distance / lower.elementBytes;
}

/// Says which arrays of a launch overlap although they must not; nothing where
/// none do.
static std::string describeOverlap(ArrayRef<ArrayUse> arrays,
                                   const AddressMap &addresses) {
  for (const ArrayUse &array : arrays)
    for (const ArrayUse &other : arrays)
      if (array.mustBeDistinct && &array != &other &&
          mayOverlap(array, other, addresses))
        return "'" + array.name + "' overlaps with '" + other.name + "'";
  return "";
}

std::vector<ArrayAlignment>
Compilation::alignedArrays(const KernelInfo &kernel) const {
  std::vector<ArrayAlignment> arrays;
  gpu::GPUFuncOp function = tunedKernel(kernel);
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    if (!function || index >= function.getNumArguments())
      break;
    if (auto bytes =
            function.getArgAttrOfType<IntegerAttr>(index, kAlignedAttrName))
      arrays.push_back({parameter.name, bytes.getInt()});
  }
  return arrays;
}

std::vector<LaunchCondition>
Compilation::conditions(const KernelInfo &kernel, const SizeMap &scalars,
                        std::optional<LaunchConfig> original) const {
  gpu::GPUFuncOp function = tunedKernel(kernel);
  IntegerSet set = function ? launchConditions(function) : IntegerSet();
  if (!set)
    return {};
  unsigned numArguments = set.getNumSymbols() - kNumLaunchSymbols;
  auto values = symbolValues(function, kernel, scalars);
  values.resize(set.getNumSymbols());
  for (unsigned dim = 0; original && dim < 3; ++dim) {
    values[numArguments + dim] = original->grid[dim];
    values[numArguments + 3 + dim] = original->block[dim];
  }
  auto textOf =
      [&](unsigned symbol,
          std::optional<int64_t> modulus) -> std::optional<SymbolText> {
    // The arithmetic is exact: without casts to wider types.
    std::optional<SymbolText> text;
    if (symbol < numArguments)
      text = argumentText(function, kernel, symbol).read(modulus);
    else
      text = SymbolText{
          (symbol < numArguments + 3 ? "grid." : "block.") +
          std::string(1, static_cast<char>('x' + (symbol - numArguments) % 3))};
    if (text)
      text->bits = 0;
    return text;
  };
  std::vector<LaunchCondition> conditions;
  for (unsigned i = 0; i < set.getNumConstraints(); ++i)
    conditions.push_back(
        {toString(set, i, textOf), isFulfilled(set, i, values)});
  return conditions;
}

KernelLaunch Compilation::launch(const KernelInfo &kernel,
                                 const SizeMap &scalars,
                                 const LaunchConfig &original,
                                 const AddressMap &addresses) const {
  bool isForSizes =
      llvm::all_of(specializedSizes(kernel), [&](const auto &size) {
        auto argument = scalars.find(size.getKey());
        return argument != scalars.end() && argument->second == size.getValue();
      });
  if (!isForSizes)
    return {fallbackSymbol(kernel), original, true, "it is for other sizes"};
  if (std::string overlap =
          describeOverlap(arraysToCompare(kernel, scalars), addresses);
      !overlap.empty())
    return {fallbackSymbol(kernel), original, true, overlap};
  for (const ArrayAlignment &array : alignedArrays(kernel))
    if (auto address = addresses.find(array.name);
        address != addresses.end() && address->second % array.bytes != 0)
      return {fallbackSymbol(kernel), original, true,
              "'" + array.name + "' does not begin at a multiple of " +
                  std::to_string(array.bytes) + " bytes"};
  for (const LaunchCondition &condition : conditions(kernel, scalars, original))
    if (!condition.holds.value_or(false))
      return {fallbackSymbol(kernel), original, true,
              "it is for launches with " + condition.text};
  std::optional<LaunchGeometry> tuned = geometry(kernel, scalars);
  LaunchConfig covered = original;
  if (auto items = workItems(kernel, scalars)) {
    covered.block = {1, 1, 1};
    for (unsigned dim = 0; dim < 3; ++dim) {
      if (!(*items)[dim])
        return {fallbackSymbol(kernel), original, true,
                "its work items are not known"};
      covered.grid[dim] = *(*items)[dim];
    }
    // Any block will do.
    if (!tuned)
      tuned = LaunchGeometry{{256, 1, 1}, {1, 1, 1}, {256, 1, 1}, *items, {}};
  }
  if (!tuned)
    return {kernel.symbol, original, false, ""};
  std::optional<LaunchConfig> config = computeLaunch(*tuned, covered);
  if (!config)
    return {fallbackSymbol(kernel), original, true,
            describeUncovered(*tuned, covered)};
  // The original launch is within the limits of grids; more blocks need not be.
  for (unsigned dim : {1, 2})
    if (config->grid[dim] > kMostBlocksAlongYOrZ &&
        config->grid[dim] > original.grid[dim])
      return {fallbackSymbol(kernel), original, true,
              "it takes too many blocks along y or z"};
  return {kernel.symbol, *config, false, ""};
}
