//===- ResolveIndices.cpp - index values as polynomials -------------------===//
//
// Follows ids, constants, index arithmetic, affine maps and casts. Arithmetic
// on integers narrower than an index is followed only where it cannot wrap
// (nsw or nuw); raising keeps what may wrap in its own width.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/AccessResolver.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Index values
//===----------------------------------------------------------------------===//

std::optional<Polynomial> AccessResolver::unknown(const Twine &why) {
  reason = why.str();
  return std::nullopt;
}

std::optional<Polynomial> AccessResolver::resolve(Value value) {
  auto known = result.resolved.find(value);
  if (known != result.resolved.end()) {
    if (!known->second)
      reason = result.reasons[value];
    return known->second;
  }
  Result polynomial = compute(value);
  if (polynomial && polynomial->isUnknown())
    polynomial = unknown("index arithmetic leaves 64 bits");
  if (!polynomial)
    result.reasons[value] = reason;
  result.resolved[value] = polynomial;
  return polynomial;
}

std::optional<Polynomial> AccessResolver::unknownResult(Operation *op) {
  if (isa<memref::LoadOp, affine::AffineLoadOp, vector::LoadOp, LLVM::LoadOp>(
          op))
    return unknown("a subscript is loaded from memory");
  if (isa<LoopLikeOpInterface>(op))
    return unknown("a subscript is the result of a loop");
  return unknown("a subscript is the result of '" +
                 op->getName().getStringRef() + "'");
}

unsigned AccessResolver::parameter(Value value, std::string name) {
  return result.table.addParameter(std::move(name), value);
}

std::optional<Polynomial> AccessResolver::compute(Value value) {
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant))) {
    if (constant.getValue().getSignificantBits() > 64)
      return unknown("a constant has more than 64 bits");
    return Polynomial(constant.getValue().getSExtValue());
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument);
  Operation *op = value.getDefiningOp();
  if (isa<affine::AffineDialect>(op->getDialect()))
    return computeAffine(op);
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (std::optional<int64_t> index = dim.getConstantIndex())
      if (std::optional<ResolvedView> view = resolveView(dim.getSource()))
        return extent(dim.getSource(), *index, view->name);
  // Where an array lies is a parameter like any other.
  if (auto pointer = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
    if (std::optional<ResolvedView> view = resolveView(pointer.getSource()))
      return Polynomial::variable(parameter(value, "&" + view->name));
  if (isa<gpu::GPUDialect>(op->getDialect()))
    return computeGPU(op);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return computeChoice(op, branch.getCondition(),
                         branch.thenYield().getOperand(number),
                         branch.elseYield().getOperand(number));
  }
  if (isa<arith::ArithDialect>(op->getDialect()))
    return computeArith(op);
  return unknownResult(op);
}

std::string AccessResolver::nameOf(BlockArgument argument) {
  auto function = cast<FunctionOpInterface>(kernel);
  unsigned number = argument.getArgNumber();
  unsigned numArguments = function.getNumArguments();
  if (number >= numArguments)
    return "local" + std::to_string(number - numArguments);
  auto name = function.getArgAttrOfType<StringAttr>(number, kNameAttrName);
  return name ? name.str() : "arg" + std::to_string(number);
}

std::optional<Polynomial>
AccessResolver::computeArgument(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (owner == kernel && argument.getOwner()->isEntryBlock())
    return Polynomial::variable(parameter(argument, nameOf(argument)));
  if (auto loop = dyn_cast<affine::AffineForOp>(owner);
      loop && loop.getInductionVar() == argument)
    return computeLoop(
        argument,
        expandBounds(loop.getLowerBoundMap(), loop.getLowerBoundOperands()),
        expandBounds(loop.getUpperBoundMap(), loop.getUpperBoundOperands()),
        Polynomial(loop.getStepAsInt()));
  if (auto loop = dyn_cast<affine::AffineParallelOp>(owner)) {
    unsigned dim = argument.getArgNumber();
    return computeLoop(
        argument,
        expandBounds(loop.getLowerBoundMap(dim), loop.getLowerBoundsOperands()),
        expandBounds(loop.getUpperBoundMap(dim), loop.getUpperBoundsOperands()),
        Polynomial(loop.getSteps()[dim]));
  }
  if (auto loop = dyn_cast<scf::ForOp>(owner);
      loop && loop.getInductionVar() == argument) {
    auto bound = [&](Value value) -> std::vector<Polynomial> {
      Result polynomial = resolve(value);
      return polynomial ? std::vector{*polynomial} : std::vector<Polynomial>();
    };
    return computeLoop(argument, bound(loop.getLowerBound()),
                       bound(loop.getUpperBound()), resolve(loop.getStep()));
  }
  return unknown("a subscript is carried around a loop");
}

