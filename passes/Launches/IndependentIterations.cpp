//===- IndependentIterations.cpp - loops whose order is free --------------===//
//
// That two iterations touch no common element is shown on a copy of the kernel
// that has the loops twice: the iterator of the second ones is the larger one.
//
//===----------------------------------------------------------------------===//

#include "passes/Launches/IndependentIterations.h"

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/Entailment.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Utils/Addresses.h"
#include "passes/Transforms/Utils/Aliasing.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

static bool isWrite(Operation *access) {
  return !hasSingleEffect<MemoryEffects::Read>(access);
}

/// What `op` does to memory must be known, and be done by iterations.
static std::optional<IterationOrder>
checkEffect(Operation *op, ArrayRef<LoopLikeOpInterface> loops) {
  if (isMemoryEffectFree(op) || op->getNumRegions() != 0 ||
      callsFunctionOfNumbers(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<memref::AllocaOp>(op))
    return std::nullopt;
  std::string name = "'" + op->getName().getStringRef().str() + "'";
  if (!getAccessedMemRef(op))
    return IterationOrder{
        {op->getLoc(), "the effects of " + name + " are not known"},
        /*mayBeFree=*/true};
  if (isWrite(op) && !loops.back()->isProperAncestor(op))
    return IterationOrder{
        {op->getLoc(), name + " stands outside of the iterations"}};
  return std::nullopt;
}

namespace {
/// The loops of a kernel, twice.
class TwoIterations {
public:
  TwoIterations(gpu::GPUFuncOp kernel, ArrayRef<LoopLikeOpInterface> loops);

  /// The accesses of which one may write what the other one accesses in another
  /// iteration; nothing where there are none.
  std::optional<IterationOrder> check();

private:
  std::optional<IterationOrder> checkPair(Operation *first, Operation *second);
  bool isOfIterators(Operation *access) const;
  bool areDistinct(const ElementAddress &first, const ElementAddress &second,
                   ArrayRef<unsigned> equal, unsigned larger,
                   ArrayRef<Polynomial> facts);

  /// From the original to the first loops.
  IRMapping toFirst;
  OwningOpRef<gpu::GPUFuncOp> kernel;
  IntegerValues values;
  /// The variables of the iterators, outermost first.
  SmallVector<unsigned> firstIterators, secondIterators;
  /// Of both.
  llvm::SmallDenseSet<Value> iterators;
  /// In all loops, and not.
  SmallVector<Operation *> firstAccesses, secondAccesses, accessesOutside;
};
} // namespace

TwoIterations::TwoIterations(gpu::GPUFuncOp original,
                             ArrayRef<LoopLikeOpInterface> loops)
    : kernel(cast<gpu::GPUFuncOp>(original->clone(toFirst))), values(*kernel) {
  Operation *last = loops.back();
  Operation *innermost = toFirst.lookup(last);
  Operation *top = (*kernel).getBody().findAncestorOpInRegion(*innermost);
  IRMapping toSecond;
  Operation *copy = top->clone(toSecond);
  top->getBlock()->getOperations().insertAfter(top->getIterator(), copy);
  for (LoopLikeOpInterface loop : loops) {
    auto variableOf = [&](Value iterator) {
      return *values.get(iterator).value.getVariable();
    };
    Value iterator = toFirst.lookup(*loop.getSingleInductionVar());
    Value later = toSecond.lookup(iterator);
    firstIterators.push_back(variableOf(iterator));
    secondIterators.push_back(variableOf(later));
    iterators.insert(iterator);
    iterators.insert(later);
  }
  Operation *innermostCopy = toSecond.lookup(innermost);
  (*kernel).getBody().walk([&](Operation *op) {
    if (!getAccessedMemRef(op))
      return;
    if (innermost->isAncestor(op))
      firstAccesses.push_back(op);
    else if (innermostCopy->isAncestor(op))
      secondAccesses.push_back(op);
    else
      accessesOutside.push_back(op);
  });
}

/// The facts, and each times each stride: rows below h of w elements are below
/// h * w.
static SmallVector<Polynomial> withProducts(ArrayRef<Polynomial> facts,
                                            ArrayRef<Polynomial> strides,
                                            const IntegerValues &values) {
  SmallVector<Polynomial> all(facts);
  for (const Polynomial &stride : strides)
    if (!stride.isConstant() &&
        provesNonNegative(facts, stride, [&](const Monomial &monomial) {
          return values.getRange(monomial);
        }))
      for (const Polynomial &fact : facts)
        all.push_back(fact * stride);
  return all;
}

/// Whether the accesses are to different elements in iterations that are at the
/// same ones of the loops `equal`, the second at a later one of `larger`.
bool TwoIterations::areDistinct(const ElementAddress &first,
                                const ElementAddress &second,
                                ArrayRef<unsigned> equal, unsigned larger,
                                ArrayRef<Polynomial> facts) {
  auto specialized = [&](Polynomial polynomial) {
    for (unsigned loop : equal)
      polynomial = polynomial.substitute(
          secondIterators[loop], Polynomial::variable(firstIterators[loop]));
    return polynomial;
  };
  SmallVector<Polynomial> known = llvm::map_to_vector(facts, specialized);
  known.push_back(Polynomial::variable(secondIterators[larger]) -
                  Polynomial::variable(firstIterators[larger]) - 1);
  SmallVector<Polynomial> strides(first.strides);
  llvm::append_range(strides, second.strides);
  Polynomial difference =
      specialized(second.offset) - specialized(first.offset);
  // Rows need not be dimensions of the view.
  strides.push_back(difference.getCofactor(secondIterators[larger]));
  return provesNonZero(difference, strides, known, values) ||
         provesNonZero(difference, strides,
                       withProducts(known, strides, values), values);
}

/// Whether two updates have the same effect in any order.
static bool doCommute(Operation *first, Operation *second) {
  auto left = dyn_cast<memref::AtomicRMWOp>(first);
  auto right = dyn_cast<memref::AtomicRMWOp>(second);
  return left && right && left.getKind() == right.getKind() &&
         left.getKind() != arith::AtomicRMWKind::assign &&
         isa<IntegerType>(left.getType()) && left->use_empty() &&
         right->use_empty();
}

/// Whether the place in its array that `access` touches is computed from
/// iterators and constants alone: its subscripts, and the sizes and strides of
/// the view that it goes through.
bool TwoIterations::isOfIterators(Operation *access) const {
  SmallVector<Value> left =
      llvm::filter_to_vector(access->getOperands(), [](Value operand) {
        return operand.getType().isIndex();
      });
  Value memref = getAccessedMemRef(access), root = memoryRoot(memref);
  left.push_back(memref);
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!left.empty()) {
    Value value = left.pop_back_val();
    if (value == root || iterators.contains(value))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || !isPure(op) || !isFunctionOfOperands(op))
      return false;
    if (seen.insert(op).second)
      llvm::append_range(left, op->getOperands());
  }
  return true;
}

