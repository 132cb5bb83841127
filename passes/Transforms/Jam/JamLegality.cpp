//===- JamLegality.cpp - dependences that forbid to jam a nest ------------===//

#include "passes/Transforms/Jam/JamLegality.h"

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/Entailment.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Transforms/Utils/Addresses.h"
#include "passes/Transforms/Utils/Aliasing.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gpuopt;

namespace {
using Accesses = SmallVector<Operation *>;
using Facts = SmallVector<Polynomial>;

class JamLegality {
public:
  JamLegality(gpu::GPUFuncOp kernel, const JamNest &nest);

  std::string check();

private:
  std::string checkPairs(const Accesses &moved, const Accesses &passed);
  bool areDistinct(Operation *moved, Operation *passed);
  bool areDistinct(const ElementAddress &moved, const ElementAddress &passed,
                   int64_t distance, const Facts &facts);
  Facts factsAt(int64_t distance);
  void addInnerRange(int64_t distance, Facts &facts);
  bool isFunctionOfIterators(const Polynomial &polynomial);
  std::string checkBounds();

  /// `polynomial` for the outer iteration `distance` behind.
  Polynomial shifted(const Polynomial &polynomial, int64_t distance) const {
    return polynomial.substitute(outer,
                                 Polynomial::variable(outer) + distance * step);
  }

  JamNest nest;
  IntegerValues values;
  /// The variables of the iterators.
  unsigned outer = 0, inner = 0;
  int64_t step;
  Polynomial lower, upper;
  /// What holds in every outer iteration.
  Facts outerFacts;
};
} // namespace

JamLegality::JamLegality(gpu::GPUFuncOp kernel, const JamNest &nest)
    : nest(nest), values(kernel), step(this->nest.outer.getStepAsInt()) {
  auto variableOf = [&](affine::AffineForOp loop) {
    return *values.get(loop.getInductionVar()).value.getVariable();
  };
  outer = variableOf(nest.outer);
  inner = variableOf(nest.inner);
  lower = values.get(nest.lower.map, nest.lower.operands).front();
  upper = values.get(nest.upper.map, nest.upper.operands).front();
  outerFacts = collectFacts(nest.inner, values);
}

/// What holds when iterations x and x + distance are in one block.
Facts JamLegality::factsAt(int64_t distance) {
  Facts facts = outerFacts;
  for (const Polynomial &fact : outerFacts)
    if (fact.contains(outer))
      facts.push_back(shifted(fact, distance));
  return facts;
}

/// Adds that the inner iterator is one of those of x + distance.
void JamLegality::addInnerRange(int64_t distance, Facts &facts) {
  Polynomial iterator = Polynomial::variable(inner);
  facts.push_back(iterator - shifted(lower, distance));
  facts.push_back(shifted(upper, distance) - iterator - 1);
}

/// Whether nothing but the iterators changes the value within the nest.
bool JamLegality::isFunctionOfIterators(const Polynomial &polynomial) {
  return !polynomial.containsAny([&](unsigned variable) {
    if (variable == outer || variable == inner)
      return false;
    const Atom &atom = values.getAtom(variable);
    if (atom.kind == Atom::Kind::FloorDiv)
      return atom.numerator.contains(outer) || atom.numerator.contains(inner) ||
             !isFunctionOfIterators(atom.numerator);
    return atom.value && !nest.outer.isDefinedOutsideOfLoop(atom.value);
  });
}

bool JamLegality::areDistinct(const ElementAddress &moved,
                              const ElementAddress &passed, int64_t distance,
                              const Facts &facts) {
  SmallVector<Polynomial> strides(moved.strides);
  llvm::append_range(strides, passed.strides);
  return provesNonZero(shifted(moved.offset, distance) - passed.offset, strides,
                       facts, values);
}

bool JamLegality::areDistinct(Operation *moved, Operation *passed) {
  if (!mayAlias(getAccessedMemRef(moved), getAccessedMemRef(passed)))
    return true;
  std::optional<ElementAddress> left = getElementAddress(moved, values);
  std::optional<ElementAddress> right = getElementAddress(passed, values);
  if (!left || !right || left->root != right->root ||
      !isFunctionOfIterators(left->offset) ||
      !isFunctionOfIterators(right->offset))
    return false;
  for (int64_t distance = 1; distance < nest.factor; ++distance) {
    Facts facts = factsAt(distance);
    if (nest.inner->isAncestor(moved)) {
      addInnerRange(distance, facts);
      // Heads are iterations of the one that moves only; common ones of both.
      if (nest.lower.shift == 0)
        addInnerRange(0, facts);
    } else if (nest.inner->isAncestor(passed)) {
      addInnerRange(0, facts);
    }
    if (!areDistinct(*left, *right, distance, facts))
      return false;
  }
  return true;
}

static bool isWrite(Operation *access) {
  return isa<affine::AffineWriteOpInterface, memref::StoreOp>(access);
}

std::string JamLegality::checkPairs(const Accesses &moved,
                                    const Accesses &passed) {
  for (Operation *left : moved)
    for (Operation *right : passed)
      if ((isWrite(left) || isWrite(right)) && !areDistinct(left, right))
        return (Twine("an outer iteration may ") +
                (isWrite(right) ? "write" : "read") + " what a later one " +
                (isWrite(left) ? "writes" : "reads"))
            .str();
  return {};
}

/// The heads must not reach beyond the loop's end, nor the rests start before
/// its begin.
std::string JamLegality::checkBounds() {
  if (nest.lower.shift == 0 && nest.upper.shift == 0)
    return {};
  Facts facts = factsAt(nest.factor - 1);
  Polynomial room =
      upper + nest.smallest(nest.upper) - lower - nest.largest(nest.lower);
  bool holds = provesNonNegative(facts, room, [&](const Monomial &monomial) {
    return values.getRange(monomial);
  });
  return holds ? std::string()
               : "the inner loop may have no iterations that all of the outer "
                 "ones have";
}

std::string JamLegality::check() {
  if (std::string reason = checkBounds(); !reason.empty())
    return reason;
  auto collect = [](ArrayRef<Operation *> operations) {
    Accesses accesses;
    for (Operation *op : operations)
      op->walk([&](Operation *nested) {
        if (getAccessedMemRef(nested))
          accesses.push_back(nested);
      });
    return accesses;
  };
  Accesses before = collect(nest.before), after = collect(nest.after);
  Accesses reduction = collect(nest.inner.getOperation());
  if (llvm::any_of(reduction, isWrite))
    return "the inner loop writes memory";
  if (std::string reason = checkPairs(before, reduction); !reason.empty())
    return reason;
  if (std::string reason = checkPairs(before, after); !reason.empty())
    return reason;
  return checkPairs(reduction, after);
}

std::string gpuopt::whyDependent(gpu::GPUFuncOp kernel, const JamNest &nest) {
  return JamLegality(kernel, nest).check();
}
