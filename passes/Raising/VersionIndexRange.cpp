//===- VersionIndexRange.cpp - a version whose indices cannot wrap --------===//
//
// Plans first: for each widening of narrow arithmetic that is not exact, bounds
// of the arithmetic over all work items and iterations, in parameters. Then
// copies the body into the `else` of a test of these bounds and computes the
// indices of the `then` version without wrapping.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Raising/IndexArithmetic.h"
#include "passes/Raising/IndexBuilder.h"
#include "passes/Raising/Passes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_VERSIONINDEXRANGE
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {

/// One factor of a product that bounds a term.
struct BoundedTerm {
  /// Polynomials over parameters; the bound is coefficient * their product.
  SmallVector<Polynomial> factors;
  int64_t coefficient = 1;
};

/// A widening whose operand equals its polynomial if the bounds hold.
struct WideningPlan {
  Operation *cast;
  /// How the operand is read.
  bool isUnsigned = false;
  Polynomial value;
  /// The sums of the positive and of the negated negative terms stay below.
  SmallVector<BoundedTerm> positive, negative;
  int64_t positiveLimit = 0, negativeLimit = 0;
};

/// Finds the indices that need a version, and what it is to test.
class IndexRangePlanner {
public:
  IndexRangePlanner(gpu::GPUFuncOp kernel, IntegerValues &values)
      : kernel(kernel), values(values) {}

  SmallVector<WideningPlan, 4> plan();

private:
  bool planWidening(Operation *cast, WideningPlan &plan);
  bool isComputable(const Polynomial &bound);
  std::optional<Polynomial> getUpperBound(unsigned variable,
                                          ArrayRef<Polynomial> facts,
                                          unsigned depth = 4);
  std::optional<Polynomial> getUpperBound(const Polynomial &value,
                                          ArrayRef<Polynomial> facts,
                                          unsigned depth);

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
};

class VersionIndexRangePass
    : public gpuopt::impl::VersionIndexRangeBase<VersionIndexRangePass> {
public:
  using Base::Base;
  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// A polynomial over parameters that the variable never exceeds: the number of
/// work items for an id, else what a guard or loop around says.
std::optional<Polynomial>
IndexRangePlanner::getUpperBound(unsigned variable, ArrayRef<Polynomial> facts,
                                 unsigned depth) {
  Polynomial self = Polynomial::variable(variable);
  if (values.getAtom(variable).isParameter)
    return self;
  if (depth == 0)
    return std::nullopt;
  for (const Polynomial &fact : facts) {
    Polynomial bound = fact + self;
    if (fact.getCoefficient({variable}) != -1 || bound.contains(variable))
      continue;
    if (std::optional<Polynomial> result =
            getUpperBound(bound, facts, depth - 1))
      return result;
  }
  // Copied: a new id may move the atoms.
  Atom atom = values.getAtom(variable);
  if (atom.kind == Atom::Kind::GlobalId)
    return values.getId(Atom::Kind::GlobalSize, atom.dimension) - 1;
  if (atom.kind == Atom::Kind::ThreadId)
    return values.getId(Atom::Kind::BlockDim, atom.dimension) - 1;
  if (atom.kind == Atom::Kind::BlockId)
    return values.getId(Atom::Kind::GridDim, atom.dimension) - 1;
  if (atom.range.high <= std::numeric_limits<int32_t>::max())
    return Polynomial(atom.range.high);
  return std::nullopt;
}

/// The same for a sum of parameters and of multiples of variables.
std::optional<Polynomial>
IndexRangePlanner::getUpperBound(const Polynomial &value,
                                 ArrayRef<Polynomial> facts, unsigned depth) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : value.getTerms()) {
    if (values.isParameter(monomial)) {
      result += Polynomial::term(monomial, coefficient);
      continue;
    }
    if (monomial.size() != 1)
      return std::nullopt;
    if (coefficient < 0) {
      // What is subtracted is at least its least value.
      int64_t low = values.getAtom(monomial.front()).range.low;
      if (low == Interval::minusInfinity)
        return std::nullopt;
      result += Polynomial(coefficient) * Polynomial(low);
      continue;
    }
    std::optional<Polynomial> bound =
        getUpperBound(monomial.front(), facts, depth);
    if (!bound)
      return std::nullopt;
    result += Polynomial(coefficient) * *bound;
  }
  return result;
}

