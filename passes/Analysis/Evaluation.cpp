//===- Evaluation.cpp - access functions for one thread -------------------===//

#include "passes/Analysis/Evaluation.h"

#include "passes/Analysis/Coalescing.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

static llvm::ArrayRef<Polynomial> startsOf(const Variable &variable) {
  return variable.kind == Variable::Kind::Loop
             ? llvm::ArrayRef(variable.lowerBounds)
             : llvm::ArrayRef<Polynomial>();
}

Evaluation::Computed::Computed(unsigned variableNumber, const Variable &source)
    : number(variableNumber), step(source.step) {
  if (source.kind == Variable::Kind::Derived) {
    operands.emplace_back(source.left);
    operands.emplace_back(source.right);
  }
  for (const Polynomial &bound : startsOf(source))
    operands.emplace_back(bound);
}

std::vector<Polynomial> gpuopt::polynomialsOf(const AccessFunction &access) {
  std::vector<Polynomial> polynomials = {access.address};
  for (const Guard &guard : access.guards)
    for (const Comparison &comparison : guard.comparisons)
      polynomials.push_back(comparison.left);
  return polynomials;
}

bool gpuopt::followsFromThread(const Polynomial &polynomial,
                               const VariableTable &variables,
                               llvm::function_ref<bool(unsigned)> isKnownLoop) {
  if (polynomial.isUnknown())
    return false;
  llvm::BitVector needed = dependenciesOf(polynomial, variables);
  return llvm::all_of(needed.set_bits(), [&](unsigned number) {
    switch (variables[number].kind) {
    case Variable::Kind::ThreadId:
    case Variable::Kind::BlockDim:
    case Variable::Kind::Derived:
      return true;
    case Variable::Kind::Loop:
      return isKnownLoop(number);
    case Variable::Kind::BlockId:
    case Variable::Kind::GridDim:
    case Variable::Kind::Parameter:
      return false;
    }
    llvm_unreachable("a kind of variable that there is not");
  });
}

void gpuopt::addBounds(std::vector<Polynomial> &polynomials,
                       llvm::ArrayRef<unsigned> loops,
                       const VariableTable &variables) {
  for (unsigned loop : loops) {
    const Variable &variable = variables[loop];
    llvm::append_range(polynomials, variable.lowerBounds);
    llvm::append_range(polynomials, variable.upperBounds);
    polynomials.push_back(variable.step);
  }
}

llvm::BitVector gpuopt::dependenciesOf(llvm::ArrayRef<Polynomial> polynomials,
                                       const VariableTable &variables) {
  llvm::BitVector needed(variables.size());
  auto need = [&](const Polynomial &polynomial) {
    for (const auto &[monomial, coefficient] : polynomial.getTerms())
      for (unsigned number : monomial)
        needed.set(number);
  };
  llvm::for_each(polynomials, need);
  // Definitions refer to lower numbers.
  for (int number = needed.find_last(); number >= 0;
       number = needed.find_prev(number)) {
    const Variable &variable = variables[number];
    need(variable.left);
    need(variable.right);
    need(variable.step);
    llvm::for_each(startsOf(variable), need);
  }
  return needed;
}

Evaluation::Evaluation(const VariableTable &table, const BlockShape &shape,
                       const SizeMap &sizes,
                       llvm::ArrayRef<Polynomial> polynomials,
                       llvm::ArrayRef<unsigned> lanes)
    : variables(table), block(shape), values(table.size(), 0),
      varies(table.size()), iterations(table.size(), 0),
      assumed(table.size(), false) {
  hold(polynomials);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    values[VariableTable::blockDim(dimension)] = block[dimension];
  for (unsigned number : held.set_bits())
    layOut(number, sizes);
  orderByLanes(lanes);
  update();
}

void Evaluation::hold(llvm::ArrayRef<Polynomial> polynomials) {
  held = dependenciesOf(polynomials, variables);
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    held.set(VariableTable::blockId(dimension));
    held.set(VariableTable::threadId(dimension));
    held.set(VariableTable::blockDim(dimension));
  }
}

/// Says how a variable is computed, or gives a parameter its value.
void Evaluation::layOut(unsigned number, const SizeMap &sizes) {
  const Variable &variable = variables[number];
  if (variable.kind == Variable::Kind::Derived ||
      variable.kind == Variable::Kind::Loop)
    computed.emplace_back(number, variable);
  if (variable.kind != Variable::Kind::Parameter &&
      variable.kind != Variable::Kind::GridDim)
    return;
  auto size = sizes.find(variable.name);
  assumed[number] = size == sizes.end();
  values[number] = assumed[number] ? kAssumedSize : size->second;
  if (unsigned bits = variable.unsignedBits; bits && bits < 64)
    values[number] &= (int64_t(1) << bits) - 1;
}

