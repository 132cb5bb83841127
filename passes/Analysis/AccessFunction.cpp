//===- AccessFunction.cpp - addresses as functions of the ids -------------===//
//
// The value types. How they are read off the IR is in ResolveAccesses.cpp.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/AccessFunction.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

VariableTable::VariableTable() {
  const std::pair<Variable::Kind, std::string> kinds[] = {
      {Variable::Kind::BlockId, "b"},
      {Variable::Kind::ThreadId, "t"},
      {Variable::Kind::BlockDim, "bd"},
      {Variable::Kind::GridDim, "gd"}};
  for (const auto &[kind, prefix] : kinds)
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      table.push_back({kind, dimension, prefix + "xyz"[dimension]});
}

unsigned VariableTable::addLoop(std::string name,
                                std::vector<Polynomial> lowerBounds,
                                std::vector<Polynomial> upperBounds,
                                Polynomial step, mlir::Value iterator,
                                unsigned unsignedBits) {
  Variable variable{Variable::Kind::Loop, 0, std::move(name), iterator,
                    unsignedBits};
  variable.lowerBounds = std::move(lowerBounds);
  variable.upperBounds = std::move(upperBounds);
  variable.step = std::move(step);
  table.push_back(std::move(variable));
  return table.size() - 1;
}

unsigned VariableTable::addParameter(std::string name, mlir::Value value,
                                     unsigned unsignedBits) {
  table.push_back(
      {Variable::Kind::Parameter, 0, std::move(name), value, unsignedBits});
  return table.size() - 1;
}

bool VariableTable::isNonNegative(const Polynomial &polynomial) const {
  auto isNonNegativeVariable = [&](unsigned number) {
    const Variable &variable = table[number];
    switch (variable.kind) {
    case Variable::Kind::Loop:
      return variable.unsignedBits != 0 ||
             llvm::any_of(variable.lowerBounds, [&](const Polynomial &bound) {
               return isNonNegative(bound);
             });
    case Variable::Kind::Parameter:
      return variable.unsignedBits != 0;
    case Variable::Kind::Derived:
      if (variable.op == Variable::Operator::Wrap)
        return variable.right == Polynomial(1);
      return isNonNegative(variable.left) && isNonNegative(variable.right);
    default:
      return true;
    }
  };
  return !polynomial.isUnknown() &&
         llvm::all_of(polynomial.getTerms(), [&](const auto &term) {
           return term.second >= 0 &&
                  llvm::all_of(term.first, isNonNegativeVariable);
         });
}

std::optional<int64_t> VariableTable::fold(Variable::Operator op, int64_t left,
                                           int64_t right) {
  switch (op) {
  case Variable::Operator::FloorDiv:
  case Variable::Operator::TruncDiv:
    if (right == 0 || (right == -1 && left == INT64_MIN))
      return std::nullopt;
    return op == Variable::Operator::TruncDiv
               ? left / right
               : llvm::divideFloorSigned(left, right);
  case Variable::Operator::And:
    return left & right;
  case Variable::Operator::Or:
    return left | right;
  case Variable::Operator::Xor:
    return left ^ right;
  case Variable::Operator::Min:
    return std::min(left, right);
  case Variable::Operator::Max:
    return std::max(left, right);
  case Variable::Operator::Wrap:
    // Evaluation fails where the left side leaves 64 bits, so that has not
    // wrapped; unsigned numbers of 2^63 and more do not fit.
    return right && left < 0 ? std::nullopt : std::optional(left);
  }
  llvm_unreachable("unknown operator");
}

