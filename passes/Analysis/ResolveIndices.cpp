//===- ResolveIndices.cpp - index values in terms of blocks and threads ---===//
//
// `IntegerValues` reads the arithmetic. Here its atoms become variables of
// access functions: ids are split into blocks and threads, iterators get the
// bounds of their loops, and what is computed by anything but sums and products
// becomes a derived variable.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/AccessResolver.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/ArgumentExpressions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// What has more is not worth the time that every look at it takes.
static constexpr size_t maxTerms = 64;

std::optional<Polynomial> AccessResolver::unknown(const Twine &why) {
  reason = why.str();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

std::optional<Polynomial>
AccessResolver::translate(const Polynomial &polynomial) {
  Polynomial sum = polynomial.isUnknown() ? polynomial : Polynomial();
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    Polynomial product(coefficient);
    for (unsigned factor : monomial) {
      Result value = translateAtom(factor);
      if (!value)
        return std::nullopt;
      product = product * *value;
    }
    sum += product;
  }
  if (sum.isUnknown())
    return unknown("index arithmetic leaves 64 bits");
  return sum;
}

std::optional<Polynomial> AccessResolver::translateAtom(unsigned variable) {
  auto known = result.resolvedAtoms.find(variable);
  if (known != result.resolvedAtoms.end()) {
    if (!known->second)
      reason = result.reasons[variable];
    return known->second;
  }
  Result polynomial = computeAtom(variable);
  if (!polynomial)
    result.reasons[variable] = reason;
  result.resolvedAtoms[variable] = polynomial;
  return polynomial;
}

std::optional<Polynomial> AccessResolver::computeAtom(unsigned variable) {
  const Atom atom = result.values.getAtom(variable);
  auto id = [](unsigned number) { return Polynomial::variable(number); };
  unsigned dimension = atom.dimension;
  switch (atom.kind) {
  case Atom::Kind::BlockId:
    return id(VariableTable::blockId(dimension));
  case Atom::Kind::ThreadId:
    return id(VariableTable::threadId(dimension));
  case Atom::Kind::BlockDim:
    return id(VariableTable::blockDim(dimension));
  case Atom::Kind::GridDim:
    return id(VariableTable::gridDim(dimension));
  case Atom::Kind::GlobalId:
    return id(VariableTable::blockId(dimension)) *
               id(VariableTable::blockDim(dimension)) +
           id(VariableTable::threadId(dimension));
  case Atom::Kind::GlobalSize:
    return id(VariableTable::gridDim(dimension)) *
           id(VariableTable::blockDim(dimension));
  case Atom::Kind::FloorDiv:
    return computeDerived(IndexOperator::FloorDiv, atom.numerator,
                          atom.divisor);
  case Atom::Kind::Derived:
    return computeDerived(atom.op, atom.left, atom.right);
  case Atom::Kind::Signed:
  case Atom::Kind::Unsigned:
    break;
  }
  return computeOpaque(variable);
}

std::optional<Polynomial>
AccessResolver::computeDerived(IndexOperator op, const Polynomial &left,
                               const Polynomial &right) {
  Result first = translate(left);
  Result second = first ? translate(right) : std::nullopt;
  if (!second)
    return std::nullopt;
  Polynomial derived = result.table.addDerived(op, *first, *second);
  if (derived.isUnknown())
    return unknown("index arithmetic leaves 64 bits");
  return derived;
}

//===----------------------------------------------------------------------===//
// Atoms with a value
//===----------------------------------------------------------------------===//

std::optional<Polynomial> AccessResolver::unknownResult(Operation *op) {
  if (isa<memref::LoadOp, affine::AffineLoadOp, vector::LoadOp, LLVM::LoadOp>(
          op))
    return unknown("a subscript is loaded from memory");
  if (isa<LoopLikeOpInterface>(op))
    return unknown("a subscript is the result of a loop");
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return unknown("index arithmetic leaves 64 bits");
  return unknown("a subscript is the result of '" +
                 op->getName().getStringRef() + "'");
}

unsigned AccessResolver::parameter(Value value, std::string name,
                                   bool isUnsigned) {
  unsigned number = result.table.addParameter(
      std::move(name), value, isUnsigned ? getBits(value.getType()) : 0);
  if (value)
    result.variableNumbers.try_emplace(value, number);
  return number;
}