/// Puts what is the same for all lanes in front.
void Evaluation::orderByLanes(llvm::ArrayRef<unsigned> lanes) {
  varies.reset();
  auto variesIn = [&](const Polynomial &polynomial) {
    return polynomial.containsAny(
        [&](unsigned number) { return varies[number]; });
  };
  for (unsigned number : held.set_bits()) {
    const Variable &variable = variables[number];
    varies[number] =
        variables.isThreadId(number) || llvm::is_contained(lanes, number) ||
        variesIn(variable.left) || variesIn(variable.right) ||
        variesIn(variable.step) || llvm::any_of(startsOf(variable), variesIn);
  }
  llvm::sort(computed, [&](const Computed &left, const Computed &right) {
    return std::pair(varies[left.number], left.number) <
           std::pair(varies[right.number], right.number);
  });
  numUniform = llvm::count_if(computed, [&](const Computed &variable) {
    return !varies[variable.number];
  });
}

void Evaluation::restrictTo(llvm::ArrayRef<Polynomial> polynomials,
                            llvm::ArrayRef<unsigned> lanes) {
  hold(polynomials);
  llvm::erase_if(computed, [&](const Computed &variable) {
    return !held[variable.number];
  });
  orderByLanes(lanes);
  update();
}

void Evaluation::setThread(int64_t lane) {
  values[VariableTable::threadId(0)] = lane % block[0];
  values[VariableTable::threadId(1)] = lane / block[0] % block[1];
  values[VariableTable::threadId(2)] = lane / block[0] / block[1];
}

void Evaluation::setBlockId(unsigned dimension, int64_t value) {
  values[VariableTable::blockId(dimension)] = value;
}

void Evaluation::setIteration(unsigned loop, int64_t iteration) {
  iterations[loop] = iteration;
}

/// Computes one variable; false where that is not possible.
bool Evaluation::compute(const Computed &computation) {
  const Variable &variable = variables[computation.number];
  int64_t &result = values[computation.number];
  if (variable.kind == Variable::Kind::Derived) {
    std::optional<int64_t> left = computation.operands[0].evaluate(values);
    std::optional<int64_t> right = computation.operands[1].evaluate(values);
    std::optional<int64_t> value;
    if (left && right)
      value = VariableTable::fold(variable.op, *left, *right);
    result = value.value_or(0);
    return value.has_value();
  }
  // A loop whose start is not known counts from 0.
  std::optional<int64_t> start;
  for (const FlatPolynomial &bound : computation.operands)
    if (std::optional<int64_t> value = bound.evaluate(values))
      start = std::max(start.value_or(*value), *value);
  int64_t step = computation.step.evaluate(values).value_or(1);
  result = start.value_or(0) + iterations[computation.number] * step;
  return true;
}

void Evaluation::update() {
  isFolded = false;
  uniformFailed = false;
  for (const Computed &variable :
       llvm::ArrayRef(computed).take_front(numUniform))
    uniformFailed |= !compute(variable);
  updateLane();
}

void Evaluation::updateLane() {
  failed = uniformFailed;
  for (const Computed &variable : laneComputed())
    failed |= !compute(variable);
}

void Evaluation::foldUniform() {
  folded.assign(computed.begin() + numUniform, computed.end());
  for (Computed &variable : folded) {
    for (FlatPolynomial &operand : variable.operands)
      operand = operand.fold(values, varies);
    variable.step = variable.step.fold(values, varies);
  }
  isFolded = true;
}

std::optional<int64_t>
Evaluation::evaluate(const Polynomial &polynomial) const {
  bool isForeign =
      polynomial.containsAny([&](unsigned number) { return !held[number]; });
  return failed || isForeign ? std::nullopt : polynomial.evaluate(values);
}

std::optional<std::pair<int64_t, int64_t>>
Evaluation::progressionOf(unsigned loop) const {
  const auto *found = llvm::find_if(
      laneComputed(), [&](const Computed &of) { return of.number == loop; });
  if (!isFolded || found == laneComputed().end() ||
      variables[loop].kind != Variable::Kind::Loop)
    return std::nullopt;
  // As `compute` does.
  std::optional<int64_t> start;
  for (const FlatPolynomial &bound : found->operands) {
    std::optional<int64_t> value = bound.getConstant();
    if (!value)
      return std::nullopt;
    start = std::max(start.value_or(*value), *value);
  }
  std::optional<int64_t> step = found->step.getConstant();
  return step ? std::optional(std::pair(start.value_or(0), *step))
              : std::nullopt;
}

FlatPolynomial Evaluation::fold(const FlatPolynomial &polynomial) const {
  return polynomial.fold(values, varies);
}

