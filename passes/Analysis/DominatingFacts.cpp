//===- DominatingFacts.cpp - inequalities that hold at an operation -------===//

#include "passes/Analysis/DominatingFacts.h"

#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/Entailment.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace gpuopt;

namespace {

class FactCollector {
public:
  FactCollector(IntegerValues &values) : values(values) {}

  SmallVector<Polynomial> collect(Operation *op) {
    for (Operation *parent = op->getParentOp(); parent;
         op = parent, parent = op->getParentOp()) {
      if (auto conditional = dyn_cast<scf::IfOp>(parent))
        addCondition({conditional.getCondition(),
                      op->getBlock() != conditional.thenBlock()});
      else if (auto loop = dyn_cast<scf::ForOp>(parent))
        addLoop(loop);
      else if (auto affineLoop = dyn_cast<affine::AffineForOp>(parent))
        addLoop(affineLoop);
      else if (auto affineIf = dyn_cast<affine::AffineIfOp>(parent))
        addSet(affineIf, op->getBlock() == affineIf.getThenBlock());
    }
    // Conditions in conditions often say the same again.
    std::set<Polynomial> known;
    llvm::erase_if(facts, [&](const Polynomial &fact) {
      return !known.insert(fact).second;
    });
    return std::move(facts);
  }

private:
  void addCondition(Condition condition);
  void addComparison(const Conjunct &conjunct);
  void addLoop(scf::ForOp loop);
  void addLoop(affine::AffineForOp loop);
  void addSet(affine::AffineIfOp conditional, bool holds);

  IntegerValues &values;
  SmallVector<Polynomial> facts;
};

} // namespace

void FactCollector::addCondition(Condition condition) {
  Conjunction conjunction;
  takeApart(condition, conjunction);
  for (const Conjunct &conjunct : conjunction.conjuncts)
    addComparison(conjunct);
}

void FactCollector::addComparison(const Conjunct &conjunct) {
  using Predicate = arith::CmpIPredicate;
  if (getBits(conjunct.left.getType()) <= 1)
    return;
  Polynomial difference =
      values.getDifference(conjunct.predicate, conjunct.right, conjunct.left);
  switch (conjunct.predicate) {
  case Predicate::slt:
  case Predicate::ult:
    facts.push_back(difference - 1);
    return;
  case Predicate::sle:
  case Predicate::ule:
    facts.push_back(difference);
    return;
  case Predicate::sgt:
  case Predicate::ugt:
    facts.push_back(-difference - 1);
    return;
  case Predicate::sge:
  case Predicate::uge:
    facts.push_back(-difference);
    return;
  case Predicate::eq:
    facts.push_back(difference);
    facts.push_back(-difference);
    return;
  case Predicate::ne:
    // Not equal, and never on one side: strictly on the other.
    if (values.getRange(difference).low >= 0)
      facts.push_back(difference - 1);
    else if (values.getRange(difference).high <= 0)
      facts.push_back(-difference - 1);
    return;
  }
}

void FactCollector::addLoop(scf::ForOp loop) {
  bool isUnsigned = loop.getUnsignedCmp();
  Polynomial induction = values.get(loop.getInductionVar()).value;
  facts.push_back(induction -
                  values.getExact(loop.getLowerBound(), isUnsigned).value);
  facts.push_back(values.getExact(loop.getUpperBound(), isUnsigned).value -
                  induction - 1);
}

void FactCollector::addLoop(affine::AffineForOp loop) {
  Polynomial induction = values.get(loop.getInductionVar()).value;
  for (const Polynomial &bound :
       values.get(loop.getLowerBoundMap(), loop.getLowerBoundOperands()))
    facts.push_back(induction - bound);
  for (const Polynomial &bound :
       values.get(loop.getUpperBoundMap(), loop.getUpperBoundOperands()))
    facts.push_back(bound - induction - 1);
}

