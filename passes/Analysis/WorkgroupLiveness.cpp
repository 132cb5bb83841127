//===- WorkgroupLiveness.cpp - where workgroup memory is dead -------------===//

#include "passes/Analysis/WorkgroupLiveness.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/Evaluation.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

/// Addresses that may be computed for one kernel.
static constexpr int64_t kMostSteps = int64_t(1) << 20;

WorkgroupLiveness::WorkgroupLiveness(gpu::GPUFuncOp kernel,
                                     const BlockShape &shape)
    : block(shape), functions(kernel), steps(kMostSteps) {
  for (Value array : kernel.getWorkgroupAttributions())
    for (Operation *user : usersThroughViews(array)) {
      users[user].push_back(array);
      for (Operation *op = user; op != kernel; op = op->getParentOp())
        around.insert(op);
    }
}

//===----------------------------------------------------------------------===//
// What is known of an access
//===----------------------------------------------------------------------===//

bool WorkgroupLiveness::isKnown(const Polynomial &polynomial,
                                const Walk &walk) const {
  return followsFromThread(
      polynomial, functions.variables(),
      [&](unsigned loop) { return walk.iterations.contains(loop); });
}

bool WorkgroupLiveness::areKnown(const Guard &guard, const Walk &walk) const {
  return guard.complete &&
         llvm::all_of(guard.comparisons, [&](const Comparison &comparison) {
           return isKnown(comparison.left, walk);
         });
}

/// How often `loop` runs its body here; nothing where that is not known, or not
/// the same for all threads.
std::optional<int64_t> WorkgroupLiveness::tripCount(unsigned loop,
                                                    const Walk &walk) {
  const VariableTable &variables = functions.variables();
  std::vector<Polynomial> bounds;
  addBounds(bounds, loop, variables);
  for (const Polynomial &bound : bounds)
    if (!isKnown(bound, walk) || variables.dependsOnThread(bound))
      return std::nullopt;
  Evaluation evaluation(variables, block, {}, bounds);
  for (auto [outer, iteration] : walk.iterations)
    evaluation.setIteration(outer, iteration);
  evaluation.update();
  return evaluation.tripCount(loop);
}

