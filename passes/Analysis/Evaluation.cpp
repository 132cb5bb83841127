//===- Evaluation.cpp - access functions for one thread -------------------===//

#include "passes/Analysis/Evaluation.h"

#include "passes/Analysis/Coalescing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

Evaluation::Evaluation(const VariableTable &table, const BlockShape &shape,
                       const SizeMap &sizes)
    : variables(table), block(shape), values(table.size(), 0),
      iterations(table.size(), 0), assumed(table.size(), false) {
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    values[VariableTable::blockDim(dimension)] = block[dimension];
  for (unsigned number = 0; number < table.size(); ++number) {
    const Variable &variable = table[number];
    if (variable.kind == Variable::Kind::Derived ||
        variable.kind == Variable::Kind::Loop)
      computed.push_back(number);
    if (variable.kind != Variable::Kind::Parameter &&
        variable.kind != Variable::Kind::GridDim)
      continue;
    auto size = sizes.find(variable.name);
    assumed[number] = size == sizes.end();
    values[number] = assumed[number] ? kAssumedSize : size->second;
  }
  update();
}

void Evaluation::restrictTo(llvm::ArrayRef<Polynomial> polynomials) {
  llvm::erase_if(computed, [&](unsigned number) {
    return llvm::none_of(polynomials, [&](const Polynomial &polynomial) {
      return variables.dependsOnAny(
          polynomial, [&](unsigned other) { return other == number; });
    });
  });
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

void Evaluation::update() {
  failed = false;
  for (unsigned number : computed) {
    const Variable &variable = variables[number];
    if (variable.kind == Variable::Kind::Derived) {
      std::optional<int64_t> value = variables.evaluateDerived(number, values);
      failed |= !value;
      values[number] = value.value_or(0);
    } else {
      // A loop whose start is not known counts from 0.
      std::optional<int64_t> start;
      for (const Polynomial &bound : variable.lowerBounds)
        if (std::optional<int64_t> value = bound.evaluate(values))
          start = std::max(start.value_or(*value), *value);
      int64_t step = variable.step.evaluate(values).value_or(1);
      values[number] = start.value_or(0) + iterations[number] * step;
    }
  }
}

bool Evaluation::isActive(llvm::ArrayRef<Guard> guards) const {
  return llvm::all_of(guards, [&](const Guard &guard) {
    bool allHold = true;
    for (const Comparison &comparison : guard.comparisons) {
      std::optional<int64_t> value = evaluate(comparison.left);
      allHold &= !value || comparison.holds(*value);
    }
    if (!guard.negated)
      return allHold;
    // Where a part is not known, the else region may be reached all the same.
    return !allHold || !guard.complete;
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

void Evaluation::noteAssumptions(const Polynomial &polynomial,
                                 std::vector<std::string> &assumptions) const {
  for (unsigned number = 0; number < variables.size(); ++number) {
    if (!assumed[number] ||
        !variables.dependsOnAny(
            polynomial, [&](unsigned other) { return other == number; }))
      continue;
    std::string note =
        variables[number].name + " = " + std::to_string(kAssumedSize);
    if (!llvm::is_contained(assumptions, note))
      assumptions.push_back(note);
  }
}
