//===- Entailment.cpp - does one inequality follow from others? -----------===//

#include "passes/Analysis/Entailment.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace gpuopt;
using llvm::DynamicAPInt;

namespace {

/// The inequalities as rows over one column per product of variables.
class InequalitySystem {
public:
  explicit InequalitySystem(llvm::ArrayRef<Polynomial> inequalities) {
    for (const Polynomial &inequality : inequalities)
      for (const auto &[monomial, coefficient] : inequality.getTerms())
        if (!monomial.empty())
          columns.try_emplace(monomial, columns.size());
    simplex.emplace(columns.size());
  }

  void add(const Polynomial &inequality) {
    llvm::SmallVector<DynamicAPInt> row(columns.size() + 1, DynamicAPInt(0));
    for (const auto &[monomial, coefficient] : inequality.getTerms())
      row[monomial.empty() ? columns.size() : columns[monomial]] =
          DynamicAPInt(coefficient);
    simplex->addInequality(row);
  }

  void addRanges(llvm::function_ref<Interval(const Monomial &)> rangeOf) {
    for (const auto &[monomial, column] : columns) {
      Interval range = rangeOf(monomial);
      Polynomial product = Polynomial::term(monomial, 1);
      if (range.low != Interval::minusInfinity)
        add(product - range.low);
      if (range.high != Interval::plusInfinity)
        add(Polynomial(range.high) - product);
    }
  }

  bool isEmpty() const { return simplex->isEmpty(); }

private:
  std::map<Monomial, unsigned, MonomialOrder> columns;
  std::optional<mlir::presburger::Simplex> simplex;
};

} // namespace

/// Integers: where the other summands of `inequality >= 0` are multiples of g,
/// only multiples of g count of its constant; 4*x - 3 >= 0 is 4*x - 4 >= 0.
static Polynomial tighten(const Polynomial &inequality) {
  int64_t constant = inequality.getConstantTerm();
  int64_t content = 0;
  for (const auto &[monomial, coefficient] : inequality.getTerms())
    if (!monomial.empty())
      content = std::gcd(content, coefficient);
  if (content <= 1)
    return inequality;
  return inequality - Polynomial(llvm::mod(constant, content));
}

/// Those of `facts` that share variables with `goal`, with others that share
/// variables with these, and so on: the rest says nothing about it, but where
/// it contradicts itself and nothing runs. Nor do facts say anything that hold
/// because of ranges.
static llvm::SmallVector<Polynomial>
selectRelevant(llvm::ArrayRef<Polynomial> facts, const Polynomial &goal,
               llvm::function_ref<Interval(const Monomial &)> rangeOf) {
  auto holdsAnyway = [&](const Polynomial &fact) {
    Interval range{0, 0};
    for (const auto &[monomial, coefficient] : fact.getTerms())
      range = range + rangeOf(monomial) * Interval{coefficient, coefficient};
    return range.low >= 0;
  };
  llvm::SmallVector<const Polynomial *> others;
  for (const Polynomial &fact : facts)
    if (!fact.isUnknown() && !holdsAnyway(fact))
      others.push_back(&fact);
  std::set<Monomial, MonomialOrder> reached;
  auto reach = [&](const Polynomial &polynomial) {
    for (const auto &[monomial, coefficient] : polynomial.getTerms())
      if (!monomial.empty())
        reached.insert(monomial);
  };
  auto isReached = [&](const Polynomial *fact) {
    return fact->isConstant() ||
           llvm::any_of(fact->getTerms(), [&](const auto &term) {
             return reached.contains(term.first);
           });
  };
  reach(goal);
  llvm::SmallVector<Polynomial> relevant;
  for (size_t before = others.size() + 1; others.size() < before;) {
    before = others.size();
    llvm::erase_if(others, [&](const Polynomial *fact) {
      if (!isReached(fact))
        return false;
      reach(*fact);
      relevant.push_back(*fact);
      return true;
    });
  }
  return relevant;
}

bool gpuopt::provesNonNegative(
    llvm::ArrayRef<Polynomial> facts, const Polynomial &goal,
    llvm::function_ref<Interval(const Monomial &)> rangeOf) {
  if (goal.isUnknown())
    return false;
  if (std::optional<int64_t> constant = goal.getConstant())
    if (*constant >= 0)
      return true;
  llvm::SmallVector<Polynomial> inequalities;
  for (const Polynomial &fact : selectRelevant(facts, goal, rangeOf))
    inequalities.push_back(tighten(fact));
  Polynomial negation = tighten(Polynomial(-1) - goal);
  if (negation.isUnknown())
    return false;
  inequalities.push_back(negation);

  InequalitySystem system(inequalities);
  for (const Polynomial &inequality : inequalities)
    system.add(inequality);
  system.addRanges(rangeOf);
  return system.isEmpty();
}
