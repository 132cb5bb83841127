//===- IndexBounds.cpp - what an index is at least in a block -------------===//

#include "passes/Analysis/IndexBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Indices as polynomials
//===----------------------------------------------------------------------===//

/// Number of loops around the definition of `value`.
static int loopDepth(Value value) {
  int depth = 0;
  for (Operation *op = value.getParentRegion()->getParentOp(); op;
       op = op->getParentOp())
    depth += isa<LoopLikeOpInterface>(op);
  return depth;
}

/// The first and the last value of a variable of `loop`, where constant.
static std::optional<std::pair<int64_t, int64_t>>
rangeOf(affine::AffineParallelOp loop, unsigned number) {
  AffineMap lower = loop.getLowerBoundMap(number);
  AffineMap upper = loop.getUpperBoundMap(number);
  if (!lower.isSingleConstant() || !upper.isSingleConstant())
    return std::nullopt;
  return std::make_pair(lower.getSingleConstantResult(),
                        upper.getSingleConstantResult() - 1);
}

unsigned IndexBounds::variableOf(Value value) {
  auto [position, isNew] = numbers.try_emplace(value, variables.size());
  if (!isNew)
    return position->second;
  Variable variable{value, std::nullopt, loopDepth(value)};
  if (auto id = value.getDefiningOp<gpu::ThreadIdOp>())
    variable.range = {0, blockShape[unsigned(id.getDimension())] - 1};
  if (auto iterator = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<affine::AffineParallelOp>(
            iterator.getOwner()->getParentOp()))
      variable.range = rangeOf(loop, iterator.getArgNumber());
  variables.push_back(variable);
  return position->second;
}

/// The variable for `left` divided by `right`, or the remainder.
Polynomial IndexBounds::derived(AffineExprKind kind, const Polynomial &left,
                                int64_t right) {
  std::tuple key(static_cast<int>(kind), left, right);
  if (auto known = derivedNumbers.find(key); known != derivedNumbers.end())
    return Polynomial::variable(known->second);
  Variable variable;
  // May add variables, of bounds: the number is known behind it.
  auto range = constantRange(left);
  if (kind == AffineExprKind::Mod)
    variable.range = {0, right - 1};
  else if (range && kind == AffineExprKind::FloorDiv)
    variable.range = {llvm::divideFloorSigned(range->first, right),
                      llvm::divideFloorSigned(range->second, right)};
  else if (range)
    variable.range = {llvm::divideCeilSigned(range->first, right),
                      llvm::divideCeilSigned(range->second, right)};
  for (unsigned number : left.getVariables())
    variable.depth = std::max(variable.depth, variables[number].depth);
  variables.push_back(variable);
  unsigned number = variables.size() - 1;
  derivedNumbers.emplace(key, number);
  return Polynomial::variable(number);
}

Polynomial IndexBounds::formOf(AffineExpr expression, unsigned numDims,
                               ArrayRef<Polynomial> operands) {
  switch (expression.getKind()) {
  case AffineExprKind::Constant:
    return Polynomial(cast<AffineConstantExpr>(expression).getValue());
  case AffineExprKind::DimId:
    return operands[cast<AffineDimExpr>(expression).getPosition()];
  case AffineExprKind::SymbolId:
    return operands[numDims + cast<AffineSymbolExpr>(expression).getPosition()];
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Polynomial left = formOf(binary.getLHS(), numDims, operands);
  Polynomial right = formOf(binary.getRHS(), numDims, operands);
  if (expression.getKind() == AffineExprKind::Add)
    return left + right;
  if (expression.getKind() == AffineExprKind::Mul)
    return left * right;
  std::optional<int64_t> divisor = right.getConstant();
  if (!divisor || *divisor <= 0 || left.isUnknown())
    return Polynomial::unknown();
  return derived(expression.getKind(), left, *divisor);
}

SmallVector<Polynomial> IndexBounds::formsOf(AffineMap map,
                                             ValueRange operands) {
  SmallVector<Polynomial> forms = llvm::map_to_vector(
      operands, [&](Value operand) { return formOf(operand); });
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expression) {
    return formOf(expression, map.getNumDims(), forms);
  });
}