std::optional<IterationOrder> TwoIterations::checkPair(Operation *first,
                                                       Operation *second) {
  if (!(isWrite(first) || isWrite(second)) || doCommute(first, second) ||
      !mayAlias(getAccessedMemRef(first), getAccessedMemRef(second)))
    return std::nullopt;
  IterationOrder order{{(isWrite(first) ? first : second)->getLoc(),
                        "an iteration may write what another one of the same "
                        "thread accesses"},
                       /*mayBeFree=*/memoryRoot(getAccessedMemRef(first)) !=
                               memoryRoot(getAccessedMemRef(second)) ||
                           !isOfIterators(first) || !isOfIterators(second)};
  std::optional<ElementAddress> left = getElementAddress(first, values);
  std::optional<ElementAddress> right = getElementAddress(second, values);
  if (!left || !right || left->root != right->root)
    return order;
  SmallVector<Polynomial> facts = collectFacts(first, values);
  llvm::append_range(facts, collectFacts(second, values));
  // Two iterations differ in a first one of the loops, in any order of these;
  // all pairs of accesses are asked, so which one is later does not matter.
  SmallVector<unsigned> loops =
      llvm::to_vector(llvm::seq<unsigned>(0, firstIterators.size()));
  do {
    if (llvm::all_of(llvm::seq<size_t>(0, loops.size()), [&](size_t depth) {
          return areDistinct(*left, *right, ArrayRef(loops).take_front(depth),
                             loops[depth], facts);
        }))
      return std::nullopt;
  } while (std::next_permutation(loops.begin(), loops.end()));
  return order;
}

std::optional<IterationOrder> TwoIterations::check() {
  for (Operation *first : firstAccesses) {
    for (Operation *second : secondAccesses)
      if (std::optional<IterationOrder> order = checkPair(first, second))
        return order;
    for (Operation *outside : accessesOutside)
      if (isWrite(first) &&
          mayAlias(getAccessedMemRef(first), getAccessedMemRef(outside)))
        return IterationOrder{
            {first->getLoc(),
             "an iteration may write what is read outside of the loops"}};
  }
  return std::nullopt;
}

std::optional<IterationOrder>
gpuopt::checkIterationsIndependent(gpu::GPUFuncOp kernel,
                                   ArrayRef<LoopLikeOpInterface> loops) {
  for (LoopLikeOpInterface loop : loops)
    if (!loop.getRegionIterArgs().empty())
      return IterationOrder{
          {loop.getLoc(), "iterations take a value from the ones before"}};
  std::optional<IterationOrder> order;
  kernel.getBody().walk([&](Operation *op) {
    order = checkEffect(op, loops);
    return order ? WalkResult::interrupt() : WalkResult::advance();
  });
  return order ? order : TwoIterations(kernel, loops).check();
}
