//===- ArgumentExpressions.cpp - polynomials that a launcher knows --------===//

#include "passes/Analysis/ArgumentExpressions.h"

#include "passes/Analysis/SubscriptRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpuopt;

/// The symbol of a size of the launch; null for other atoms.
static AffineExpr launchSymbol(gpu::GPUFuncOp kernel, const Atom &atom) {
  unsigned first = kernel.getNumArguments() + atom.dimension;
  AffineExpr grid = getAffineSymbolExpr(first, kernel.getContext());
  AffineExpr block = getAffineSymbolExpr(first + 3, kernel.getContext());
  switch (atom.kind) {
  case Atom::Kind::GridDim:
    return grid;
  case Atom::Kind::BlockDim:
    return block;
  case Atom::Kind::GlobalSize:
    return grid * block;
  default:
    return {};
  }
}

/// The argument whose bits `value` has, behind casts; null where there is none.
static BlockArgument argumentBehind(gpu::GPUFuncOp kernel, Value value) {
  // A cast to fewer bits is another number than the argument, and one to more
  // is no atom.
  while (value && isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(
                      value.getDefiningOp())) {
    Value operand = value.getDefiningOp()->getOperand(0);
    if (getBits(operand.getType()) != getBits(value.getType()))
      return {};
    value = operand;
  }
  auto argument = dyn_cast_or_null<BlockArgument>(value);
  if (!argument || argument.getOwner() != &kernel.getBody().front() ||
      argument.getArgNumber() >= kernel.getNumArguments())
    return {};
  return argument;
}

static AffineExpr argumentSymbol(gpu::GPUFuncOp kernel, const Atom &atom) {
  BlockArgument argument = argumentBehind(kernel, atom.value);
  if (!argument)
    return {};
  AffineExpr symbol =
      getAffineSymbolExpr(argument.getArgNumber(), kernel.getContext());
  if (atom.kind == Atom::Kind::Signed)
    return symbol;
  unsigned bits = getBits(argument.getType());
  if (atom.kind != Atom::Kind::Unsigned || bits > 32)
    return {};
  return symbol % (int64_t(1) << bits);
}

/// A quotient of two arguments, of which the one is not negative and the other
/// positive; null for other atoms.
static AffineExpr quotientOfArguments(gpu::GPUFuncOp kernel,
                                      IntegerValues &values, const Atom &atom) {
  Operation *op = atom.value ? atom.value.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<arith::DivSIOp, arith::DivUIOp>(op) ||
      atom.range.low < 0)
    return {};
  std::array<AffineExpr, 2> operands;
  for (unsigned number = 0; number < 2; ++number) {
    IntegerValue operand =
        values.getExact(op->getOperand(number), isa<arith::DivUIOp>(op));
    std::optional<unsigned> variable = operand.value.getVariable();
    if (variable && operand.range.low >= int64_t(number))
      operands[number] = argumentSymbol(kernel, values.getAtom(*variable));
  }
  return operands[0] && operands[1] ? operands[0].floorDiv(operands[1])
                                    : AffineExpr();
}