/// Whether `index` equals what its operands amount to: it may wrap where
/// `IntegerValues` cannot tell, or takes it for an atom.
bool IndexBounds::isFollowed(Value index) {
  if (!index.getType().isIndex())
    return false;
  IntegerValue value = values.get(index);
  std::optional<unsigned> variable = value.value.getVariable();
  bool isAtom = variable && values.getAtom(*variable).value == index;
  // The polynomial is one of the operands' polynomials.
  return value.isSigned && !isAtom &&
         llvm::all_of(index.getDefiningOp()->getOperands(), [&](Value operand) {
           return getBits(operand.getType()) != 0 &&
                  values.get(operand).isSigned;
         });
}

/// The constant that `op` divides by as an unsigned number, or takes the
/// remainder of; 0 for other operations.
static int64_t unsignedDivisor(Operation *op) {
  IntegerAttr divisor;
  bool divides = isa<arith::DivUIOp, arith::RemUIOp>(op) &&
                 matchPattern(op->getOperand(1), m_Constant(&divisor));
  return divides ? std::max<int64_t>(divisor.getInt(), 0) : 0;
}

Polynomial IndexBounds::formOf(Value index) {
  IntegerAttr constant;
  if (matchPattern(index, m_Constant(&constant)))
    return Polynomial(constant.getInt());
  Operation *op = index.getDefiningOp();
  if (int64_t divisor =
          op && index.getType().isIndex() ? unsignedDivisor(op) : 0) {
    // Of what is not negative for any thread they are as affine maps have them.
    Polynomial divided = formOf(op->getOperand(0));
    auto range = constantRange(divided);
    if (range && range->first >= 0)
      return derived(isa<arith::DivUIOp>(op) ? AffineExprKind::FloorDiv
                                             : AffineExprKind::Mod,
                     divided, divisor);
  }
  if (!op || !isFollowed(index))
    return Polynomial::variable(variableOf(index));
  return TypeSwitch<Operation *, Polynomial>(op)
      .Case([&](affine::AffineApplyOp apply) {
        return formsOf(apply.getAffineMap(), apply.getMapOperands()).front();
      })
      .Case([&](arith::AddIOp add) {
        return formOf(add.getLhs()) + formOf(add.getRhs());
      })
      .Case([&](arith::SubIOp sub) {
        return formOf(sub.getLhs()) - formOf(sub.getRhs());
      })
      .Case([&](arith::MulIOp mul) {
        Polynomial left = formOf(mul.getLhs()), right = formOf(mul.getRhs());
        bool isLinear = left.isConstant() || right.isConstant();
        return isLinear || !keepsProducts
                   ? left * right
                   : Polynomial::variable(variableOf(index));
      })
      .Default(
          [&](Operation *) { return Polynomial::variable(variableOf(index)); });
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

std::optional<std::pair<int64_t, int64_t>>
IndexBounds::constantRange(const Polynomial &form) {
  auto minimumOf = [&](const Polynomial &of) {
    return minimum(of, nullptr, /*ofOneThread=*/false).getConstant();
  };
  std::optional<int64_t> least = minimumOf(form), most = minimumOf(-form);
  if (!least || !most)
    return std::nullopt;
  return std::make_pair(*least, -*most);
}

Interval IndexBounds::getRange(unsigned number) {
  const Variable &variable = variables[number];
  if (variable.range)
    return {variable.range->first, variable.range->second};
  return variable.value ? values.getExact(variable.value, false).range
                        : Interval();
}

bool IndexBounds::isTileLoop(affine::AffineForOp loop) {
  return loop.hasConstantLowerBound() && loop.getStepAsInt() > 1 &&
         loop.getUpperBoundMap().getNumResults() == 1;
}

/// Of several bounds, all of which hold, the one that is easiest to use.
static Polynomial pickBound(ArrayRef<Polynomial> bounds) {
  const auto *constant = llvm::find_if(
      bounds, [](const Polynomial &bound) { return bound.isConstant(); });
  return constant != bounds.end() ? *constant : bounds.front();
}

void IndexBounds::assumeFullTiles(affine::AffineForOp loop) {
  fullTiles[loop] =
      formsOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands()).front();
}