void FactCollector::addSet(affine::AffineIfOp conditional, bool holds) {
  IntegerSet set = conditional.getIntegerSet();
  if (!holds && set.getNumConstraints() != 1)
    return;
  SmallVector<Polynomial> operands;
  for (Value operand : conditional.getOperands())
    operands.push_back(values.getExact(operand, false).value);
  for (auto [expr, isEquality] :
       llvm::zip(set.getConstraints(), set.getEqFlags())) {
    Polynomial value = values.get(expr, set.getNumDims(), operands);
    if (holds)
      facts.push_back(value);
    if (holds && isEquality)
      facts.push_back(-value);
    if (!holds && !isEquality)
      facts.push_back(-value - 1);
  }
}

SmallVector<Polynomial> gpuopt::collectFacts(Operation *op,
                                             IntegerValues &values) {
  return FactCollector(values).collect(op);
}

/// Adds what holds of the quotient q = n floordiv d, given as an atom: d*q <= n
/// < d*(q + 1), and d*q >= x for each fact n >= x where x is a multiple of d.
static void addQuotient(unsigned variable, const Atom &quotient,
                        SmallVectorImpl<Polynomial> &facts) {
  int64_t divisor = quotient.divisor;
  Polynomial product = Polynomial(divisor) * Polynomial::variable(variable);
  for (size_t i = 0, end = facts.size(); i < end; ++i) {
    Polynomial bound = quotient.numerator - facts[i];
    bound -= llvm::mod(bound.getConstantTerm(), divisor);
    if (!bound.isUnknown() && bound.getContent() % divisor == 0)
      facts.push_back(product - bound);
  }
  facts.push_back(quotient.numerator - product);
  facts.push_back(product + (divisor - 1) - quotient.numerator);
}

/// A quotient or remainder by a number that is not known when compiling.
static bool isOfValues(const Atom &atom) {
  return atom.value &&
         isa_and_nonnull<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                         arith::RemUIOp>(atom.value.getDefiningOp());
}

/// Adds what holds of the quotient q = n / d, or of the remainder r, of n that
/// is not negative by d that is positive: d*q <= n < d*(q + 1), q < k for each
/// fact n < d*k, and r < d.
static void addQuotientOfValues(unsigned variable, IntegerValues &values,
                                SmallVectorImpl<Polynomial> &facts) {
  Operation *op = values.getAtom(variable).value.getDefiningOp();
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp>(op);
  IntegerValue dividend = values.getExact(op->getOperand(0), isUnsigned);
  IntegerValue divisor = values.getExact(op->getOperand(1), isUnsigned);
  // The range tells whether the atom reads the result as the operation does.
  if (dividend.range.low < 0 || divisor.range.low < 1 ||
      values.getAtom(variable).range.low < 0)
    return;
  Polynomial result = Polynomial::variable(variable);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op)) {
    facts.push_back(divisor.value - 1 - result);
    facts.push_back(dividend.value - result);
    return;
  }
  for (size_t i = 0, end = facts.size(); i < end; ++i) {
    // n <= bound - 1, where the fact is bound - 1 - n.
    Polynomial bound = facts[i] + dividend.value + 1;
    if (facts[i].isUnknown() || bound.isZero())
      continue;
    Polynomial::Division parts = bound.divide(divisor.value);
    if (parts.remainder.isZero() && parts.quotient * divisor.value == bound)
      facts.push_back(parts.quotient - 1 - result);
  }
  Polynomial product = divisor.value * result;
  facts.push_back(dividend.value - product);
  facts.push_back(product + divisor.value - 1 - dividend.value);
}

void gpuopt::addQuotients(const Polynomial &goal, IntegerValues &values,
                          SmallVectorImpl<Polynomial> &facts) {
  llvm::SmallSetVector<unsigned, 4> quotients;
  auto collect = [&](const Polynomial &polynomial) {
    for (unsigned variable : polynomial.getVariables())
      if (values.getAtom(variable).kind == Atom::Kind::FloorDiv ||
          isOfValues(values.getAtom(variable)))
        quotients.insert(variable);
  };
  collect(goal);
  llvm::for_each(facts, collect);
  for (size_t i = 0; i < quotients.size(); ++i) {
    size_t known = facts.size();
    if (values.getAtom(quotients[i]).kind == Atom::Kind::FloorDiv) {
      const Atom &quotient = values.getAtom(quotients[i]);
      addQuotient(quotients[i], quotient, facts);
      collect(quotient.numerator);
    } else {
      addQuotientOfValues(quotients[i], values, facts);
      for (size_t added = known; added < facts.size(); ++added)
        collect(facts[added]);
    }
  }
}

