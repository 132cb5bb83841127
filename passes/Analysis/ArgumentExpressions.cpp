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

static AffineExpr argumentSymbol(gpu::GPUFuncOp kernel, const Atom &atom) {
  // A cast to fewer bits is another number than the argument, and one to more
  // is no atom.
  Value value = atom.value;
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
  AffineExpr symbol =
      getAffineSymbolExpr(argument.getArgNumber(), kernel.getContext());
  if (atom.kind == Atom::Kind::Signed)
    return symbol;
  unsigned bits = getBits(argument.getType());
  if (atom.kind != Atom::Kind::Unsigned || bits > 32)
    return {};
  return symbol % (int64_t(1) << bits);
}

AffineExpr gpuopt::expressionOverArguments(gpu::GPUFuncOp kernel,
                                           const IntegerValues &values,
                                           const Polynomial &polynomial,
                                           bool usesLaunch) {
  MLIRContext *context = kernel.getContext();
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    AffineExpr product = getAffineConstantExpr(coefficient, context);
    for (unsigned variable : monomial) {
      const Atom &atom = values.getAtom(variable);
      AffineExpr factor = argumentSymbol(kernel, atom);
      if (!factor && usesLaunch)
        factor = launchSymbol(kernel, atom);
      if (!factor)
        return {};
      product = factor * product;
    }
    sum = sum + product;
  }
  return sum;
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
