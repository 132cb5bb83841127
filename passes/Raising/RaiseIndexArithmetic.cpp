//===- RaiseIndexArithmetic.cpp - 32- and 64-bit arithmetic to index ------===//
//
// Three rewrites, each on what IntegerValues proves exact: casts to index move
// up to the atoms, comparisons of ids, loop variables and parameters compare
// indices, and conditions lose negations and short circuits.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/Poison.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Raising/IndexArithmetic.h"
#include "passes/Raising/IndexBuilder.h"
#include "passes/Raising/Passes.h"

#include "dialects/GPUOpt/Predicates.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISEINDEXARITHMETIC
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {

class RaiseIndexArithmeticPass
    : public gpuopt::impl::RaiseIndexArithmeticBase<RaiseIndexArithmeticPass> {
public:
  using Base::Base;
  void runOnOperation() override;

private:
  void raiseConditions(gpu::GPUFuncOp kernel);
  void raiseCasts(gpu::GPUFuncOp kernel);
};

} // namespace

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// True for what an index is made of: ids, loop variables, parameters. Other
/// comparisons are of data and stay.
static bool isOfIndices(const IntegerValues &values, const Polynomial &value) {
  return llvm::all_of(value.getVariables(), [&](unsigned variable) {
    const Atom &atom = values.getAtom(variable);
    if (atom.kind == Atom::Kind::FloorDiv)
      return isOfIndices(values, atom.numerator);
    if (!atom.value || atom.isParameter || atom.value.getType().isIndex())
      return true;
    auto argument = dyn_cast<BlockArgument>(atom.value);
    if (!argument)
      return false;
    auto loop =
        dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    return loop && llvm::is_contained(loop.getLoopInductionVars().value_or(
                                          SmallVector<Value>()),
                                      argument);
  });
}

static bool raiseComparison(arith::CmpIOp compare, IntegerValues &values,
                            IndexBuilder &indices) {
  Type type = compare.getLhs().getType();
  if (getBits(type) <= 1 || type.isIndex())
    return false;
  IntegerValue left = values.get(compare.getLhs());
  IntegerValue right = values.get(compare.getRhs());
  arith::CmpIPredicate predicate = compare.getPredicate();
  bool bothSigned = left.isSigned && right.isSigned;
  // As unsigned numbers they may exceed what an index holds.
  bool bothUnsigned = left.isUnsigned && right.isUnsigned &&
                      left.range.isFinite() && right.range.isFinite();
  bool isUnsigned = gpuopt::isUnsigned(predicate);
  bool isEquality = predicate == arith::CmpIPredicate::eq ||
                    predicate == arith::CmpIPredicate::ne;
  if (!(isUnsigned ? bothUnsigned : bothSigned) &&
      !(isEquality && bothUnsigned))
    return false;
  if (!isOfIndices(values, left.value) || !isOfIndices(values, right.value) ||
      (left.value.isConstant() && right.value.isConstant()))
    return false;
  OpBuilder builder(compare);
  Value lhs = indices.build(builder, compare.getLoc(), left.value,
                            /*isExact=*/true);
  Value rhs = indices.build(builder, compare.getLoc(), right.value,
                            /*isExact=*/true);
  Value raised = arith::CmpIOp::create(builder, compare.getLoc(),
                                       toSigned(predicate), lhs, rhs);
  compare.replaceAllUsesWith(raised);
  return true;
}

/// True where the value is there, and no poison, on every path: then a short
/// circuit need not hide it.
static bool isSafeToEvaluate(Value condition) {
  Operation *op = condition.getDefiningOp();
  if (!op || !isPure(op))
    return false;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getLhs().getType().isIndex() && !mayBePoison(condition);
  if (isa<arith::ConstantOp>(op))
    return true;
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
         llvm::all_of(op->getOperands(), isSafeToEvaluate);
}

/// `select(a, b, false)` is `a && b`, `select(a, true, b)` is `a || b`.
static void raiseShortCircuit(arith::SelectOp select) {
  if (!select.getType().isInteger(1))
    return;
  OpBuilder builder(select);
  Value raised;
  if (matchPattern(select.getFalseValue(), m_Zero()) &&
      isSafeToEvaluate(select.getTrueValue()))
    raised = arith::AndIOp::create(
        builder, select.getLoc(), select.getCondition(), select.getTrueValue());
  else if (matchPattern(select.getTrueValue(), m_One()) &&
           isSafeToEvaluate(select.getFalseValue()))
    raised =
        arith::OrIOp::create(builder, select.getLoc(), select.getCondition(),
                             select.getFalseValue());
  if (!raised)
    return;
  select.replaceAllUsesWith(raised);
  select.erase();
}