/// True where 64-bit arithmetic gives the polynomial's value, or else something
/// that is, read as unsigned, larger than any limit: `w - 1` for 0.
bool IndexRangePlanner::isComputable(const Polynomial &bound) {
  if (values.getRange(bound).isFinite())
    return true;
  int64_t constant = bound.getConstantTerm();
  return constant <= 0 && constant > -(int64_t(1) << 31) &&
         (bound - constant).getVariable().has_value();
}

bool IndexRangePlanner::planWidening(Operation *cast, WideningPlan &plan) {
  bool isUnsigned = isa<arith::ExtUIOp, arith::IndexCastUIOp>(cast);
  Value operand = cast->getOperand(0);
  unsigned bits = getBits(operand.getType());
  Operation *source = operand.getDefiningOp();
  if (bits < 32 || bits >= 64 || !source ||
      !isa<arith::AddIOp, arith::MulIOp, arith::SubIOp, arith::ShLIOp>(source))
    return false;
  IntegerValue value = values.get(operand);
  if (isUnsigned ? value.isUnsigned : value.isSigned)
    return false;
  plan.cast = cast;
  plan.isUnsigned = isUnsigned;
  plan.value = value.value;
  plan.negativeLimit = int64_t(1) << (bits - 1);
  plan.positiveLimit = (int64_t(1) << (isUnsigned ? bits : bits - 1)) - 1;

  SmallVector<Polynomial> facts = collectFacts(cast, values);
  bool hasNegative = false;
  for (const auto &[monomial, coefficient] : value.value.getTerms()) {
    BoundedTerm term;
    term.coefficient = std::abs(coefficient);
    for (unsigned factor : monomial) {
      // Negative variables would turn bounds around. Parameters are tested.
      if (!values.getAtom(factor).isParameter &&
          values.getAtom(factor).range.low < 0)
        return false;
      std::optional<Polynomial> bound = getUpperBound(factor, facts);
      if (!bound || !isComputable(*bound))
        return false;
      term.factors.push_back(*bound);
    }
    hasNegative |= coefficient < 0;
    (coefficient < 0 ? plan.negative : plan.positive).push_back(term);
  }
  return !isUnsigned || !hasNegative ||
         provesNonNegative(cast, value.value, values);
}

SmallVector<WideningPlan, 4> IndexRangePlanner::plan() {
  SmallVector<WideningPlan, 4> plans;
  kernel.walk([&](Operation *op) {
    WideningPlan widening;
    if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp,
            arith::IndexCastUIOp>(op) &&
        getBits(op->getOperand(0).getType()) != 0 && planWidening(op, widening))
      plans.push_back(std::move(widening));
  });
  return plans;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Builds the test, a conjunction, at the builder's position.
class TestBuilder {
public:
  TestBuilder(OpBuilder &builder, Location loc, IndexBuilder &indices)
      : builder(builder), loc(loc), indices(indices) {}

  /// sum of the terms <= limit, with no step that overflows 64 bits: factors
  /// are in [0, limit], so is each product before the next factor comes.
  void addSum(ArrayRef<BoundedTerm> terms, int64_t limit) {
    Value sum;
    for (const BoundedTerm &term : terms) {
      if (term.coefficient > limit)
        return fail();
      Value product = constant(term.coefficient);
      for (const Polynomial &factor : term.factors) {
        Value bound = indices.build(builder, loc, factor, /*isExact=*/false);
        require(arith::CmpIPredicate::ule, bound, constant(limit));
        product = arith::MulIOp::create(builder, loc, product, bound);
        require(arith::CmpIPredicate::ule, product, constant(limit));
      }
      sum = sum ? arith::AddIOp::create(builder, loc, sum, product).getResult()
                : product;
    }
    if (terms.size() > 1)
      require(arith::CmpIPredicate::ule, sum, constant(limit));
  }