/// The bounds of a thread id, an iterator, a quotient or a remainder. Nothing
/// for other variables: they have the same value wherever they are in scope.
std::optional<IndexBounds::Bounds> IndexBounds::boundsOf(unsigned number,
                                                         TileLoops *used) {
  Variable variable = variables[number];
  if (variable.range)
    return Bounds{Polynomial(variable.range->first),
                  Polynomial(variable.range->second)};
  auto iterator = dyn_cast_or_null<BlockArgument>(variable.value);
  if (!iterator)
    return std::nullopt;
  Operation *parent = iterator.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent);
      loop && loop.getInductionVar() == iterator && !loop.getUnsignedCmp())
    return Bounds{formOf(loop.getLowerBound()),
                  formOf(loop.getUpperBound()) - 1};
  auto loop = dyn_cast<affine::AffineForOp>(parent);
  if (!loop || loop.getInductionVar() != iterator)
    return std::nullopt;
  Polynomial lower =
      pickBound(formsOf(loop.getLowerBoundMap(), loop.getLowerBoundOperands()));
  auto full = fullTiles.find(loop);
  if (full == fullTiles.end())
    return Bounds{lower, pickBound(formsOf(loop.getUpperBoundMap(),
                                           loop.getUpperBoundOperands())) -
                             1};
  if (used)
    used->insert(loop);
  return Bounds{lower, full->second - loop.getStepAsInt()};
}

Polynomial IndexBounds::minimum(Polynomial form, TileLoops *used,
                                bool ofOneThread) {
  auto isKept = [&](unsigned number) {
    Value value = variables[number].value;
    return ofOneThread && value && value.getDefiningOp<gpu::ThreadIdOp>();
  };
  while (!form.isUnknown()) {
    // The innermost first: its bounds may depend on the outer ones.
    std::optional<unsigned> next;
    for (unsigned number : form.getVariables())
      if (!isKept(number) && boundsOf(number, nullptr) &&
          (!next || variables[number].depth >= variables[*next].depth))
        next = number;
    if (!next)
      return form;
    auto [ofNext, rest] = form.partition(
        [&](const Monomial &m) { return llvm::is_contained(m, *next); });
    int64_t coefficient = form.getCoefficient({*next});
    if (ofNext.getTerms().size() != 1 || coefficient == 0)
      return Polynomial::unknown();
    Bounds bounds = *boundsOf(*next, used);
    form = rest + Polynomial(coefficient) *
                      (coefficient > 0 ? bounds.lower : bounds.upper);
  }
  return form;
}

std::optional<Polynomial> IndexBounds::marginOf(arith::CmpIPredicate predicate,
                                                Value left, Value right) {
  if (!left.getType().isIndex())
    return std::nullopt;
  Polynomial a = formOf(left), b = formOf(right);
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return b - a - 1;
  case arith::CmpIPredicate::sle:
    return b - a;
  case arith::CmpIPredicate::sgt:
    return a - b - 1;
  case arith::CmpIPredicate::sge:
    return a - b;
  // For a left side that is never negative, what holds between signed numbers
  // holds between unsigned ones too.
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule: {
    std::optional<int64_t> least =
        minimum(a, nullptr, /*ofOneThread=*/false).getConstant();
    if (!least || *least < 0)
      return std::nullopt;
    return predicate == arith::CmpIPredicate::ult ? b - a - 1 : b - a;
  }
  default:
    return std::nullopt;
  }
}