/// Calls `elements` with the first byte that each thread accesses for which
/// `guards`, all known, hold, until it returns false. Returns false where it
/// did, or where not all of that could be computed.
bool WorkgroupLiveness::visit(const AccessFunction &access,
                              ArrayRef<Guard> guards, const Walk &walk,
                              llvm::function_ref<bool(int64_t)> elements) {
  int64_t threads = block[0] * block[1] * block[2];
  if (steps < threads)
    return false;
  steps -= threads;
  // Of other guards nothing need be computable.
  std::vector<Polynomial> needed = {access.address};
  for (const Guard &guard : guards)
    for (const Comparison &comparison : guard.comparisons)
      needed.push_back(comparison.left);
  Evaluation evaluation(functions.variables(), block, {}, needed);
  for (auto [loop, iteration] : walk.iterations)
    evaluation.setIteration(loop, iteration);
  evaluation.update();
  FlatPolynomial address(access.address);
  for (int64_t thread = 0; thread < threads; ++thread) {
    evaluation.setThread(thread);
    evaluation.updateLane();
    std::optional<int64_t> first = evaluation.evaluate(address);
    std::optional<bool> isActive = evaluation.hold(guards);
    if (!first || !isActive || (*isActive && !elements(*first)))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static int64_t bytesOf(Value array) {
  auto type = cast<MemRefType>(array.getType());
  return type.getNumElements() *
         DataLayout::closest(array.getParentBlock()->getParentOp())
             .getTypeSize(type.getElementType());
}

/// The bytes of `array` in `stored`.
template <typename Elements>
static llvm::BitVector &bytesOf(Value array, Elements &stored) {
  auto [entry, isNew] = stored.insert({array, llvm::BitVector()});
  if (isNew)
    entry->second.resize(bytesOf(array));
  return entry->second;
}

/// Whether all that `access` may load of `array` has been stored; without an
/// access it is any element.
bool WorkgroupLiveness::load(Value array, const AccessFunction *access,
                             Walk &walk) {
  llvm::BitVector &stored = bytesOf(array, walk.stored);
  if (stored.all())
    return true;
  if (!access || !access->isResolved() || !access->collective.empty() ||
      !isKnown(access->address, walk))
    return false;
  // Without the other guards it is at most more elements.
  std::vector<Guard> guards;
  for (auto [guard, condition] :
       llvm::zip_equal(access->guards, walk.conditions))
    if (condition == Condition::AsWritten && areKnown(guard, walk))
      guards.push_back(guard);
  return visit(*access, guards, walk, [&](int64_t first) {
    // What lies outside is no access that a program may make.
    int64_t begin = std::max<int64_t>(first, 0);
    int64_t end = std::min<int64_t>(first + access->accessBytes, stored.size());
    return begin >= end || stored.find_first_unset_in(begin, end) < 0;
  });
}

/// Adds what `access` certainly stores to `array`.
void WorkgroupLiveness::store(Value array, const AccessFunction &access,
                              Walk &walk) {
  if (!access.isResolved() || !access.collective.empty() ||
      !isKnown(access.address, walk))
    return;
  std::vector<Guard> guards;
  for (auto [guard, condition] :
       llvm::zip_equal(access.guards, walk.conditions)) {
    if (condition == Condition::Unknown ||
        (condition == Condition::AsWritten && !areKnown(guard, walk)))
      return;
    if (condition == Condition::AsWritten)
      guards.push_back(guard);
  }
  llvm::BitVector &stored = bytesOf(array, walk.stored);
  if (stored.all())
    return;
  llvm::BitVector before = stored;
  auto add = [&](int64_t first) {
    if (first < 0 || first + access.accessBytes > int64_t(stored.size()))
      return false;
    stored.set(first, first + access.accessBytes);
    return true;
  };
  if (!visit(access, guards, walk, add))
    stored = std::move(before);
}

bool WorkgroupLiveness::followAccess(Operation *op, Walk &walk) {
  for (Value array : users.find(op)->second) {
    bool isFound = false;
    // An asynchronous copy has two, one behind the other.
    for (const AccessFunction *next = functions.lookup(op);
         next && next != functions.accesses().end() && next->op == op; ++next) {
      const AccessFunction &access = *next;
      if (access.base != array)
        continue;
      isFound = true;
      if (access.kind == AccessKind::Store)
        store(array, access, walk);
      else if (!load(array, &access, walk))
        return false;
    }
    if (!isFound && !load(array, nullptr, walk))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Whether the accesses in the regions of `op` have a guard for it: as
/// AccessResolver walks them.
static bool hasGuard(Operation *op) {
  return !isa<LoopLikeOpInterface, gpu::GPUFuncOp>(op);
}

static bool isBranch(Operation *op) {
  return isa<scf::IfOp, affine::AffineIfOp>(op) &&
         !op->hasAttr(kIndexRangeVersionAttrName);
}

/// Follows the regions of `op`, each once.
bool WorkgroupLiveness::followRegions(Operation *op, Walk &walk) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    if (!region.hasOneBlock())
      return false;
    if (!follow(region.front().begin(), region.front().end(), walk))
      return false;
  }
  return true;
}

bool WorkgroupLiveness::followLoop(LoopLikeOpInterface loop, Walk &walk) {
  std::optional<Value> iterator = loop.getSingleInductionVar();
  std::optional<unsigned> number =
      iterator ? functions.variableOf(*iterator) : std::nullopt;
  std::optional<int64_t> trips =
      number ? tripCount(*number, walk) : std::nullopt;
  if (trips && *trips <= steps) {
    bool isDead = true;
    for (int64_t trip = 0; trip < *trips && isDead; ++trip) {
      walk.iterations[*number] = trip;
      isDead = followRegions(loop, walk);
    }
    walk.iterations.erase(*number);
    return isDead;
  }
  // It may not run at all; where it does, an iteration is like the first one,
  // but that more has been stored.
  Elements before = walk.stored;
  bool isDead = followRegions(loop, walk);
  walk.stored = std::move(before);
  return isDead;
}

/// Whether nothing in `op` loads what was stored before `walk` began.
bool WorkgroupLiveness::follow(Operation *op, Walk &walk) {
  if (!accesses(op))
    return true;
  if (users.contains(op))
    return followAccess(op, walk);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return followLoop(loop, walk);
  walk.conditions.push_back(isBranch(op) ? Condition::AsWritten
                                         : Condition::Unknown);
  bool isDead = followRegions(op, walk);
  walk.conditions.pop_back();
  return isDead;
}

bool WorkgroupLiveness::follow(Block::iterator begin, Block::iterator end,
                               Walk &walk) {
  return std::all_of(begin, end,
                     [&](Operation &op) { return follow(&op, walk); });
}

bool WorkgroupLiveness::isDeadBefore(Operation *op) {
  Walk walk;
  for (Operation *parent = op->getParentOp(); !isa<gpu::GPUFuncOp>(parent);
       parent = parent->getParentOp())
    if (hasGuard(parent))
      walk.conditions.push_back(Condition::Holds);
  while (true) {
    if (!follow(op->getIterator(), op->getBlock()->end(), walk))
      return false;
    Operation *parent = op->getParentOp();
    if (isa<gpu::GPUFuncOp>(parent))
      return true;
    // Behind the condition comes the other region, or the end of the loop.
    if (auto loop = dyn_cast<scf::WhileOp>(parent);
        loop && op->getBlock() == loop.getBeforeBody())
      return false;
    // Another iteration begins behind this one; the ones after that are like
    // it, and so is the end of the loop.
    if (isa<LoopLikeOpInterface>(parent)) {
      Walk again = walk;
      if (!followRegions(parent, again))
        return false;
    }
    if (hasGuard(parent))
      walk.conditions.pop_back();
    op = parent->getNextNode();
  }
}