AffineExpr gpuopt::expressionOverArguments(gpu::GPUFuncOp kernel,
                                           IntegerValues &values,
                                           const Polynomial &polynomial,
                                           bool usesLaunch) {
  MLIRContext *context = kernel.getContext();
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    AffineExpr product = getAffineConstantExpr(coefficient, context);
    for (unsigned variable : monomial) {
      const Atom atom = values.getAtom(variable);
      AffineExpr factor = argumentSymbol(kernel, atom);
      if (!factor && usesLaunch)
        factor = launchSymbol(kernel, atom);
      if (!factor)
        factor = quotientOfArguments(kernel, values, atom);
      if (!factor && atom.kind == Atom::Kind::FloorDiv) {
        AffineExpr numerator =
            expressionOverArguments(kernel, values, atom.numerator, usesLaunch);
        factor = numerator ? numerator.floorDiv(atom.divisor) : AffineExpr();
      }
      if (!factor)
        return {};
      product = factor * product;
    }
    sum = sum + product;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// What launchers compute
//===----------------------------------------------------------------------===//

namespace {
class ComputedExpression {
public:
  ComputedExpression(gpu::GPUFuncOp kernel, IntegerValues &values,
                     SmallVectorImpl<unsigned> &nonNegative)
      : kernel(kernel), values(values), nonNegative(nonNegative) {}

  AffineExpr build(const Polynomial &polynomial);

private:
  AffineExpr buildAtom(unsigned variable);
  AffineExpr buildQuotient(const Atom &atom);

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  SmallVectorImpl<unsigned> &nonNegative;
};
} // namespace

AffineExpr ComputedExpression::build(const Polynomial &polynomial) {
  if (polynomial.isUnknown())
    return {};
  AffineExpr sum = getAffineConstantExpr(0, kernel.getContext());
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    AffineExpr product =
        getAffineConstantExpr(coefficient, kernel.getContext());
    for (unsigned variable : monomial) {
      AffineExpr factor = buildAtom(variable);
      if (!factor)
        return {};
      product = factor * product;
    }
    sum = sum + product;
  }
  return sum;
}

AffineExpr ComputedExpression::buildAtom(unsigned variable) {
  const Atom atom = values.getAtom(variable);
  if (AffineExpr symbol = argumentSymbol(kernel, atom))
    return symbol;
  if (atom.kind == Atom::Kind::FloorDiv) {
    AffineExpr numerator = build(atom.numerator);
    return numerator ? numerator.floorDiv(atom.divisor) : AffineExpr();
  }
  if (atom.kind == Atom::Kind::Derived)
    return buildQuotient(atom);
  BlockArgument argument = argumentBehind(kernel, atom.value);
  if (argument && atom.kind == Atom::Kind::Unsigned &&
      getBits(argument.getType()) == 64) {
    nonNegative.push_back(argument.getArgNumber());
    return getAffineSymbolExpr(argument.getArgNumber(), kernel.getContext());
  }
  std::optional<Polynomial> definition =
      atom.value ? values.define(variable) : std::nullopt;
  return definition ? build(*definition) : AffineExpr();
}

/// A quotient by a number that is rounded down, or toward zero.
AffineExpr ComputedExpression::buildQuotient(const Atom &atom) {
  static constexpr int64_t large = int64_t(1) << 61;
  std::optional<int64_t> divisor = atom.right.getConstant();
  AffineExpr left = build(atom.left);
  if (!left || !divisor || *divisor < 1)
    return {};
  Interval range = values.getRange(atom.left);
  if (atom.op == IndexOperator::FloorDiv ||
      (atom.op == IndexOperator::TruncDiv && range.low >= 0))
    return left.floorDiv(*divisor);
  if (atom.op != IndexOperator::TruncDiv || range.low < -large ||
      range.high >= large)
    return {};
  // -1 for negative numbers, else 0.
  AffineExpr sign = left.floorDiv(large);
  return (left - sign * (*divisor - 1)).floorDiv(*divisor);
}

AffineExpr
gpuopt::computedOverArguments(gpu::GPUFuncOp kernel, IntegerValues &values,
                              const Polynomial &polynomial,
                              SmallVectorImpl<unsigned> &nonNegative) {
  return ComputedExpression(kernel, values, nonNegative).build(polynomial);
}

Polynomial gpuopt::congruentOverArguments(Value value, IntegerValues &values) {
  Polynomial polynomial = values.get(value).value;
  for (unsigned variable : polynomial.getVariables()) {
    const Atom &atom = values.getAtom(variable);
    if (atom.kind != Atom::Kind::Unsigned ||
        getBits(atom.value.getType()) != 64)
      continue;
    Polynomial asSigned = values.getExact(atom.value, false).value;
    polynomial = polynomial.substitute(variable, asSigned);
  }
  return polynomial;
}
