//===- LaunchRules.cpp - when and how a tuned kernel is launched ----------===//

#include "runtime/LaunchRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

using Symbols = llvm::ArrayRef<std::optional<int64_t>>;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static std::optional<int64_t> combine(IntegerExpression::Step step,
                                      int64_t left, int64_t right) {
  using Step = IntegerExpression::Step;
  int64_t result;
  switch (step) {
  case Step::Add:
    return llvm::AddOverflow(left, right, result)
               ? std::nullopt
               : std::optional<int64_t>(result);
  case Step::Multiply:
    return llvm::MulOverflow(left, right, result)
               ? std::nullopt
               : std::optional<int64_t>(result);
  default:
    break;
  }
  if (right <= 0)
    return std::nullopt;
  switch (step) {
  case Step::Modulo:
    return llvm::mod(left, static_cast<uint64_t>(right));
  case Step::FloorDivide:
    return llvm::divideFloorSigned(left, right);
  default:
    return llvm::divideCeilSigned(left, right);
  }
}

std::optional<int64_t> IntegerExpression::evaluate(Symbols symbols) const {
  llvm::SmallVector<int64_t, 8> stack;
  for (const Term &term : terms) {
    if (term.step == Step::Constant) {
      stack.push_back(term.value);
      continue;
    }
    if (term.step == Step::Symbol) {
      if (size_t(term.value) >= symbols.size() || !symbols[term.value])
        return std::nullopt;
      stack.push_back(*symbols[term.value]);
      continue;
    }
    if (stack.size() < 2)
      return std::nullopt;
    int64_t right = stack.pop_back_val();
    std::optional<int64_t> result = combine(term.step, stack.back(), right);
    if (!result)
      return std::nullopt;
    stack.back() = *result;
  }
  return stack.size() == 1 ? std::optional<int64_t>(stack.back())
                           : std::nullopt;
}

bool IntegerExpression::mentions(unsigned symbol) const {
  return llvm::any_of(terms, [&](const Term &term) {
    return term.step == Step::Symbol && term.value == symbol;
  });
}

std::optional<int64_t>
gpuopt::largestOf(llvm::ArrayRef<IntegerExpression> expressions,
                  Symbols symbols) {
  std::optional<int64_t> largest;
  for (const IntegerExpression &expression : expressions) {
    std::optional<int64_t> value = expression.evaluate(symbols);
    if (!value)
      return std::nullopt;
    largest = std::max(largest.value_or(*value), *value);
  }
  return largest;
}

std::optional<bool> gpuopt::isFulfilled(const ConditionRule &condition,
                                        Symbols symbols) {
  for (auto [number, symbol] : llvm::enumerate(symbols))
    if (!symbol && condition.expression.mentions(number))
      return std::nullopt;
  std::optional<int64_t> value = condition.expression.evaluate(symbols);
  return value && (condition.isEquality ? *value == 0 : *value >= 0);
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

int64_t ParameterRule::asSymbol(int64_t value) const {
  return bits < 64 ? llvm::SignExtend64(value, bits) : value;
}

llvm::SmallVector<std::optional<int64_t>>
LaunchRules::symbols(Symbols values,
                     const std::optional<LaunchConfig> &original) const {
  llvm::SmallVector<std::optional<int64_t>> known(parameters.size() +
                                                  kLaunchSymbols);
  for (auto [number, value, parameter] : llvm::zip(known, values, parameters))
    if (value)
      number = parameter.asSymbol(*value);
  for (unsigned dim = 0; original && dim < 3; ++dim) {
    known[parameters.size() + dim] = original->grid[dim];
    known[parameters.size() + 3 + dim] = original->block[dim];
  }
  return known;
}

/// The least end of those that bound anything; nothing where no end is known.
static std::optional<int64_t> leastEnd(llvm::ArrayRef<GuardRule> guards,
                                       Symbols symbols) {
  std::optional<int64_t> least;
  for (const GuardRule &guard : guards) {
    bool isWithoutBound = llvm::any_of(guard.unsignedSymbols, [&](unsigned i) {
      return i < symbols.size() && symbols[i].value_or(-1) < 0;
    });
    if (isWithoutBound)
      continue;
    if (std::optional<int64_t> value = guard.end.evaluate(symbols))
      least = std::min(least.value_or(*value), *value);
  }
  return least;
}

std::optional<LaunchGeometry> gpuopt::evaluateGeometry(const LaunchRules &rules,
                                                       Symbols symbols) {
  if (!rules.geometry)
    return std::nullopt;
  const GeometryRule &rule = *rules.geometry;
  LaunchGeometry geometry;
  geometry.block = rule.block;
  geometry.itemsPerThread = rule.itemsPerThread;
  geometry.itemsPerBlock = rule.itemsPerBlock;
  geometry.originalBlock = rule.originalBlock;
  geometry.dynamicSharedBytes = rule.dynamicSharedBytes;
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::optional<int64_t> extent = largestOf(rule.extents[dim], symbols);
    std::optional<int64_t> own = leastEnd(rule.guards[dim], symbols);
    if (!rule.readsGrid)
      geometry.needed[dim] = extent;
    geometry.extents[dim] = extent && own ? std::min(*extent, *own)
                            : extent      ? extent
                                          : own;
  }
  return geometry;
}