Polynomial VariableTable::addDerived(Variable::Operator op,
                                     const Polynomial &left,
                                     const Polynomial &right) {
  using Operator = Variable::Operator;
  if (left.isUnknown() || right.isUnknown())
    return Polynomial::unknown();
  std::optional<int64_t> l = left.getConstant(), r = right.getConstant();
  if (l && r) {
    std::optional<int64_t> value = fold(op, *l, *r);
    return value ? Polynomial(*value) : Polynomial::unknown();
  }
  if (op == Operator::TruncDiv && isNonNegative(left) && isNonNegative(right))
    op = Operator::FloorDiv;
  if (op == Operator::FloorDiv && left == right)
    return Polynomial(1);
  Polynomial whole, rest = left;
  if (op == Operator::FloorDiv && r && *r > 0) {
    // floor((16*a + b) / 16) = a + floor(b / 16).
    for (const auto &[monomial, coefficient] : left.getTerms()) {
      if (coefficient % *r != 0)
        continue;
      whole += Polynomial::term(monomial, coefficient / *r);
      rest -= Polynomial::term(monomial, coefficient);
    }
    if (rest.isZero())
      return whole;
    if (std::optional<int64_t> constant = rest.getConstant())
      return whole + Polynomial(llvm::divideFloorSigned(*constant, *r));
  }
  for (auto [number, variable] : llvm::enumerate(table))
    if (variable.kind == Variable::Kind::Derived && variable.op == op &&
        variable.left == rest && variable.right == right)
      return whole + Polynomial::variable(number);
  Variable variable{Variable::Kind::Derived, 0, ""};
  variable.op = op;
  variable.left = rest;
  variable.right = right;
  table.push_back(std::move(variable));
  return whole + Polynomial::variable(table.size() - 1);
}

bool VariableTable::dependsOnAny(
    const Polynomial &polynomial,
    llvm::function_ref<bool(unsigned)> predicate) const {
  // Definitions share their parts: a chain of them that takes each link twice
  // has as many ways through it as 2 to the power of its length.
  llvm::SmallDenseSet<unsigned> seen;
  auto depends = [&](const Polynomial &part, auto &self) -> bool {
    return part.containsAny([&](unsigned number) {
      if (predicate(number))
        return true;
      const Variable &variable = table[number];
      bool isDerived = variable.kind == Variable::Kind::Derived;
      bool isLoop = variable.kind == Variable::Kind::Loop;
      if ((!isDerived && !isLoop) || !seen.insert(number).second)
        return false;
      if (isDerived)
        return self(variable.left, self) || self(variable.right, self);
      return self(variable.step, self) ||
             llvm::any_of(variable.lowerBounds, [&](const Polynomial &bound) {
               return self(bound, self);
             });
    });
  };
  return depends(polynomial, depends);
}

bool VariableTable::dependsOnThread(const Polynomial &polynomial) const {
  return dependsOnAny(polynomial,
                      [&](unsigned number) { return isThreadId(number); });
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static llvm::StringRef symbolOf(Variable::Operator op) {
  switch (op) {
  case Variable::Operator::FloorDiv:
    return " floordiv ";
  case Variable::Operator::TruncDiv:
    return " / ";
  case Variable::Operator::And:
    return " & ";
  case Variable::Operator::Or:
    return " | ";
  case Variable::Operator::Xor:
    return " ^ ";
  case Variable::Operator::Min:
    return " min ";
  case Variable::Operator::Max:
    return " max ";
  case Variable::Operator::Wrap:
    return " wrap ";
  }
  llvm_unreachable("unknown operator");
}

std::string VariableTable::toString(const Polynomial &polynomial) const {
  return polynomial.str([&](unsigned number) {
    const Variable &variable = table[number];
    if (variable.kind != Variable::Kind::Derived)
      return variable.name;
    auto operand = [&](const Polynomial &value) {
      std::string text = toString(value);
      return value.getTerms().size() > 1 ? "(" + text + ")" : text;
    };
    return "(" + operand(variable.left) + symbolOf(variable.op).str() +
           operand(variable.right) + ")";
  });
}

bool Comparison::holds(int64_t value) const {
  switch (relation) {
  case Relation::Equal:
    return value == 0;
  case Relation::NotEqual:
    return value != 0;
  case Relation::Less:
    return value < 0;
  case Relation::LessEqual:
    return value <= 0;
  }
  llvm_unreachable("unknown relation");
}

bool AccessFunction::variesOverLanes(const Polynomial &value,
                                     const VariableTable &variables) const {
  return variables.dependsOnThread(value) ||
         variables.dependsOnAny(value, [&](unsigned number) {
           return llvm::is_contained(collective, number);
         });
}

std::string AccessFunction::toString(const VariableTable &variables) const {
  if (!isResolved())
    return "unresolved: " + unresolved;
  Polynomial elements;
  for (const auto &[monomial, coefficient] : address.getTerms()) {
    if (coefficient % elementBytes != 0)
      return "(" + variables.toString(address) + ") bytes";
    elements += Polynomial::term(monomial, coefficient / elementBytes);
  }
  return variables.toString(elements);
}