std::optional<Polynomial>
AccessResolver::computeLoop(Value iterator, std::vector<Polynomial> lowerBounds,
                            std::vector<Polynomial> upperBounds, Result step) {
  if (!step)
    return unknown("a loop's increment is not known: " + reason);
  unsigned count = 0;
  for (unsigned number = 0; number < result.table.size(); ++number)
    count += result.table[number].kind == Variable::Kind::Loop;
  return Polynomial::variable(
      result.table.addLoop("i" + std::to_string(count), std::move(lowerBounds),
                           std::move(upperBounds), *step, iterator));
}

std::optional<Polynomial> AccessResolver::computeAffine(Operation *op) {
  std::vector<Polynomial> operands;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    operands = expandAll(apply.getAffineMap(), apply.getMapOperands());
    return operands.empty() ? std::nullopt : Result(operands.front());
  }
  auto combine = Variable::Operator::Min;
  if (auto min = dyn_cast<affine::AffineMinOp>(op)) {
    operands = expandAll(min.getMap(), min.getOperands());
  } else if (auto max = dyn_cast<affine::AffineMaxOp>(op)) {
    operands = expandAll(max.getMap(), max.getOperands());
    combine = Variable::Operator::Max;
  } else {
    return unknownResult(op);
  }
  if (operands.empty())
    return std::nullopt;
  Polynomial combined = operands.front();
  for (const Polynomial &operand : ArrayRef(operands).drop_front())
    combined = result.table.addDerived(combine, combined, operand);
  return combined;
}

std::optional<Polynomial> AccessResolver::computeGPU(Operation *op) {
  auto variable = [](unsigned number) { return Polynomial::variable(number); };
  auto dimensionOf = [](auto id) {
    return static_cast<unsigned>(id.getDimension());
  };
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](gpu::ThreadIdOp id) {
        return variable(VariableTable::threadId(dimensionOf(id)));
      })
      .Case([&](gpu::BlockIdOp id) {
        return variable(VariableTable::blockId(dimensionOf(id)));
      })
      .Case([&](gpu::BlockDimOp id) {
        return variable(VariableTable::blockDim(dimensionOf(id)));
      })
      .Case([&](gpu::GridDimOp id) {
        return variable(VariableTable::gridDim(dimensionOf(id)));
      })
      .Case([&](gpu::GlobalIdOp id) {
        unsigned dimension = dimensionOf(id);
        return variable(VariableTable::blockId(dimension)) *
                   variable(VariableTable::blockDim(dimension)) +
               variable(VariableTable::threadId(dimension));
      })
      .Default([&](Operation *) { return unknownResult(op); });
}

Polynomial AccessResolver::remainder(Variable::Operator division,
                                     const Polynomial &left,
                                     const Polynomial &right) {
  return left - right * result.table.addDerived(division, left, right);
}

/// True where the arithmetic of `op` cannot be told from that of integers.
static bool cannotWrap(Operation *op) {
  if (op->getResult(0).getType().isIndex())
    return true;
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && (flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap());
}

std::optional<Polynomial> AccessResolver::computeArith(Operation *op) {
  using Operator = Variable::Operator;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op)) {
    // A parameter keeps its name through the cast.
    return resolve(op->getOperand(0));
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return computeChoice(op, select.getCondition(), select.getTrueValue(),
                         select.getFalseValue());
  if (op->getNumOperands() != 2)
    return unknownResult(op);
  Result left = resolve(op->getOperand(0));
  if (!left)
    return std::nullopt;
  Result right = resolve(op->getOperand(1));
  if (!right)
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op) &&
      !cannotWrap(op))
    return unknown("'" + op->getName().getStringRef() +
                   "' in a subscript may wrap around");
  if (isa<arith::AddIOp>(op))
    return *left + *right;
  if (isa<arith::SubIOp>(op))
    return *left - *right;
  if (isa<arith::MulIOp>(op))
    return *left * *right;
  if (isa<arith::FloorDivSIOp>(op))
    return result.table.addDerived(Operator::FloorDiv, *left, *right);
  if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    return result.table.addDerived(Operator::TruncDiv, *left, *right);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return remainder(Operator::TruncDiv, *left, *right);
  if (isa<arith::MinSIOp, arith::MinUIOp>(op))
    return result.table.addDerived(Operator::Min, *left, *right);
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
    return result.table.addDerived(Operator::Max, *left, *right);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return -result.table.addDerived(Operator::FloorDiv, -*left, *right);
  return computeBitwise(op);
}

