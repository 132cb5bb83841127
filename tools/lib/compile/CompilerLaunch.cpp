//===- CompilerLaunch.cpp - the launch that a tuned kernel takes ----------===//
//
// The rules of a launch come from the attributes of the tuned kernel; every
// question about a launch is answered by the rules.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/compile/Compiler.h"

#include "dialects/GPUOpt/DynamicMemory.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Utils/Extents.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace gpuopt;

static_assert(kLaunchSymbols == kNumLaunchSymbols);

static unsigned bitsOf(gpu::GPUFuncOp function, unsigned number) {
  Type type = function.getFunctionType().getInput(number);
  return type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
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

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static IntegerExpression::Step stepOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return IntegerExpression::Step::Add;
  case AffineExprKind::Mul:
    return IntegerExpression::Step::Multiply;
  case AffineExprKind::Mod:
    return IntegerExpression::Step::Modulo;
  case AffineExprKind::FloorDiv:
    return IntegerExpression::Step::FloorDivide;
  case AffineExprKind::CeilDiv:
    return IntegerExpression::Step::CeilDivide;
  case AffineExprKind::Constant:
    return IntegerExpression::Step::Constant;
  case AffineExprKind::SymbolId:
    return IntegerExpression::Step::Symbol;
  case AffineExprKind::DimId:
    llvm_unreachable("rules are over arguments and the launch");
  }
  llvm_unreachable("a kind of expression that there is not");
}

static IntegerExpression toRule(AffineExpr expr) {
  IntegerExpression rule;
  // Operands come before what is made of them.
  expr.walk([&](AffineExpr part) {
    int64_t value = 0;
    if (auto constant = dyn_cast<AffineConstantExpr>(part))
      value = constant.getValue();
    else if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      value = symbol.getPosition();
    rule.terms.push_back({stepOf(part.getKind()), value});
  });
  return rule;
}

/// The results of a map over the arguments; empty where there is no map.
static std::vector<IntegerExpression> resultsOf(Attribute map) {
  std::vector<IntegerExpression> results;
  if (auto known = dyn_cast_or_null<AffineMapAttr>(map))
    for (AffineExpr result : known.getValue().getResults())
      results.push_back(toRule(result));
  return results;
}

/// The guards of the original kernel that end its work items along `dim`.
static std::vector<GuardRule> guardsOf(gpu::GPUFuncOp original, unsigned dim) {
  auto extents = original
                     ? original->getAttrOfType<ArrayAttr>(kOwnExtentsAttrName)
                     : ArrayAttr();
  std::vector<GuardRule> guards;
  if (!extents)
    return guards;
  for (IntegerExpression &end : resultsOf(extents[dim])) {
    GuardRule guard{std::move(end), {}};
    for (unsigned i = 0; i < original.getNumArguments(); ++i)
      if (guard.end.mentions(i) &&
          original.getArgAttr(i, kBoundsUnsignedAttrName))
        guard.unsignedSymbols.push_back(i);
    guards.push_back(std::move(guard));
  }
  return guards;
}

