//===- IntegerDefinitions.cpp - how opaque values are computed ------------===//
//
// What `IntegerValues` takes for an atom is mostly computed from other values
// all the same: by operations that are no polynomials, or with wrapping. A
// definition says how, exactly and with the signs that the operation gives its
// operands, so that whoever evaluates addresses and guards can do so.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/IntegerValues.h"

#include "dialects/GPUOpt/Predicates.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gpuopt;

Polynomial IntegerValues::derive(IndexOperator op, const Polynomial &left,
                                 const Polynomial &right) {
  if (left.isUnknown() || right.isUnknown())
    return Polynomial::unknown();
  Atom atom;
  atom.kind = Atom::Kind::Derived;
  atom.op = op;
  atom.left = left;
  atom.right = right;
  return addAtom(std::move(atom));
}

/// What is congruent to `value` modulo 2^bits, as an integer of `bits` bits.
std::optional<Polynomial> IntegerValues::wrap(const Polynomial &value,
                                              unsigned bits, bool isUnsigned) {
  if (bits == 64)
    return derive(IndexOperator::Wrap, value, isUnsigned ? 1 : 0);
  if (bits > 62)
    return std::nullopt;
  int64_t turn = int64_t(1) << bits, half = isUnsigned ? 0 : turn / 2;
  return value - Polynomial(turn) * floorDivide(value + half, turn);
}

std::optional<Polynomial> IntegerValues::define(unsigned variable) {
  const Atom atom = atoms[variable];
  bool isUnsigned = atom.kind == Atom::Kind::Unsigned;
  if (!isUnsigned && atom.kind != Atom::Kind::Signed)
    return std::nullopt;
  unsigned bits = getBits(atom.value.getType());
  // A polynomial that is exact in the other reading only, or in none.
  Polynomial congruent = get(atom.value).value;
  if (congruent != Polynomial::variable(variable))
    return wrap(congruent, bits, isUnsigned);
  Operation *op = atom.value.getDefiningOp();
  if (!op)
    return std::nullopt;
  bool isResultUnsigned = false;
  Definition result;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(atom.value).getResultNumber();
    result = defineChoice(branch.getCondition(),
                          branch.thenYield().getOperand(number),
                          branch.elseYield().getOperand(number));
  } else {
    result = defineOp(op, isResultUnsigned);
  }
  if (!result || result->isUnknown())
    return std::nullopt;
  return isResultUnsigned == isUnsigned ? result
                                        : wrap(*result, bits, isUnsigned);
}

/// The result of `op` as the operation itself reads it, which is unsigned where
/// `isUnsigned` is set.
std::optional<Polynomial> IntegerValues::defineOp(Operation *op,
                                                  bool &isUnsigned) {
  auto derived = [&](IndexOperator derivedOp) {
    return derive(derivedOp, getExact(op->getOperand(0), isUnsigned).value,
                  getExact(op->getOperand(1), isUnsigned).value);
  };
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return defineChoice(select.getCondition(), select.getTrueValue(),
                        select.getFalseValue());
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op))
    return defineExtremum(op);
  isUnsigned = isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp,
                   arith::MinUIOp, arith::MaxUIOp>(op);
  if (isa<arith::MinSIOp, arith::MinUIOp>(op))
    return derived(IndexOperator::Min);
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
    return derived(IndexOperator::Max);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
          arith::CeilDivSIOp, arith::CeilDivUIOp, arith::RemSIOp,
          arith::RemUIOp>(op))
    return defineQuotient(op, isUnsigned);
  if (op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1)) {
    isUnsigned = true;
    return indicate(op->getResult(0));
  }
  // These are what they are of the sign extended operands.
  if (isa<arith::AndIOp>(op))
    return derived(IndexOperator::And);
  if (isa<arith::OrIOp>(op))
    return derived(IndexOperator::Or);
  if (isa<arith::XOrIOp>(op))
    return derived(IndexOperator::Xor);
  return std::nullopt;
}