FlatGuards Evaluation::fold(const FlatGuards &guards) const {
  FlatGuards result;
  result.neverHold = guards.neverHold;
  result.guards.reserve(guards.guards.size());
  for (const FlatGuards::FlatGuard &guard : guards.guards) {
    FlatGuards::FlatGuard open{{}, guard.negated, guard.complete};
    bool isDecided = false;
    for (const auto &[left, comparison] : guard.comparisons) {
      FlatPolynomial value = fold(left);
      if (value.isVariable())
        open.comparisons.push_back({std::move(value), comparison});
      else if (std::optional<int64_t> known = value.getConstant();
               known && !uniformFailed)
        isDecided |= !comparison->holds(*known);
    }
    if (!isDecided && !open.comparisons.empty())
      result.guards.push_back(std::move(open));
    else
      result.neverHold |=
          isDecided ? !guard.negated : guard.negated && guard.complete;
  }
  return result;
}

FlatGuards::FlatGuards(llvm::ArrayRef<Guard> allGuards) {
  guards.reserve(allGuards.size());
  for (const Guard &guard : allGuards) {
    FlatGuard flat{{}, guard.negated, guard.complete};
    for (const Comparison &comparison : guard.comparisons)
      flat.comparisons.push_back(
          {FlatPolynomial(comparison.left), &comparison});
    guards.push_back(std::move(flat));
  }
}

std::optional<bool> Evaluation::hold(llvm::ArrayRef<Guard> guards) const {
  bool allHold = true;
  for (const Guard &guard : guards) {
    bool holds = true;
    for (const Comparison &comparison : guard.comparisons) {
      std::optional<int64_t> value = evaluate(comparison.left);
      if (!value)
        return std::nullopt;
      holds &= comparison.holds(*value);
    }
    allHold &= holds != guard.negated;
  }
  return allHold;
}

bool Evaluation::isActive(llvm::ArrayRef<Guard> guards) const {
  return isActive(FlatGuards(guards));
}

bool Evaluation::holds(const FlatGuards::FlatGuard &guard) const {
  bool allHold = llvm::all_of(
      guard.comparisons, [&](const FlatGuards::FlatComparison &side) {
        std::optional<int64_t> value = evaluate(side.left);
        return !value || side.comparison->holds(*value);
      });
  // Where a part is not known, the else region may be reached all the same.
  return guard.negated ? !allHold || !guard.complete : allHold;
}

bool Evaluation::isActive(const FlatGuards &guards) const {
  return !guards.neverHold &&
         llvm::all_of(guards.guards, [&](const FlatGuards::FlatGuard &guard) {
           return holds(guard);
         });
}

std::optional<int64_t> Evaluation::tripCount(unsigned loop) const {
  const Variable &variable = variables[loop];
  if (variable.lowerBounds.empty() || variable.upperBounds.empty())
    return std::nullopt;
  std::optional<int64_t> begin, end, step = evaluate(variable.step);
  for (const Polynomial &bound : variable.lowerBounds) {
    std::optional<int64_t> value = evaluate(bound);
    if (!value)
      return std::nullopt;
    begin = std::max(begin.value_or(*value), *value);
  }
  for (const Polynomial &bound : variable.upperBounds) {
    std::optional<int64_t> value = evaluate(bound);
    if (!value)
      return std::nullopt;
    end = std::min(end.value_or(*value), *value);
  }
  if (!step || *step <= 0)
    return std::nullopt;
  return *end > *begin ? llvm::divideCeilSigned(*end - *begin, *step) : 0;
}

bool Evaluation::dropOffsets(llvm::ArrayRef<Guard> guards) {
  // Comparisons are with 0: what is added stands with the id.
  llvm::SmallBitVector added(variables.size()), other(variables.size());
  for (const Guard &guard : guards)
    for (const Comparison &comparison : guard.comparisons)
      for (const auto &[monomial, coefficient] : comparison.left.getTerms())
        for (unsigned number : monomial)
          (coefficient > 0 && monomial.size() == 1 ? added : other).set(number);
  bool changed = false;
  for (unsigned number = 0; number < variables.size(); ++number)
    if (assumed[number] && added[number] && !other[number]) {
      changed |= values[number] != 0;
      values[number] = 0;
    }
  if (changed)
    update();
  return changed;
}

void Evaluation::noteAssumptions(const Polynomial &polynomial,
                                 std::vector<std::string> &assumptions) const {
  llvm::BitVector dependencies(variables.size());
  variables.dependsOnAny(polynomial, [&](unsigned number) {
    dependencies.set(number);
    return false;
  });
  for (unsigned number : dependencies.set_bits()) {
    if (!assumed[number])
      continue;
    std::string note =
        variables[number].name + " = " + std::to_string(kAssumedSize);
    if (!llvm::is_contained(assumptions, note))
      assumptions.push_back(note);
  }
}