/// The variables of products in `goal` that the facts show to be positive or
/// not negative, with that range: a product is one unknown for the simplex.
static llvm::SmallDenseMap<unsigned, Interval>
signsOfFactors(const Polynomial &goal, ArrayRef<Polynomial> facts,
               llvm::function_ref<Interval(const Monomial &)> rangeOf) {
  llvm::SmallDenseMap<unsigned, Interval> signs;
  for (const auto &[monomial, coefficient] : goal.getTerms())
    for (unsigned variable : monomial) {
      Interval range = rangeOf({variable});
      if (monomial.size() < 2 || signs.contains(variable))
        continue;
      Polynomial value = Polynomial::variable(variable);
      int64_t low = range.low;
      if (low < 1 && gpuopt::provesNonNegative(facts, value - 1, rangeOf))
        low = 1;
      else if (low < 0 && gpuopt::provesNonNegative(facts, value, rangeOf))
        low = 0;
      signs[variable] = {low, range.high};
    }
  return signs;
}

/// Whether `goal` is one of `known` and what is not negative by its range: the
/// usual case, which needs no simplex run.
static bool isOneOf(ArrayRef<Polynomial> known, const Polynomial &goal,
                    const IntegerValues &values) {
  return llvm::any_of(known, [&](const Polynomial &fact) {
    return values.getRange(goal - fact).low >= 0;
  });
}

/// Whether `goal >= 0` follows from `known` and all ranges.
static bool followsFrom(ArrayRef<Polynomial> known, const Polynomial &goal,
                        IntegerValues &values) {
  if (isOneOf(known, goal, values))
    return true;
  SmallVector<Polynomial> facts(known);
  addQuotients(goal, values, facts);
  auto rangeOf = [&](const Monomial &monomial) {
    return values.getRange(monomial);
  };
  if (provesNonNegative(facts, goal, rangeOf))
    return true;
  // A fact times what is not negative is a fact: h * (w - 1 - x) >= 0.
  auto signs = signsOfFactors(goal, facts, rangeOf);
  bool isNew = false;
  size_t count = facts.size();
  for (const auto &[variable, range] : signs) {
    isNew |= range.low > rangeOf({variable}).low;
    // (n - 1 - i) * n has a square, which helps where the goal has it, too.
    bool isSquared = goal.getCoefficient({variable, variable}) != 0;
    for (size_t i = 0; i < count && range.low >= 0; ++i)
      if (!facts[i].isUnknown() && (isSquared || !facts[i].contains(variable)))
        facts.push_back(facts[i] * Polynomial::variable(variable));
  }
  if (!isNew && facts.size() == count)
    return false;
  return provesNonNegative(facts, goal, [&](const Monomial &monomial) {
    Interval range{1, 1};
    for (unsigned factor : monomial) {
      auto sign = signs.find(factor);
      range = range * (sign == signs.end() ? rangeOf({factor}) : sign->second);
    }
    return range;
  });
}

bool gpuopt::provesNonNegative(Operation *op, const Polynomial &goal,
                               IntegerValues &values) {
  return values.getRange(goal).low >= 0 ||
         followsFrom(collectFacts(op, values), goal, values);
}

ArrayRef<Polynomial> DominatingFacts::get(Operation *op) {
  auto [entry, isNew] = byBlock.try_emplace(op->getBlock());
  if (isNew)
    entry->second = collectFacts(op, values);
  return entry->second;
}

bool DominatingFacts::proveNonNegative(Operation *op, const Polynomial &goal) {
  return values.getRange(goal).low >= 0 || followsFrom(get(op), goal, values);
}