  Value getResult() { return result; }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  void fail() { result = arith::ConstantIntOp::create(builder, loc, 0, 1); }
  void require(arith::CmpIPredicate predicate, Value left, Value right) {
    Value test = arith::CmpIOp::create(builder, loc, predicate, left, right);
    result = result
                 ? arith::AndIOp::create(builder, loc, result, test).getResult()
                 : test;
  }

  OpBuilder &builder;
  Location loc;
  IndexBuilder &indices;
  Value result;
};

} // namespace

/// Moves what cannot run before the test into the `then` region of a new
/// conditional and a copy of it into `else`.
static scf::IfOp versionBody(gpu::GPUFuncOp kernel, OpBuilder &builder,
                             Value test) {
  Block &body = kernel.getBody().front();
  auto conditional = scf::IfOp::create(builder, kernel.getLoc(), test,
                                       /*withElseRegion=*/true);
  SmallVector<Operation *> moved;
  for (Operation &op : llvm::make_range(std::next(conditional->getIterator()),
                                        std::prev(body.end())))
    moved.push_back(&op);
  OpBuilder copies = OpBuilder::atBlockBegin(conditional.elseBlock());
  IRMapping mapping;
  for (Operation *op : moved)
    copies.clone(*op, mapping);
  for (Operation *op : moved)
    op->moveBefore(conditional.thenBlock()->getTerminator());
  return conditional;
}

/// The first operation of the body that has to be in the versions: one with
/// regions or effects. Pure ones before it serve both.
static Operation *findFirstEffect(gpu::GPUFuncOp kernel) {
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (op.getNumRegions() != 0 || !isPure(&op))
      return &op;
  return nullptr;
}

/// An affine operation with an operand that the versions would enclose: only
/// there, at the top level, is it a symbol. Ids and parameters come before.
static Operation *findLostSymbol(gpu::GPUFuncOp kernel, Operation *first) {
  auto isLost = [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    return definition && operand.getType().isIndex() &&
           definition->getBlock() == first->getBlock() &&
           !definition->isBeforeInBlock(first) &&
           !definition->hasTrait<OpTrait::ConstantLike>() &&
           !isa<affine::AffineApplyOp>(definition);
  };
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    if (!isa<affine::AffineDialect>(op->getDialect()) ||
        llvm::none_of(op->getOperands(), isLost))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

namespace {
/// Makes comparisons of values that are exact in the version from what they are
/// equal to there.
class ComparisonRaiser {
public:
  ComparisonRaiser(IntegerValues &values, IndexBuilder &indices,
                   ArrayRef<WideningPlan> plans)
      : values(values), indices(indices) {
    for (const WideningPlan &plan : plans)
      exact[plan.isUnsigned].insert({plan.cast->getOperand(0), plan.value});
  }

  void run(scf::IfOp versions);

private:
  std::optional<Polynomial> valueOf(Value value, bool isUnsigned);
  Value raise(Operation *op, OpBuilder &builder);

  IntegerValues &values;
  IndexBuilder &indices;
  /// Of values read as signed and as unsigned.
  std::array<DenseMap<Value, Polynomial>, 2> exact;
};
} // namespace

/// The exact value of `value` in the version; that of a planned value, or of
/// what is the same for all threads.
std::optional<Polynomial> ComparisonRaiser::valueOf(Value value,
                                                    bool isUnsigned) {
  auto known = exact[isUnsigned].find(value);
  if (known != exact[isUnsigned].end())
    return known->second;
  Polynomial polynomial = values.getExact(value, isUnsigned).value;
  if (polynomial.isUnknown() || !values.isParameter(polynomial))
    return std::nullopt;
  return polynomial;
}

/// The comparison in terms of indices; null where `op` is none of those.
Value ComparisonRaiser::raise(Operation *op, OpBuilder &builder) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return {};
  arith::CmpIPredicate predicate = compare.getPredicate();
  bool isUnsigned = gpuopt::isUnsigned(predicate);
  bool isPlanned = exact[isUnsigned].contains(compare.getLhs()) ||
                   exact[isUnsigned].contains(compare.getRhs());
  std::optional<Polynomial> left = valueOf(compare.getLhs(), isUnsigned);
  std::optional<Polynomial> right = valueOf(compare.getRhs(), isUnsigned);
  if (!isPlanned || !left || !right)
    return {};
  Location loc = op->getLoc();
  return arith::CmpIOp::create(builder, loc, toSigned(predicate),
                               indices.build(builder, loc, *left, true),
                               indices.build(builder, loc, *right, true));
}

