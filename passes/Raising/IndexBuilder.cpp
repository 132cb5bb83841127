//===- IndexBuilder.cpp - polynomials back to IR --------------------------===//

#include "passes/Raising/IndexBuilder.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/IntricateValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

IndexBuilder::IndexBuilder(gpu::GPUFuncOp kernel, IntegerValues &values)
    : kernel(kernel), values(values), top(kernel.getContext()) {
  top.setInsertionPointToStart(&kernel.getBody().front());
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

Value IndexBuilder::getAtom(unsigned variable) {
  Value value = atoms.lookup(variable);
  if (!value)
    value = buildAtom(variable);
  if (Value current = replaced.lookup(value))
    value = current;
  return atoms[variable] = value;
}

Value IndexBuilder::buildAtom(unsigned variable) {
  const Atom &atom = values.getAtom(variable);
  Location loc = kernel.getLoc();
  auto dimension = static_cast<gpu::Dimension>(atom.dimension);
  switch (atom.kind) {
  case Atom::Kind::GlobalId:
    return gpu::GlobalIdOp::create(top, loc, dimension);
  case Atom::Kind::BlockId:
    return gpu::BlockIdOp::create(top, loc, dimension);
  case Atom::Kind::ThreadId:
    return gpu::ThreadIdOp::create(top, loc, dimension);
  case Atom::Kind::BlockDim:
    return gpu::BlockDimOp::create(top, loc, dimension);
  case Atom::Kind::GridDim:
    return gpu::GridDimOp::create(top, loc, dimension);
  case Atom::Kind::GlobalSize: {
    Value blockDim = gpu::BlockDimOp::create(top, loc, dimension);
    Value gridDim = gpu::GridDimOp::create(top, loc, dimension);
    return arith::MulIOp::create(top, loc, blockDim, gridDim);
  }
  case Atom::Kind::FloorDiv:
    return nullptr; // Depends on the position: see its users.
  case Atom::Kind::Derived:
    llvm_unreachable("only definitions of atoms have derived ones");
  case Atom::Kind::Signed:
  case Atom::Kind::Unsigned:
    break;
  }
  Value value = atom.value;
  if (Value current = replaced.lookup(value))
    value = current;
  if (atom.isParameter)
    value = hoist(value);
  return castToIndex(value, atom.kind == Atom::Kind::Unsigned);
}

/// Casts right behind the value's definition, or at the top for parameters.
Value IndexBuilder::castToIndex(Value value, bool isUnsigned) {
  if (value.getType().isIndex())
    return value;
  OpBuilder builder = top;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    builder.setInsertionPointAfterValue(value);
  else if (argument.getOwner() != &kernel.getBody().front())
    builder.setInsertionPointToStart(argument.getOwner());
  Type index = builder.getIndexType();
  if (isUnsigned)
    return arith::IndexCastUIOp::create(builder, value.getLoc(), index, value);
  return arith::IndexCastOp::create(builder, value.getLoc(), index, value);
}

Value IndexBuilder::hoist(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value;
  if (Value done = hoisted.lookup(value))
    return done;
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, hoist(operand));
  Operation *copy = top.clone(*op, mapping);
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
    hoisted[from] = to;
  return hoisted[value];
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value IndexBuilder::buildParameter(const Polynomial &polynomial) {
  Value &value = parameters[polynomial];
  if (!value)
    value = buildArith(top, kernel.getLoc(), polynomial);
  return value;
}

Value IndexBuilder::buildQuotient(const Polynomial &dividend,
                                  const Polynomial &divisor) {
  Location loc = kernel.getLoc();
  Value left = buildParameter(dividend), right = buildParameter(divisor);
  Value zero = arith::ConstantIndexOp::create(top, loc, 0);
  Value one = arith::ConstantIndexOp::create(top, loc, 1);
  // Runs in every thread, whatever the parameters: must not divide by zero.
  Value isPositive =
      arith::CmpIOp::create(top, loc, arith::CmpIPredicate::sgt, right, zero);
  Value safe = arith::MaxSIOp::create(top, loc, right, one);
  Value quotient = arith::DivSIOp::create(top, loc, left, safe);
  return arith::SelectOp::create(top, loc, isPositive, quotient, zero);
}

/// Whether an affine expression is the sum: affine arithmetic is that of
/// integers, which upstream reorders and divides, and lowers with `nsw`. A
/// single operation is exact where its result is.
bool IndexBuilder::isExactSum(const Polynomial &polynomial,
                              bool isExact) const {
  unsigned operations = 0;
  Interval magnitude{0, 0};
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    Interval term =
        values.getRange(monomial) * Interval{coefficient, coefficient};
    operations += monomial != polynomial.getTerms().begin()->first;
    operations += monomial.size() > 1;
    operations += coefficient != 1 && !monomial.empty();
    magnitude = magnitude + Interval{std::min<int64_t>(term.low, 0),
                                     std::max<int64_t>(term.high, 0)};
  }
  return magnitude.isFinite() || (isExact && operations <= 1);
}