/// Whether the elements of two arrays that a kernel uses may be the same.
static bool mayOverlap(const ParameterRule &left, uint64_t leftStart,
                       const ParameterRule &right, uint64_t rightStart,
                       Symbols symbols) {
  const ParameterRule &lower = leftStart <= rightStart ? left : right;
  uint64_t distance =
      leftStart <= rightStart ? rightStart - leftStart : leftStart - rightStart;
  std::optional<int64_t> elements = largestOf(lower.extents, symbols);
  if (!elements)
    return true;
  return *elements > 0 && uint64_t(*elements) > distance / lower.elementBytes;
}

/// Says what the places of the arrays do not fulfil; nothing where they do.
static std::string
describePlaces(const LaunchRules &rules,
               llvm::ArrayRef<std::optional<uint64_t>> addresses,
               Symbols symbols) {
  llvm::ArrayRef<ParameterRule> parameters = rules.parameters;
  for (auto [i, array] : llvm::enumerate(parameters))
    for (auto [j, other] : llvm::enumerate(parameters))
      if (i != j && array.mustBeDistinct && other.isCompared && addresses[i] &&
          addresses[j] &&
          mayOverlap(array, *addresses[i], other, *addresses[j], symbols))
        return "'" + array.name + "' overlaps with '" + other.name + "'";
  for (auto [array, address] : llvm::zip(parameters, addresses))
    if (address && *address % array.alignment != 0)
      return "'" + array.name + "' does not begin at a multiple of " +
             std::to_string(array.alignment) + " bytes";
  return "";
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

/// Whether an extent leaves no work item: the kernel has no effect at all.
static bool hasNothingToDo(const GeometryRule &geometry, Symbols symbols) {
  return llvm::any_of(geometry.extents, [&](const auto &expressions) {
    return largestOf(expressions, symbols).value_or(1) <= 0;
  });
}

/// The launch of the tuned kernel, whose conditions hold.
static LaunchDecision coverLaunch(const LaunchRules &rules, Symbols symbols,
                                  const LaunchConfig &original) {
  std::optional<LaunchGeometry> geometry = evaluateGeometry(rules, symbols);
  LaunchConfig covered = original;
  if (rules.workItems) {
    Dim3 items;
    for (unsigned dim = 0; dim < 3; ++dim) {
      std::optional<int64_t> number = (*rules.workItems)[dim].evaluate(symbols);
      if (!number)
        return {std::nullopt, "its work items are not known"};
      items[dim] = std::max<int64_t>(*number, 1);
    }
    covered.grid = items;
    covered.block = {1, 1, 1};
    // Any block will do.
    if (!geometry)
      geometry = LaunchGeometry{{256, 1, 1}, {1, 1, 1},
                                {256, 1, 1}, {items[0], items[1], items[2]},
                                {},          {}};
  }
  if (!geometry)
    return {original, ""};
  // A tuned kernel may go through its loops, and find nobody to work in them.
  if (rules.geometry && hasNothingToDo(*rules.geometry, symbols))
    return {std::nullopt, "no work item has anything to do",
            /*hasNothingToDo=*/true};
  std::optional<LaunchConfig> config = computeLaunch(*geometry, covered);
  if (!config)
    return {std::nullopt, describeUncovered(*geometry, covered)};
  // The original launch is within the limits of grids; more blocks need not be.
  for (unsigned dim : {1, 2})
    if (config->grid[dim] > kMostBlocksAlongYOrZ &&
        config->grid[dim] > original.grid[dim])
      return {std::nullopt, "it takes too many blocks along y or z"};
  return {config, ""};
}

LaunchDecision
gpuopt::decideLaunch(const LaunchRules &rules, Symbols values,
                     llvm::ArrayRef<std::optional<uint64_t>> addresses,
                     const LaunchConfig &original) {
  auto symbols = rules.symbols(values, original);
  for (auto [parameter, symbol] : llvm::zip(rules.parameters, symbols))
    if (parameter.requiredValue &&
        symbol != parameter.asSymbol(*parameter.requiredValue))
      return {std::nullopt, "it is for other sizes"};
  if (std::string places = describePlaces(rules, addresses, symbols);
      !places.empty())
    return {std::nullopt, places};
  for (const ConditionRule &condition : rules.conditions)
    if (!isFulfilled(condition, symbols).value_or(false))
      return {std::nullopt, "it is for launches with " + condition.text};
  return coverLaunch(rules, symbols, original);
}
