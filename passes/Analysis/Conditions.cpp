//===- Conditions.cpp - what must hold for an operation to run ------------===//

#include "passes/Analysis/Conditions.h"

#include "dialects/GPUOpt/AttributeNames.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gpuopt;

SmallVector<Condition> gpuopt::conditionsAround(Operation *op) {
  SmallVector<Condition> conditions;
  for (Operation *child = op; Operation *parent = child->getParentOp();
       child = parent)
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      conditions.push_back(
          {branch.getCondition(),
           child->getParentRegion() == &branch.getElseRegion()});
  std::reverse(conditions.begin(), conditions.end());
  return conditions;
}

bool gpuopt::isInFallbackVersion(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       op = parent, parent = op->getParentOp())
    if (parent->hasAttr(kIndexRangeVersionAttrName) &&
        op->getBlock() == cast<scf::IfOp>(parent).elseBlock())
      return true;
  return false;
}

void gpuopt::collectConjuncts(Value condition, SmallVectorImpl<Value> &parts) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both)
    return parts.push_back(condition);
  collectConjuncts(both.getLhs(), parts);
  collectConjuncts(both.getRhs(), parts);
}

/// Returns the operands of a conjunction that is spelled as `select a, b,
/// false`, or with `negated` of a disjunction `select a, true, b`.
static std::optional<std::pair<Value, Value>>
matchSelect(arith::SelectOp select, bool negated) {
  Value constant = negated ? select.getTrueValue() : select.getFalseValue();
  Value other = negated ? select.getFalseValue() : select.getTrueValue();
  if (!matchPattern(constant, negated ? m_One() : m_Zero()))
    return std::nullopt;
  return std::make_pair(select.getCondition(), other);
}

/// Whether all comparisons that `value` joins are among those of `conjunction`.
static bool isImplied(Value value, const Conjunction &conjunction) {
  if (auto both = value.getDefiningOp<arith::AndIOp>())
    return isImplied(both.getLhs(), conjunction) &&
           isImplied(both.getRhs(), conjunction);
  return llvm::any_of(conjunction.conjuncts, [&](const Conjunct &known) {
    return known.comparison.value == value && !known.comparison.negated;
  });
}

/// What is left of `not (p and q)` where p holds, too: `not q`. An early return
/// leaves such conditions behind.
static void simplifyAlternatives(Conjunction &conjunction) {
  for (size_t i = 0; i < conjunction.others.size(); ++i) {
    auto [value, negated] = conjunction.others[i];
    auto both = value.getDefiningOp<arith::AndIOp>();
    if (!both || !negated)
      continue;
    Value left = both.getLhs(), right = both.getRhs();
    if (isImplied(right, conjunction))
      std::swap(left, right);
    if (!isImplied(left, conjunction))
      continue;
    conjunction.others.erase(conjunction.others.begin() + i);
    return takeApart({right, true}, conjunction);
  }
}

void gpuopt::takeApart(Condition condition, Conjunction &conjunction) {
  auto [value, negated] = condition;
  Operation *op = value.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
    arith::CmpIPredicate predicate = compare.getPredicate();
    conjunction.conjuncts.push_back(
        {negated ? arith::invertPredicate(predicate) : predicate,
         compare.getLhs(), compare.getRhs(), condition});
    return;
  }
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op); both && !negated) {
    takeApart({both.getLhs(), false}, conjunction);
    takeApart({both.getRhs(), false}, conjunction);
    return simplifyAlternatives(conjunction);
  }
  if (auto either = dyn_cast_or_null<arith::OrIOp>(op); either && negated) {
    takeApart({either.getLhs(), true}, conjunction);
    return takeApart({either.getRhs(), true}, conjunction);
  }
  if (auto flip = dyn_cast_or_null<arith::XOrIOp>(op);
      flip && matchPattern(flip.getRhs(), m_One()))
    return takeApart({flip.getLhs(), !negated}, conjunction);
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op);
      select && value.getType().isInteger(1))
    if (auto operands = matchSelect(select, negated)) {
      takeApart({operands->first, negated}, conjunction);
      return takeApart({operands->second, negated}, conjunction);
    }
  conjunction.others.push_back(condition);
}
