//===- GuardedLoops.cpp - loops that a guard keeps short ------------------===//

#include "passes/Transforms/Utils/GuardedLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace gpuopt;

/// More iterations than that are worth a question.
static constexpr int64_t kFewIterations = 4096;

//===----------------------------------------------------------------------===//
// What values depend on
//===----------------------------------------------------------------------===//

/// What arithmetic starts from: a value, or all ids of one kind and dimension.
using Origin = std::pair<const void *, unsigned>;
using Origins = llvm::SmallSet<Origin, 8>;

static void addOrigins(Value value, Origins &origins,
                       llvm::SmallPtrSetImpl<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || (op->getNumOperands() == 0 && op->getNumRegions() != 0)) {
    origins.insert({value.getAsOpaquePointer(), 0});
    return;
  }
  if (!seen.insert(op).second || op->hasTrait<OpTrait::ConstantLike>())
    return;
  if (auto dimension = op->getAttrOfType<gpu::DimensionAttr>("dimension"))
    origins.insert({op->getName().getAsOpaquePointer(),
                    1 + static_cast<unsigned>(dimension.getValue())});
  else
    origins.insert({value.getAsOpaquePointer(), 0});
  for (Value operand : op->getOperands())
    addOrigins(operand, origins, seen);
}

static Origins originsOf(ValueRange values) {
  Origins origins;
  llvm::SmallPtrSet<Operation *, 16> seen;
  for (Value value : values)
    addOrigins(value, origins, seen);
  return origins;
}

/// Whether some of `bounds` is computed from what `guard` is computed from,
/// too.
static bool shareOrigin(Value guard, ValueRange bounds) {
  Origins ofGuard = originsOf(guard);
  return llvm::any_of(originsOf(bounds), [&](const Origin &origin) {
    return ofGuard.contains(origin);
  });
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

namespace {
/// How often a loop runs: the least of the differences of its ends and starts.
struct Length {
  SmallVector<Polynomial> differences;
  SmallVector<Value> bounds;
};
} // namespace

static Length lengthOf(Operation *op, IntegerValues &values) {
  Length length;
  SmallVector<Polynomial> lower, upper;
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    lower = values.get(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    upper = values.get(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
    length.bounds = llvm::to_vector_of<Value>(loop.getControlOperands());
  } else {
    auto counted = cast<scf::ForOp>(op);
    bool isUnsigned = counted.getUnsignedCmp();
    lower.push_back(values.getExact(counted.getLowerBound(), isUnsigned).value);
    upper.push_back(values.getExact(counted.getUpperBound(), isUnsigned).value);
    length.bounds = {counted.getLowerBound(), counted.getUpperBound()};
  }
  for (const Polynomial &end : upper)
    for (const Polynomial &start : lower)
      length.differences.push_back(end - start);
  return length;
}

/// Whether `atom` is what arithmetic starts from, rather than arithmetic that
/// is not followed.
static bool isOrigin(const Atom &atom) {
  if (atom.kind == Atom::Kind::FloorDiv)
    return false;
  return !atom.value || isa<BlockArgument>(atom.value);
}

/// The terms that the comparison makes large where it holds: its margin.
static SmallVector<Polynomial> marginsOf(const Conjunct &conjunct,
                                         IntegerValues &values) {
  using Predicate = arith::CmpIPredicate;
  if (getBits(conjunct.left.getType()) <= 1)
    return {Polynomial::unknown()};
  Polynomial difference =
      values.getDifference(conjunct.predicate, conjunct.right, conjunct.left);
  switch (conjunct.predicate) {
  case Predicate::slt:
  case Predicate::ult:
  case Predicate::sle:
  case Predicate::ule:
    return {difference};
  case Predicate::sgt:
  case Predicate::ugt:
  case Predicate::sge:
  case Predicate::uge:
    return {-difference};
  case Predicate::eq:
    return {difference, -difference};
  case Predicate::ne:
    return {};
  }
  llvm_unreachable("all predicates are handled");
}

/// Whether `margin` >= 0 bounds a term of `difference` that is large otherwise.
static bool boundsTerm(const Polynomial &margin, const Polynomial &difference,
                       const IntegerValues &values) {
  if (margin.isUnknown() || difference.isUnknown())
    return true;
  return llvm::any_of(difference.getTerms(), [&](const auto &term) {
    const auto &[monomial, coefficient] = term;
    Interval range =
        values.getRange(monomial) * Interval{coefficient, coefficient};
    int64_t other = margin.getCoefficient(monomial);
    return !monomial.empty() && range.high > kFewIterations &&
           (coefficient > 0 ? other < 0 : other > 0);
  });
}

bool gpuopt::mayKeepShort(Condition guard, Operation *loop,
                          IntegerValues &values) {
  Length length = lengthOf(loop, values);
  Conjunction conjunction;
  takeApart(guard, conjunction);
  auto isKeptShort = [&](const Polynomial &difference) {
    if (!difference.isUnknown() &&
        values.getRange(difference).high <= kFewIterations)
      return false;
    bool isPlain =
        !difference.isUnknown() &&
        llvm::all_of(difference.getVariables(), [&](unsigned variable) {
          return isOrigin(values.getAtom(variable));
        });
    // What is not followed may depend on the guard in any way.
    if (!isPlain || !conjunction.others.empty())
      return shareOrigin(guard.value, length.bounds);
    return llvm::any_of(conjunction.conjuncts, [&](const Conjunct &conjunct) {
      return llvm::any_of(marginsOf(conjunct, values),
                          [&](const Polynomial &margin) {
                            return boundsTerm(margin, difference, values);
                          });
    });
  };
  return llvm::all_of(length.differences, isKeptShort);
}
