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
    return takeApart({both.getRhs(), false}, conjunction);
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