std::optional<Polynomial> AccessResolver::computeBitwise(Operation *op) {
  using Operator = Variable::Operator;
  Polynomial left = *resolve(op->getOperand(0));
  Polynomial right = *resolve(op->getOperand(1));
  std::optional<int64_t> constant = right.getConstant();
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op)) {
    if (!constant || *constant < 0 || *constant > 62)
      return unknown("a subscript is shifted by an amount that is not known");
    Polynomial power(int64_t(1) << *constant);
    if (isa<arith::ShLIOp>(op))
      return left * power;
    return result.table.addDerived(Operator::FloorDiv, left, power);
  }
  if (isa<arith::AndIOp>(op)) {
    // x & 15 is the remainder by 16, negative x or not.
    if (constant && *constant > 0 && llvm::isPowerOf2_64(*constant + 1))
      return remainder(Operator::FloorDiv, left, Polynomial(*constant + 1));
    return result.table.addDerived(Operator::And, left, right);
  }
  if (isa<arith::OrIOp>(op))
    return result.table.addDerived(Operator::Or, left, right);
  if (isa<arith::XOrIOp>(op))
    return result.table.addDerived(Operator::Xor, left, right);
  return unknown("a subscript is the result of '" +
                 op->getName().getStringRef() + "'");
}

/// 1 where `value` is negative, else 0.
Polynomial AccessResolver::isNegative(const Polynomial &value) {
  using Operator = Variable::Operator;
  Polynomial least = result.table.addDerived(Operator::Min, value, 0);
  return -result.table.addDerived(Operator::Max, least, -1);
}

/// What a choice between `taken` and `other` that the threads of a block make
/// alike gives: `other + (taken - other) * [condition]`.
std::optional<Polynomial> AccessResolver::computeChoice(Operation *op,
                                                        Value condition,
                                                        Value taken,
                                                        Value other) {
  if (!taken.getType().isIntOrIndex())
    return unknownResult(op);
  Guard guard;
  collect(condition, guard);
  if (!guard.complete)
    return unknownResult(op);
  Polynomial holds(1);
  for (const Comparison &comparison : guard.comparisons) {
    const Polynomial &value = comparison.left;
    if (result.table.dependsOnThread(value))
      return unknownResult(op);
    switch (comparison.relation) {
    case Comparison::Relation::Less:
      holds = holds * isNegative(value);
      break;
    case Comparison::Relation::LessEqual:
      holds = holds * isNegative(value - 1);
      break;
    case Comparison::Relation::Equal:
      holds = holds * (Polynomial(1) - isNegative(value) - isNegative(-value));
      break;
    case Comparison::Relation::NotEqual:
      holds = holds * (isNegative(value) + isNegative(-value));
      break;
    }
  }
  Result left = resolve(taken);
  Result right = left ? resolve(other) : std::nullopt;
  if (!right)
    return std::nullopt;
  return *right + (*left - *right) * holds;
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

std::optional<Polynomial>
AccessResolver::expandBinary(AffineExprKind kind, const Polynomial &left,
                             const Polynomial &right) {
  using Operator = Variable::Operator;
  switch (kind) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::Mod:
    return remainder(Operator::FloorDiv, left, right);
  case AffineExprKind::FloorDiv:
    return result.table.addDerived(Operator::FloorDiv, left, right);
  case AffineExprKind::CeilDiv:
    return -result.table.addDerived(Operator::FloorDiv, -left, right);
  default:
    return unknown("an affine map has an expression that is not known");
  }
}

std::optional<Polynomial>
AccessResolver::expand(AffineExpr expr, unsigned numDims,
                       ArrayRef<Polynomial> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Polynomial(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Result left = expand(binary.getLHS(), numDims, operands);
  Result right = expand(binary.getRHS(), numDims, operands);
  if (!left || !right)
    return std::nullopt;
  return expandBinary(expr.getKind(), *left, *right);
}

/// The results of `map`; empty, with a reason, where an operand is not known.
std::vector<Polynomial> AccessResolver::expandAll(AffineMap map,
                                                  ValueRange operands) {
  SmallVector<Polynomial> values;
  for (Value operand : operands) {
    Result value = resolve(operand);
    if (!value)
      return {};
    values.push_back(*value);
  }
  std::vector<Polynomial> results;
  for (AffineExpr expr : map.getResults()) {
    Result value = expand(expr, map.getNumDims(), values);
    if (!value)
      return {};
    results.push_back(*value);
  }
  return results;
}

std::vector<Polynomial> AccessResolver::expandBounds(AffineMap map,
                                                     ValueRange operands) {
  std::string saved = reason;
  std::vector<Polynomial> bounds = expandAll(map, operands);
  reason = saved;
  return bounds;
}

std::optional<Polynomial> AccessResolver::fold(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Polynomial(*constant);
  return resolve(cast<Value>(value));
}