Value IndexBuilder::build(OpBuilder &builder, Location loc,
                          const Polynomial &polynomial, bool isExact) {
  if (std::optional<unsigned> variable = polynomial.getVariable())
    if (Value value = getAtom(*variable))
      return value;
  if (std::optional<int64_t> constant = polynomial.getConstant())
    return arith::ConstantIndexOp::create(builder, loc, *constant);
  AffineForms forms;
  if (!isExactSum(polynomial, isExact) || !appendAffine(polynomial, forms))
    return buildArith(builder, loc, polynomial);
  auto [map, operands] = getMap(forms);
  return affine::AffineApplyOp::create(builder, loc, map, operands);
}

/// A sum of products, like a user would write it: negative terms last.
Value IndexBuilder::buildArith(OpBuilder &builder, Location loc,
                               const Polynomial &polynomial) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  auto buildTerm = [&](const Monomial &monomial, int64_t coefficient) {
    Value product;
    for (unsigned factor : monomial) {
      const Atom &atom = values.getAtom(factor);
      Value value =
          atom.kind == Atom::Kind::FloorDiv
              ? arith::FloorDivSIOp::create(
                    builder, loc, buildArith(builder, loc, atom.numerator),
                    constant(atom.divisor))
              : getAtom(factor);
      product =
          product ? arith::MulIOp::create(builder, loc, product, value) : value;
    }
    if (!product)
      return constant(coefficient);
    if (coefficient != 1)
      product =
          arith::MulIOp::create(builder, loc, product, constant(coefficient));
    return product;
  };
  Value sum;
  for (const auto &[monomial, coefficient] : polynomial.getTerms())
    if (coefficient > 0) {
      Value term = buildTerm(monomial, coefficient);
      sum = sum ? arith::AddIOp::create(builder, loc, sum, term) : term;
    }
  if (!sum)
    sum = constant(0);
  for (const auto &[monomial, coefficient] : polynomial.getTerms())
    if (coefficient < 0)
      sum = arith::SubIOp::create(builder, loc, sum,
                                  buildTerm(monomial, -coefficient));
  return sum;
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

AffineExpr IndexBuilder::addOperand(Value value, AffineForms &forms) {
  if (IntricateValues().contains(value) || !affine::isValidDim(value)) {
    forms.reason = "it depends on a value that is no affine dimension";
    return nullptr;
  }
  auto *it = llvm::find(forms.operands, value);
  unsigned position = it - forms.operands.begin();
  if (it == forms.operands.end())
    forms.operands.push_back(value);
  return getAffineDimExpr(position, kernel.getContext());
}

AffineExpr IndexBuilder::getTerm(const Monomial &monomial, AffineForms &forms) {
  if (monomial.size() > 1 && values.isParameter(monomial))
    return addOperand(buildParameter(Polynomial::term(monomial, 1)), forms);
  if (monomial.size() > 1) {
    forms.reason =
        "it has the product " + values.str(Polynomial::term(monomial, 1));
    return nullptr;
  }
  const Atom &atom = values.getAtom(monomial.front());
  if (atom.kind != Atom::Kind::FloorDiv) {
    AffineExpr operand = addOperand(getAtom(monomial.front()), forms);
    if (!operand)
      forms.reason = "it depends on " + values.nameOf(monomial.front()) +
                     ", which is neither an id, an affine loop's variable nor "
                     "a parameter";
    return operand;
  }
  // Affine divisions are taken apart.
  if (!isExactSum(atom.numerator, /*isExact=*/false)) {
    forms.reason = "a part of what it divides may leave 64 bits";
    return nullptr;
  }
  AffineForms inner;
  inner.operands = forms.operands;
  bool isAffine = appendAffine(atom.numerator, inner);
  forms.operands = inner.operands;
  forms.reason = inner.reason;
  if (!isAffine)
    return nullptr;
  return inner.exprs.front().floorDiv(atom.divisor);
}

bool IndexBuilder::appendAffine(const Polynomial &polynomial,
                                AffineForms &forms) {
  if (polynomial.isUnknown()) {
    forms.reason = "its coefficients do not fit 64 bits";
    return false;
  }
  AffineExpr sum = getAffineConstantExpr(0, kernel.getContext());
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    if (monomial.empty()) {
      sum = sum + coefficient;
      continue;
    }
    AffineExpr term = getTerm(monomial, forms);
    if (!term)
      return false;
    sum = sum + term * coefficient;
  }
  forms.exprs.push_back(sum);
  return true;
}

std::pair<AffineMap, SmallVector<Value>>
IndexBuilder::getMap(const AffineForms &forms) {
  AffineMap map = AffineMap::get(forms.operands.size(), 0, forms.exprs,
                                 kernel.getContext());
  SmallVector<Value> operands = forms.operands;
  affine::canonicalizeMapAndOperands(&map, &operands);
  return {map, operands};
}

//===----------------------------------------------------------------------===//
// Dead code
//===----------------------------------------------------------------------===//

void gpuopt::eraseDeadOperations(gpu::GPUFuncOp kernel) {
  kernel.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}