std::optional<Polynomial> AccessResolver::computeOpaque(unsigned variable) {
  const Atom atom = result.values.getAtom(variable);
  bool isUnsigned = atom.kind == Atom::Kind::Unsigned;
  if (auto argument = dyn_cast<BlockArgument>(atom.value))
    return computeArgument(argument, variable);
  Operation *op = atom.value.getDefiningOp();
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (std::optional<int64_t> index = dim.getConstantIndex())
      if (std::optional<ResolvedView> view = resolveView(dim.getSource()))
        return extent(dim.getSource(), *index, view->name);
  // Where an array lies is a parameter like any other.
  if (auto pointer = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
    if (std::optional<ResolvedView> view = resolveView(pointer.getSource()))
      return Polynomial::variable(
          parameter(atom.value, "&" + view->name, isUnsigned));
  if (isa<arith::SelectOp, scf::IfOp>(op) && variesOverThreads(op))
    return unknownResult(op);
  std::optional<Polynomial> definition = result.values.define(variable);
  if (!definition)
    return unknownResult(op);
  Result value = translate(*definition);
  // Choices between choices multiply out.
  if (value && value->getTerms().size() > maxTerms)
    return unknown("index arithmetic has too many terms");
  return value;
}

/// Whether the threads of a block, or the iterations that they share, choose
/// differently.
bool AccessResolver::variesOverThreads(Operation *choice) {
  Guard guard;
  collect(choice->getOperand(0), guard);
  return !guard.complete ||
         llvm::any_of(guard.comparisons, [&](const Comparison &comparison) {
           return result.table.dependsOnThread(comparison.left) ||
                  result.table.dependsOnAny(
                      comparison.left, [&](unsigned number) {
                        return llvm::is_contained(collective, number);
                      });
         });
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
AccessResolver::computeArgument(BlockArgument argument, unsigned variable) {
  Operation *owner = argument.getOwner()->getParentOp();
  bool isUnsigned =
      result.values.getAtom(variable).kind == Atom::Kind::Unsigned;
  if (owner == kernel && argument.getOwner()->isEntryBlock())
    return Polynomial::variable(
        parameter(argument, nameOf(argument), isUnsigned));
  if (std::optional<LoopBounds> bounds = boundsOf(argument))
    if (bounds->isUnsigned == isUnsigned)
      return computeLoop(argument, *bounds);
  // A value that grows steadily, an iterator that is read with another sign.
  if (std::optional<Polynomial> definition = result.values.define(variable))
    return translate(*definition);
  return unknown("a subscript is carried around a loop");
}

std::optional<LoopBounds> AccessResolver::boundsOf(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  auto affineBounds = [&](AffineMap map, ValueRange operands) {
    SmallVector<Polynomial> bounds = result.values.get(map, operands);
    return std::vector<Polynomial>(bounds.begin(), bounds.end());
  };
  if (auto loop = dyn_cast<affine::AffineForOp>(owner);
      loop && loop.getInductionVar() == argument)
    return LoopBounds{
        affineBounds(loop.getLowerBoundMap(), loop.getLowerBoundOperands()),
        affineBounds(loop.getUpperBoundMap(), loop.getUpperBoundOperands()),
        loop.getStepAsInt(), false};
  if (auto loop = dyn_cast<affine::AffineParallelOp>(owner)) {
    unsigned dim = argument.getArgNumber();
    return LoopBounds{
        affineBounds(loop.getLowerBoundMap(dim), loop.getLowerBoundsOperands()),
        affineBounds(loop.getUpperBoundMap(dim), loop.getUpperBoundsOperands()),
        loop.getSteps()[dim], false};
  }
  if (auto loop = dyn_cast<scf::ForOp>(owner);
      loop && loop.getInductionVar() == argument) {
    bool isUnsigned = loop.getUnsignedCmp();
    auto bound = [&](Value value) {
      return result.values.getExact(value, isUnsigned).value;
    };
    return LoopBounds{{bound(loop.getLowerBound())},
                      {bound(loop.getUpperBound())},
                      bound(loop.getStep()),
                      isUnsigned};
  }
  return std::nullopt;
}

std::optional<Polynomial>
AccessResolver::computeLoop(Value iterator, const LoopBounds &bounds) {
  Result step = translate(bounds.step);
  if (!step)
    return unknown("a loop's increment is not known: " + reason);
  // All of the bounds or none: without one of them a loop is longer.
  auto translateAll = [&](ArrayRef<Polynomial> polynomials) {
    std::string saved = reason;
    std::vector<Polynomial> translated;
    for (const Polynomial &polynomial : polynomials)
      if (Result bound = translate(polynomial))
        translated.push_back(*bound);
    reason = saved;
    if (translated.size() != polynomials.size())
      translated.clear();
    return translated;
  };
  std::vector<Polynomial> lower = translateAll(bounds.lower);
  std::vector<Polynomial> upper = translateAll(bounds.upper);
  unsigned count = 0;
  for (unsigned number = 0; number < result.table.size(); ++number)
    count += result.table[number].kind == Variable::Kind::Loop;
  unsigned number = result.table.addLoop(
      "i" + std::to_string(count), std::move(lower), std::move(upper), *step,
      iterator, bounds.isUnsigned ? getBits(iterator.getType()) : 0);
  result.variableNumbers.try_emplace(iterator, number);
  return Polynomial::variable(number);
}

std::optional<unsigned> AccessResolver::loopVariable(Value iterator) {
  std::optional<LoopBounds> bounds = boundsOf(cast<BlockArgument>(iterator));
  if (!bounds || getBits(iterator.getType()) == 0)
    return std::nullopt;
  Result variable =
      translate(result.values.getExact(iterator, bounds->isUnsigned).value);
  return variable ? variable->getVariable() : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<Polynomial> AccessResolver::resolve(Value value) {
  if (getBits(value.getType()) == 0)
    return unknown("a subscript has more than 64 bits");
  return translate(result.values.getExact(value, false).value);
}

std::optional<Comparison> AccessResolver::resolve(const Conjunct &conjunct) {
  using Predicate = arith::CmpIPredicate;
  using Relation = Comparison::Relation;
  if (getBits(conjunct.left.getType()) == 0)
    return std::nullopt;
  Result difference = translate(result.values.getDifference(
      conjunct.predicate, conjunct.left, conjunct.right));
  if (!difference)
    return std::nullopt;
  switch (conjunct.predicate) {
  case Predicate::eq:
    return Comparison{*difference, Relation::Equal};
  case Predicate::ne:
    return Comparison{*difference, Relation::NotEqual};
  case Predicate::slt:
  case Predicate::ult:
    return Comparison{*difference, Relation::Less};
  case Predicate::sle:
  case Predicate::ule:
    return Comparison{*difference, Relation::LessEqual};
  case Predicate::sgt:
  case Predicate::ugt:
    return Comparison{-*difference, Relation::Less};
  case Predicate::sge:
  case Predicate::uge:
    return Comparison{-*difference, Relation::LessEqual};
  }
  llvm_unreachable("unknown predicate");
}

/// The results of `map`; empty, with a reason, where one is not known.
std::vector<Polynomial> AccessResolver::resolveExact(AffineMap map,
                                                     ValueRange operands) {
  std::vector<Polynomial> results;
  for (const Polynomial &exact : result.values.get(map, operands)) {
    Result value = translate(exact);
    if (!value)
      return {};
    results.push_back(*value);
  }
  return results;
}

/// Whether the results of `map` are sums of multiples of its operands, so that
/// operands modulo 2^64 give results modulo 2^64.
static bool isLinear(AffineMap map) {
  bool linear = true;
  map.walkExprs([&](AffineExpr expr) {
    linear &= expr.getKind() != AffineExprKind::FloorDiv &&
              expr.getKind() != AffineExprKind::CeilDiv &&
              expr.getKind() != AffineExprKind::Mod;
  });
  return linear;
}

std::vector<Polynomial> AccessResolver::resolveAddress(AffineMap map,
                                                       ValueRange operands) {
  SmallVector<Polynomial> inputs;
  for (Value operand : operands)
    inputs.push_back(isLinear(map)
                         ? congruentOverArguments(operand, result.values)
                         : result.values.getExact(operand, false).value);
  std::vector<Polynomial> results;
  for (AffineExpr expr : map.getResults()) {
    Result value = translate(result.values.get(expr, map.getNumDims(), inputs));
    if (!value)
      return {};
    results.push_back(*value);
  }
  return results;
}

std::optional<Polynomial> AccessResolver::resolveAddress(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Polynomial(*constant);
  return translate(congruentOverArguments(cast<Value>(value), result.values));
}