std::optional<Polynomial> IntegerValues::defineQuotient(Operation *op,
                                                        bool isUnsigned) {
  Polynomial left = getExact(op->getOperand(0), isUnsigned).value;
  Polynomial right = getExact(op->getOperand(1), isUnsigned).value;
  if (isa<arith::FloorDivSIOp>(op))
    return derive(IndexOperator::FloorDiv, left, right);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return -derive(IndexOperator::FloorDiv, -left, right);
  Polynomial quotient = derive(IndexOperator::TruncDiv, left, right);
  return isa<arith::RemSIOp, arith::RemUIOp>(op) ? left - right * quotient
                                                 : quotient;
}

std::optional<Polynomial> IntegerValues::defineExtremum(Operation *op) {
  auto minimum = dyn_cast<affine::AffineMinOp>(op);
  AffineMap map =
      minimum ? minimum.getMap() : cast<affine::AffineMaxOp>(op).getMap();
  SmallVector<Polynomial> values = get(map, op->getOperands());
  Polynomial result = values.front();
  for (const Polynomial &value : ArrayRef(values).drop_front())
    result = derive(minimum ? IndexOperator::Min : IndexOperator::Max, result,
                    value);
  return result;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Polynomial IntegerValues::getDifference(arith::CmpIPredicate predicate,
                                        Value left, Value right) {
  bool isUnsigned = gpuopt::isUnsigned(predicate);
  // Equality holds in both readings or in none.
  if (predicate == arith::CmpIPredicate::eq ||
      predicate == arith::CmpIPredicate::ne)
    isUnsigned = get(left).isUnsigned && get(right).isUnsigned;
  return getExact(left, isUnsigned).value - getExact(right, isUnsigned).value;
}

/// 1 where `value` is negative, else 0.
Polynomial IntegerValues::indicateNegative(const Polynomial &value) {
  if (std::optional<int64_t> constant = value.getConstant())
    return *constant < 0;
  Polynomial least = derive(IndexOperator::Min, value, 0);
  return -derive(IndexOperator::Max, least, -1);
}

/// 1 where `condition` holds, else 0.
std::optional<Polynomial> IntegerValues::indicate(Value condition) {
  using Predicate = arith::CmpIPredicate;
  if (matchPattern(condition, m_One()))
    return Polynomial(1);
  if (matchPattern(condition, m_Zero()))
    return Polynomial(0);
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
    if (getBits(compare.getLhs().getType()) == 0)
      return std::nullopt;
    Predicate predicate = compare.getPredicate();
    Polynomial value =
        getDifference(predicate, compare.getLhs(), compare.getRhs());
    switch (predicate) {
    case Predicate::slt:
    case Predicate::ult:
      return indicateNegative(value);
    case Predicate::sle:
    case Predicate::ule:
      return indicateNegative(value - 1);
    case Predicate::sgt:
    case Predicate::ugt:
      return indicateNegative(-value);
    case Predicate::sge:
    case Predicate::uge:
      return indicateNegative(-value - 1);
    case Predicate::eq:
      return Polynomial(1) - indicateNegative(value) - indicateNegative(-value);
    case Predicate::ne:
      return indicateNegative(value) + indicateNegative(-value);
    }
  }
  if (!op || !isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  Definition left = indicate(op->getOperand(0));
  Definition right = left ? indicate(op->getOperand(1)) : std::nullopt;
  if (!right)
    return std::nullopt;
  // Products would grow with each part of a long condition.
  if (isa<arith::OrIOp>(op))
    return derive(IndexOperator::Max, *left, *right);
  Polynomial both = derive(IndexOperator::Min, *left, *right);
  return isa<arith::AndIOp>(op) ? both : *left + *right - both - both;
}

/// `other + (taken - other) * [condition]`.
std::optional<Polynomial>
IntegerValues::defineChoice(Value condition, Value taken, Value other) {
  Definition holds = indicate(condition);
  if (!holds)
    return std::nullopt;
  Polynomial ifTaken = getExact(taken, false).value;
  Polynomial ifNot = getExact(other, false).value;
  return ifNot + (ifTaken - ifNot) * *holds;
}
