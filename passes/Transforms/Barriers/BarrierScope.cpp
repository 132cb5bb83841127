//===- BarrierScope.cpp - who has to wait at a barrier --------------------===//

#include "passes/Transforms/Barriers/BarrierScope.h"

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/Evaluation.h"
#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Transforms/Utils/Aliasing.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace mlir;
using namespace gpuopt;

/// What stands for several threads or subgroups.
static constexpr int64_t kSeveral = -1;
/// Addresses of one kernel that are computed.
static constexpr int64_t kMostSteps = 1 << 18;

BarrierScopes::BarrierScopes(gpu::GPUFuncOp kernel, const BlockShape &shape,
                             int64_t subgroup)
    : block(shape), subgroupSize(subgroup), functions(kernel),
      steps(kMostSteps) {}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether `op` is nothing to other threads of the block.
static bool concernsNobody(Operation *op) {
  return isMemoryEffectFree(op) || touchesNoMemory(op) ||
         isSubgroupBarrier(op) || isa<LLVM::AssumeOp, memref::AllocaOp>(op);
}

/// Whether other blocks may take part in what `op` does.
static bool isOrdered(Operation *op) {
  auto isOrderedAccess = [](auto access) {
    return access.getVolatile_() ||
           access.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return isOrderedAccess(load);
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store && isOrderedAccess(store);
}

/// Whether `op` goes on behind the next one, or is done by several threads:
/// whoever made it has put barriers where they have to be.
static bool isUnderWay(Operation *op) {
  return isa_and_nonnull<nvgpu::NVGPUDialect, NVVM::NVVMDialect>(
             op->getDialect()) ||
         isa<MatrixDescriptorOp, WarpgroupProductOp>(op);
}

llvm::ArrayRef<AccessFunction> BarrierScopes::accessesOf(Operation *op) const {
  const AccessFunction *first = functions.lookup(op), *end = first;
  if (!first)
    return {};
  while (end != functions.accesses().end() && end->op == op)
    ++end;
  return {first, end};
}

/// Whether `access` is to memory of one thread, or to what nothing writes.
static bool isOfNobodyElse(const AccessFunction &access) {
  return access.space == MemorySpace::Private ||
         access.space == MemorySpace::Constant ||
         (access.base && access.base.getDefiningOp<memref::AllocaOp>());
}

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

/// Whether `polynomial` follows from the thread's ids and `freeLoops`.
bool BarrierScopes::isComputable(const Polynomial &polynomial,
                                 ArrayRef<unsigned> freeLoops) const {
  return followsFromThread(
      polynomial, functions.variables(),
      [&](unsigned loop) { return llvm::is_contained(freeLoops, loop); });
}

static bool isComplete(const Guard &guard,
                       llvm::function_ref<bool(const Polynomial &)> isKnown) {
  return guard.complete &&
         llvm::all_of(guard.comparisons, [&](const Comparison &comparison) {
           return isKnown(comparison.left);
         });
}

namespace {
/// A loop of which each thread is taken to run all iterations that it may.
struct FreeLoop {
  unsigned iterator;
  /// The loop ends at the least of these, if not before.
  std::vector<Polynomial> ends;
};
} // namespace

/// The loops of `iterators` that `needed` depends on, outer ones first, and all
/// that their bounds depend on added to it. Ends that are not known do not
/// count: without them there are at most more iterations.
static SmallVector<FreeLoop>
addLoops(std::vector<Polynomial> &needed, ArrayRef<unsigned> iterators,
         const VariableTable &variables,
         llvm::function_ref<bool(const Polynomial &)> isKnown) {
  SmallVector<FreeLoop> loops;
  // Bounds refer to loops further out.
  for (unsigned iterator : llvm::reverse(iterators)) {
    if (!dependenciesOf(needed, variables).test(iterator))
      continue;
    const Variable &variable = variables[iterator];
    FreeLoop loop{iterator, {}};
    llvm::copy_if(variable.upperBounds, std::back_inserter(loop.ends), isKnown);
    llvm::append_range(needed, variable.lowerBounds);
    llvm::append_range(needed, loop.ends);
    needed.push_back(variable.step);
    loops.insert(loops.begin(), std::move(loop));
  }
  return loops;
}

/// How many iterations `loop` has at most for the thread of `evaluation`.
static std::optional<int64_t> countIterations(const FreeLoop &loop,
                                              const Evaluation &evaluation,
                                              const VariableTable &variables) {
  const Variable &variable = variables[loop.iterator];
  auto extreme = [&](ArrayRef<Polynomial> bounds,
                     auto combine) -> std::optional<int64_t> {
    std::optional<int64_t> found;
    for (const Polynomial &bound : bounds) {
      std::optional<int64_t> value = evaluation.evaluate(bound);
      if (!value)
        return std::nullopt;
      found = found ? combine(*found, *value) : *value;
    }
    return found;
  };
  auto larger = [](int64_t a, int64_t b) { return std::max(a, b); };
  auto smaller = [](int64_t a, int64_t b) { return std::min(a, b); };
  std::optional<int64_t> begin = extreme(variable.lowerBounds, larger);
  std::optional<int64_t> end = extreme(loop.ends, smaller);
  std::optional<int64_t> step = evaluation.evaluate(variable.step);
  if (!begin || !end || !step || *step <= 0)
    return std::nullopt;
  return *end <= *begin ? 0 : llvm::divideCeilSigned(*end - *begin, *step);
}

/// Calls `visit` in each iteration of `loops` for the thread of `evaluation`.
/// False where one of them has no known number of iterations, or `visit`
/// returns it.
static bool visitIterations(Evaluation &evaluation, ArrayRef<FreeLoop> loops,
                            const VariableTable &variables,
                            llvm::function_ref<bool()> visit) {
  evaluation.update();
  if (loops.empty())
    return visit();
  const FreeLoop &loop = loops.front();
  std::optional<int64_t> trips = countIterations(loop, evaluation, variables);
  if (!trips)
    return false;
  for (int64_t trip = 0; trip < *trips; ++trip) {
    evaluation.setIteration(loop.iterator, trip);
    if (!visitIterations(evaluation, loops.drop_front(), variables, visit))
      return false;
  }
  evaluation.setIteration(loop.iterator, 0);
  return true;
}

bool BarrierScopes::add(const AccessFunction &access, int64_t first,
                        int64_t thread, Footprint &footprint) const {
  int64_t bytes = access.elementBytes;
  if (first % bytes != 0 || access.accessBytes % bytes != 0)
    return false;
  int64_t subgroup = thread / subgroupSize;
  for (int64_t element = first / bytes;
       element < (first + access.accessBytes) / bytes; ++element) {
    auto [entry, isNew] =
        footprint.accessors.insert({element, Accessors{thread, subgroup}});
    Accessors &known = entry->second;
    if (known.thread != thread)
      known.thread = kSeveral;
    if (known.subgroup != subgroup)
      known.subgroup = kSeveral;
  }
  return true;
}

/// Adds what each thread accesses, `own` being its part of the address. False
/// where that is not known.
bool BarrierScopes::enumerate(const AccessFunction &access,
                              const Polynomial &own,
                              ArrayRef<unsigned> freeLoops,
                              Footprint &footprint) {
  auto isKnown = [&](const Polynomial &polynomial) {
    return isComputable(polynomial, freeLoops);
  };
  // Without the other guards it is at most more elements.
  std::vector<Guard> guards;
  for (const Guard &guard : access.guards)
    if (isComplete(guard, isKnown))
      guards.push_back(guard);
  std::vector<Polynomial> needed = {own};
  for (const Guard &guard : guards)
    for (const Comparison &comparison : guard.comparisons)
      needed.push_back(comparison.left);
  const VariableTable &variables = functions.variables();
  SmallVector<FreeLoop> loops = addLoops(needed, freeLoops, variables, isKnown);
  if (!llvm::all_of(needed, isKnown))
    return false;

  Evaluation evaluation(variables, block, {}, needed);
  FlatPolynomial address(own);
  for (int64_t thread = 0; thread < llvm::product_of(block); ++thread) {
    auto addFirst = [&] {
      std::optional<int64_t> first = evaluation.evaluate(address);
      std::optional<bool> isActive = evaluation.hold(guards);
      return first && isActive && --steps >= 0 &&
             (!*isActive || add(access, *first, thread, footprint));
    };
    evaluation.setThread(thread);
    if (!visitIterations(evaluation, loops, variables, addFirst))
      return false;
  }
  return true;
}

std::optional<BarrierScopes::Footprint>
BarrierScopes::computeFootprint(const AccessFunction &access,
                                unsigned sameLoops) {
  if (!access.isResolved() || !access.collective.empty() ||
      access.address.isUnknown() || access.elementBytes <= 0)
    return std::nullopt;
  SmallVector<unsigned> freeLoops;
  for (int loop : ArrayRef(access.loops).drop_front(sameLoops))
    if (loop >= 0)
      freeLoops.push_back(loop);
  const VariableTable &variables = functions.variables();
  auto isOwn = [&](const Monomial &monomial) {
    llvm::BitVector needed =
        dependenciesOf(Polynomial::term(monomial, 1), variables);
    return llvm::any_of(needed.set_bits(), [&](unsigned number) {
      return variables.isThreadId(number) ||
             llvm::is_contained(freeLoops, number);
    });
  };
  Footprint footprint;
  Polynomial own;
  std::tie(own, footprint.common) = access.address.partition(isOwn);
  if (!enumerate(access, own, freeLoops, footprint))
    return std::nullopt;
  return footprint;
}

const std::optional<BarrierScopes::Footprint> &
BarrierScopes::footprintOf(const AccessFunction &access, unsigned sameLoops) {
  auto [entry, isNew] = footprints.try_emplace({&access, sameLoops});
  if (isNew)
    entry->second = computeFootprint(access, sameLoops);
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Who accesses the same elements of both; nothing where it is not known which
/// are the same.
std::optional<BarrierScope> BarrierScopes::meet(const Footprint &before,
                                                const Footprint &behind,
                                                int64_t elementBytes) {
  std::optional<int64_t> shift = (behind.common - before.common).getConstant();
  if (!shift || *shift % elementBytes != 0)
    return std::nullopt;
  auto scope = BarrierScope::Nobody;
  for (const auto &[element, late] : behind.accessors) {
    auto entry = before.accessors.find(element + *shift / elementBytes);
    if (entry == before.accessors.end())
      continue;
    const Accessors &early = entry->second;
    if (late.subgroup == kSeveral || early.subgroup != late.subgroup)
      return BarrierScope::Workgroup;
    if (late.thread == kSeveral || early.thread != late.thread)
      scope = BarrierScope::Subgroup;
  }
  return scope;
}

BarrierScopes::Result BarrierScopes::compare(const AccessFunction &before,
                                             const AccessFunction &behind,
                                             unsigned sameLoops) {
  if (isOfNobodyElse(before) || isOfNobodyElse(behind) ||
      (before.kind == AccessKind::Load && behind.kind == AccessKind::Load))
    return {};
  bool areGlobal = before.space == MemorySpace::Global &&
                   behind.space == MemorySpace::Global;
  bool isUpdate =
      before.kind == AccessKind::Atomic || behind.kind == AccessKind::Atomic;
  if (areGlobal && isUpdate)
    return {BarrierScope::Workgroup,
            "other blocks may wait for what it orders"};
  if (!before.base || !behind.base ||
      (before.base != behind.base && mayAlias(before.base, behind.base)))
    return {BarrierScope::Workgroup,
            "'" + before.array + "' and '" + behind.array + "' may overlap"};
  if (before.base != behind.base)
    return {};
  const auto &early = footprintOf(before, sameLoops);
  const auto &late = footprintOf(behind, sameLoops);
  std::optional<BarrierScope> scope;
  if (early && late && before.elementBytes == behind.elementBytes)
    scope = meet(*early, *late, before.elementBytes);
  if (!scope)
    return {BarrierScope::Workgroup,
            "which elements of '" + before.array +
                "' the threads access is not known for each"};
  return {*scope};
}

/// How many loops around `op` and `barrier` are in the same iteration for both.
static unsigned countSameLoops(Operation *op, Operation *barrier,
                               const Neighbour &before,
                               const Neighbour &behind) {
  unsigned same = 0;
  for (Operation *parent = barrier->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (isa<LoopLikeOpInterface>(parent) && parent->isAncestor(op))
      ++same;
    // What is inside of it is in another iteration, too.
    if (parent == before.otherIteration || parent == behind.otherIteration)
      same = 0;
  }
  return same;
}

/// The one for which more threads wait; of two alike, the one that is known.
static BarrierScopes::Result widest(BarrierScopes::Result left,
                                    BarrierScopes::Result right) {
  bool isLeft = left.scope == right.scope ? left.unknown.empty()
                                          : left.scope > right.scope;
  return isLeft ? left : right;
}

BarrierScopes::Result BarrierScopes::compare(const Neighbour &before,
                                             const Neighbour &behind,
                                             gpu::BarrierOp barrier) {
  unsigned same = std::min(countSameLoops(before.op, barrier, before, behind),
                           countSameLoops(behind.op, barrier, before, behind));
  Result result;
  for (const AccessFunction &early : accessesOf(before.op))
    for (const AccessFunction &late : accessesOf(behind.op))
      result = widest(std::move(result), compare(early, late, same));
  return result;
}

/// Adds what is of interest of `interval`. Returns what every thread waits for.
Operation *BarrierScopes::select(ArrayRef<Neighbour> interval,
                                 SmallVectorImpl<Neighbour> &accesses) const {
  for (const Neighbour &neighbour : interval) {
    if (concernsNobody(neighbour.op))
      continue;
    if (accessesOf(neighbour.op).empty() || isUnderWay(neighbour.op) ||
        isOrdered(neighbour.op))
      return neighbour.op;
    accesses.push_back(neighbour);
  }
  return nullptr;
}

BarrierScopes::Result BarrierScopes::compute(gpu::BarrierOp barrier) {
  SmallVector<Neighbour> sides[2];
  Operation *unknown = nullptr;
  for (Side side : {Side::Before, Side::Behind}) {
    auto interval = collectInterval(barrier, side, relaxed);
    if (!interval)
      return {BarrierScope::Workgroup,
              "what runs between barriers is not followed, or too much"};
    if (Operation *op = select(*interval, sides[static_cast<int>(side)]))
      unknown = op;
  }
  if (unknown && isUnderWay(unknown))
    return {BarrierScope::Workgroup};
  if (unknown)
    return {BarrierScope::Workgroup,
            "it is not known what '" + unknown->getName().getStringRef().str() +
                "' orders"};
  Result result;
  for (const Neighbour &before : sides[0])
    for (const Neighbour &behind : sides[1]) {
      result = widest(std::move(result), compare(before, behind, barrier));
      if (result.scope == BarrierScope::Workgroup && result.unknown.empty())
        return result;
    }
  return result;
}

BarrierScopes::Result BarrierScopes::relax(gpu::BarrierOp barrier) {
  // In another iteration it does not keep anything apart either.
  relaxed.insert(barrier);
  Result result = compute(barrier);
  if (result.scope == BarrierScope::Workgroup && subgroupSize > 1 &&
      llvm::product_of(block) <= subgroupSize)
    result.scope = BarrierScope::Subgroup;
  if (result.scope == BarrierScope::Workgroup)
    relaxed.erase(barrier);
  return result;
}