static bool mayReadGridSize(gpu::GPUFuncOp kernel) {
  auto mayRead = [](Operation *op) {
    bool mayCall = isa<CallOpInterface>(op) && !callsLibrary(op);
    return isa<gpu::GridDimOp>(op) || mayCall || mayReadRegisters(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return kernel.walk(mayRead).wasInterrupted();
}

/// Whether `tuned` computes with the number of blocks. An order of the blocks
/// takes any number of them; all else that reads it stands in the original,
/// too.
static bool readsGrid(gpu::GPUFuncOp tuned, gpu::GPUFuncOp original) {
  bool isOrdered = original && tuned->hasAttr(kBlockOrderAttrName);
  return mayReadGridSize(isOrdered ? original : tuned);
}

static std::optional<GeometryRule> geometryRule(gpu::GPUFuncOp function,
                                                TargetAttr target) {
  auto attribute = function->getAttrOfType<GeometryAttr>(kGeometryAttrName);
  if (!attribute)
    return std::nullopt;
  GeometryRule rule;
  llvm::copy(attribute.getBlock(), rule.block.begin());
  llvm::copy(attribute.getItemsPerThread(), rule.itemsPerThread.begin());
  llvm::copy(attribute.getItemsPerBlock(), rule.itemsPerBlock.begin());
  auto fallback = function->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName);
  auto original =
      fallback ? SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(function,
                                                                      fallback)
               : gpu::GPUFuncOp();
  rule.readsGrid = readsGrid(function, original);
  rule.dynamicSharedBytes = dynamicBytesOf(function, mostDeclaredBytes(target));
  ArrayAttr extents = attribute.getExtents();
  for (unsigned dim = 0; extents && dim < 3; ++dim) {
    rule.extents[dim] = resultsOf(extents[dim]);
    rule.guards[dim] = guardsOf(original, dim);
  }
  for (auto [dim, size] : llvm::enumerate(attribute.getOriginalBlock()))
    if (size != 0)
      rule.originalBlock[dim] = size;
  return rule;
}

/// What `function` asks of its argument `index`.
static void addArgument(gpu::GPUFuncOp function, unsigned index,
                        ParameterRule &rule) {
  rule.bits = bitsOf(function, index);
  if (auto bytes =
          function.getArgAttrOfType<IntegerAttr>(index, kAlignedAttrName))
    rule.alignment = bytes.getInt();
  Attribute extent = function.getArgAttr(index, kExtentAttrName);
  if (!extent)
    return;
  rule.extents = resultsOf(extent);
  rule.isCompared = true;
  rule.mustBeDistinct =
      function.getArgAttr(index, kDistinctAttrName) != nullptr;
  // Extents count elements of the raised array: of rows the scalars.
  Type element =
      cast<MemRefType>(function.getArgument(index).getType()).getElementType();
  rule.elementBytes = DataLayout::closest(function).getTypeSize(element);
}

/// The conditions of `function` with their texts.
static std::vector<ConditionRule> conditionRules(gpu::GPUFuncOp function,
                                                 const KernelInfo &kernel) {
  IntegerSet set = launchConditions(function);
  if (!set)
    return {};
  unsigned numArguments = set.getNumSymbols() - kNumLaunchSymbols;
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
  std::vector<ConditionRule> rules;
  for (unsigned i = 0; i < set.getNumConstraints(); ++i)
    rules.push_back(
        {toRule(set.getConstraint(i)), set.isEq(i), toString(set, i, textOf)});
  return rules;
}

LaunchRules Compilation::launchRules(const KernelInfo &kernel) const {
  LaunchRules rules;
  rules.symbol = kernel.symbol;
  rules.fallback = fallbackSymbol(kernel);
  for (auto [argument, given] : llvm::enumerate(kernel.sourceArguments()))
    for (const KernelParameter &parameter :
         llvm::ArrayRef(kernel.parameters).slice(given.first, given.count)) {
      ParameterRule &rule = rules.parameters.emplace_back();
      rule.name = parameter.name;
      rule.argument = argument;
      rule.offset = parameter.offset;
      rule.bytes = parameter.bytes;
      rule.isPointer = parameter.isPointer;
      if (parameter.isPointer)
        rule.elementBytes = parameter.element.bytes * parameter.element.lanes;
    }
  gpu::GPUFuncOp function = tunedKernel(kernel);
  if (!function)
    return rules;
  // The launches of a sequence have parameters of their own behind these.
  rules.parameters.resize(
      std::max<size_t>(rules.parameters.size(), function.getNumArguments()));
  SizeMap specialized = specializedSizes(kernel);
  for (auto [index, rule] : llvm::enumerate(rules.parameters)) {
    if (index < function.getNumArguments())
      addArgument(function, index, rule);
    if (auto size = specialized.find(rule.name); size != specialized.end())
      rule.requiredValue = size->second;
  }
  rules.conditions = conditionRules(function, kernel);
  rules.geometry = geometryRule(function, targetAttr);
  if (auto items = function->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName)) {
    rules.workItems.emplace();
    for (unsigned dim = 0; dim < 3; ++dim)
      (*rules.workItems)[dim] = toRule(items.getValue().getResult(dim));
  }
  return rules;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// The values of a kernel's parameters by number; nothing for those that
/// `scalars` do not name.
static std::vector<std::optional<int64_t>> valuesOf(const LaunchRules &rules,
                                                    const SizeMap &scalars) {
  std::vector<std::optional<int64_t>> values;
  for (const ParameterRule &parameter : rules.parameters) {
    auto value = scalars.find(parameter.name);
    values.push_back(value == scalars.end()
                         ? std::nullopt
                         : std::optional<int64_t>(value->second));
  }
  return values;
}

std::optional<LaunchGeometry>
Compilation::geometry(const KernelInfo &kernel, const SizeMap &scalars) const {
  LaunchRules rules = launchRules(kernel);
  return evaluateGeometry(rules, rules.symbols(valuesOf(rules, scalars), {}));
}

std::optional<std::array<std::optional<int64_t>, 3>>
Compilation::workItems(const KernelInfo &kernel, const SizeMap &scalars) const {
  LaunchRules rules = launchRules(kernel);
  if (!rules.workItems)
    return std::nullopt;
  auto symbols = rules.symbols(valuesOf(rules, scalars), {});
  std::array<std::optional<int64_t>, 3> items;
  for (auto [number, rule] : llvm::zip(items, *rules.workItems)) {
    number = rule.evaluate(symbols);
    if (number)
      number = std::max<int64_t>(*number, 1);
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
  SmallVector<std::optional<int64_t>> symbols(function.getNumArguments());
  for (auto [index, symbol] : llvm::enumerate(symbols))
    if (index < kernel.parameters.size())
      if (auto value = scalars.find(kernel.parameters[index].name);
          value != scalars.end())
        symbol = symbolValue(value->second, bitsOf(function, index));
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

std::vector<ArrayUse>
Compilation::arraysToCompare(const KernelInfo &kernel,
                             const SizeMap &scalars) const {
  LaunchRules rules = launchRules(kernel);
  auto symbols = rules.symbols(valuesOf(rules, scalars), {});
  std::vector<ArrayUse> arrays;
  bool compares = false;
  for (const ParameterRule &rule : rules.parameters) {
    compares |= rule.mustBeDistinct;
    if (rule.isCompared)
      arrays.push_back({rule.name, largestOf(rule.extents, symbols),
                        rule.elementBytes, rule.mustBeDistinct});
  }
  if (!compares)
    arrays.clear();
  return arrays;
}

std::vector<ArrayAlignment>
Compilation::alignedArrays(const KernelInfo &kernel) const {
  std::vector<ArrayAlignment> arrays;
  for (const ParameterRule &rule : launchRules(kernel).parameters)
    if (rule.alignment > 1)
      arrays.push_back({rule.name, rule.alignment});
  return arrays;
}

std::vector<LaunchCondition>
Compilation::conditions(const KernelInfo &kernel, const SizeMap &scalars,
                        std::optional<LaunchConfig> original) const {
  LaunchRules rules = launchRules(kernel);
  auto symbols = rules.symbols(valuesOf(rules, scalars), original);
  std::vector<LaunchCondition> conditions;
  for (const ConditionRule &rule : rules.conditions)
    conditions.push_back({rule.text, isFulfilled(rule, symbols)});
  return conditions;
}

KernelLaunch Compilation::launch(const KernelInfo &kernel,
                                 const SizeMap &scalars,
                                 const LaunchConfig &original,
                                 const AddressMap &addresses) const {
  LaunchRules rules = launchRules(kernel);
  std::vector<std::optional<uint64_t>> places;
  for (const ParameterRule &parameter : rules.parameters) {
    auto place = addresses.find(parameter.name);
    places.push_back(place == addresses.end()
                         ? std::nullopt
                         : std::optional<uint64_t>(place->second));
  }
  LaunchDecision decision =
      decideLaunch(rules, valuesOf(rules, scalars), places, original);
  if (decision.tuned)
    return {kernel.symbol, *decision.tuned};
  return {rules.fallback, original, true, decision.hasNothingToDo,
          decision.reason};
}