/// The negation of a condition, moved into its comparisons.
static Value negate(OpBuilder &builder, Value condition) {
  Location loc = condition.getLoc();
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return arith::CmpIOp::create(builder, loc,
                                 arith::invertPredicate(compare.getPredicate()),
                                 compare.getLhs(), compare.getRhs());
  if (op && isa<arith::AndIOp, arith::OrIOp>(op)) {
    Value left = negate(builder, op->getOperand(0));
    Value right = negate(builder, op->getOperand(1));
    if (isa<arith::AndIOp>(op))
      return arith::OrIOp::create(builder, loc, left, right);
    return arith::AndIOp::create(builder, loc, left, right);
  }
  if (op && isa<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One()))
    return op->getOperand(0);
  Value all = arith::ConstantIntOp::create(builder, loc, 1, 1);
  return arith::XOrIOp::create(builder, loc, condition, all);
}

/// An early return arrives as an empty `then` with the rest as `else`.
static void raiseEarlyReturn(scf::IfOp conditional) {
  Block *thenBlock = conditional.thenBlock();
  Block *elseBlock = conditional.elseBlock();
  if (conditional->getNumResults() != 0 || !elseBlock ||
      !llvm::hasSingleElement(*thenBlock))
    return;
  OpBuilder builder(conditional);
  conditional.getConditionMutable().assign(
      negate(builder, conditional.getCondition()));
  conditional.getThenRegion().takeBody(conditional.getElseRegion());
}

void RaiseIndexArithmeticPass::raiseConditions(gpu::GPUFuncOp kernel) {
  IntegerValues values(kernel);
  IndexBuilder indices(kernel, values);
  SmallVector<arith::CmpIOp> compares;
  kernel.walk([&](arith::CmpIOp compare) { compares.push_back(compare); });
  // None is erased while `values` knows them by their addresses.
  llvm::erase_if(compares, [&](arith::CmpIOp compare) {
    return !raiseComparison(compare, values, indices);
  });
  numComparisons += compares.size();
  for (arith::CmpIOp compare : compares)
    compare.erase();
  kernel.walk([](arith::SelectOp select) { raiseShortCircuit(select); });
  kernel.walk([](scf::IfOp conditional) { raiseEarlyReturn(conditional); });
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// True where `value` is nothing but a widened sum or product: its narrow
/// arithmetic may wrap, and so the index is not the mathematical value.
static Operation *findWrappingSource(const IntegerValues &values,
                                     const Polynomial &value) {
  for (unsigned variable : value.getVariables()) {
    const Atom &atom = values.getAtom(variable);
    Operation *op = atom.value ? Value(atom.value).getDefiningOp() : nullptr;
    if (op && isa<arith::AddIOp, arith::MulIOp, arith::SubIOp>(op))
      return op;
  }
  return nullptr;
}

void RaiseIndexArithmeticPass::raiseCasts(gpu::GPUFuncOp kernel) {
  IntegerValues values(kernel);
  IndexBuilder indices(kernel, values);
  SmallVector<Operation *> casts;
  kernel.walk([&](Operation *op) {
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
        op->getResult(0).getType().isIndex() &&
        getBits(op->getOperand(0).getType()) != 0)
      casts.push_back(op);
  });
  for (Operation *cast : casts) {
    auto [value, range, isSigned, isUnsigned] = values.get(cast->getResult(0));
    Operation *source = findWrappingSource(values, value);
    if (source && !isInFallbackVersion(cast)) {
      sayMissed(RemarkCode::IndexMayWrap, kernel, source->getLoc(),
                {{"bits", getBits(source->getResult(0).getType())}});
    }
    // An atom of its own, or of its operand: nothing to move.
    if (std::optional<unsigned> variable = value.getVariable()) {
      Value atom = values.getAtom(*variable).value;
      if (atom && (atom == cast->getResult(0) || atom == cast->getOperand(0)))
        continue;
    }
    OpBuilder builder(cast);
    Value raised = indices.build(builder, cast->getLoc(), value, isSigned);
    cast->getResult(0).replaceAllUsesWith(raised);
    ++numCasts;
  }
}

void RaiseIndexArithmeticPass::runOnOperation() {
  gpu::GPUFuncOp kernel = getOperation();
  raiseConditions(kernel);
  raiseCasts(kernel);
  eraseDeadOperations(kernel);
}