void ComparisonRaiser::run(scf::IfOp versions) {
  // Those in front of the versions serve both: the first one gets its own, and
  // its own of what is made of them.
  OpBuilder before(versions);
  IRMapping map;
  SmallVector<Operation *> shared;
  for (Operation &op :
       llvm::make_range(versions->getBlock()->begin(), versions->getIterator()))
    shared.push_back(&op);
  for (Operation *op : shared) {
    if (op->getNumResults() != 1 || !op->getResult(0).getType().isInteger(1))
      continue;
    if (Value raised = raise(op, before))
      map.map(op->getResult(0), raised);
    else if (isPure(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
               return map.contains(operand);
             }))
      before.clone(*op, map);
  }
  versions.getThenRegion().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(map.lookupOrDefault(operand.get()));
    OpBuilder inside(op);
    if (Value raised = raise(op, inside))
      op->replaceAllUsesWith(ValueRange(raised));
  });
}

void VersionIndexRangePass::runOnOperation() {
  gpu::GPUFuncOp kernel = getOperation();
  Operation *first = findFirstEffect(kernel);
  if (!first || !kernel.getBody().hasOneBlock())
    return;
  sinkArithmetic(kernel);
  IntegerValues values(kernel);
  SmallVector<WideningPlan, 4> plans = IndexRangePlanner(kernel, values).plan();
  llvm::erase_if(plans, [&](const WideningPlan &plan) {
    Operation *top = kernel.getBody().front().findAncestorOpInBlock(*plan.cast);
    return top->isBeforeInBlock(first);
  });
  if (plans.empty())
    return;
  if (Operation *user = findLostSymbol(kernel, first)) {
    sayMissed(RemarkCode::IndexNotVersioned, kernel, user->getLoc());
    return;
  }

  IndexBuilder indices(kernel, values);
  OpBuilder builder(first);
  TestBuilder test(builder, kernel.getLoc(), indices);
  for (const WideningPlan &plan : plans) {
    test.addSum(plan.positive, plan.positiveLimit);
    test.addSum(plan.negative, plan.negativeLimit);
  }
  if (!test.getResult())
    return;
  scf::IfOp conditional = versionBody(kernel, builder, test.getResult());
  conditional->setDiscardableAttr(kIndexRangeVersionAttrName,
                                  builder.getUnitAttr());
  ComparisonRaiser(values, indices, plans).run(conditional);
  for (const WideningPlan &plan : plans) {
    OpBuilder inner(plan.cast);
    Value result = plan.cast->getResult(0);
    Value value =
        indices.build(inner, plan.cast->getLoc(), plan.value, /*isExact=*/true);
    if (!result.getType().isIndex())
      value = arith::IndexCastOp::create(inner, plan.cast->getLoc(),
                                         result.getType(), value);
    result.replaceAllUsesWith(value);
    sayPassed(RemarkCode::IndexVersioned, kernel, plan.cast->getLoc(),
              {{"index", values.str(plan.value)}});
    ++numIndices;
  }
  eraseDeadOperations(kernel);
}
