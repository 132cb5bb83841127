//===- RowWork.cpp - what several threads may share of a work item --------===//

#include "passes/Transforms/Reduce/RowWork.h"

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/LibraryCalls.h"
#include "passes/Analysis/LoopRange.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Reduce/SharedAccesses.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Extents.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

/// Iterations that all lanes do rather than share: exchanging what they carry
/// takes as long.
static constexpr int64_t kFewIterations = 8;
/// Steps of a loop up to which `subgroup_size` of them are small (LoopRange.h).
static constexpr int64_t kMostStep = 64;

namespace {
/// One access, and who makes it.
struct Access {
  enum class By { AllLanes, FirstLane, SharedLoop };

  Operation *op;
  Value memory;
  bool writes;
  By by;
  /// By a shared loop only.
  SharedAccess shared = {};
};

class RowAnalyzer {
public:
  RowAnalyzer(gpu::GPUFuncOp kernel, const std::array<bool, 3> &blockItems,
              TargetAttr target);

  RowAnalysis run();

private:
  // What is worth it.
  bool isAlongRow(LoopLikeOpInterface loop);
  bool variesOverItems(const AccessFunction &access, bool boundsVary) const;
  bool isContiguousOverItems(const AccessFunction &access) const;
  bool boundsVaryOverItems(LoopLikeOpInterface loop) const;
  /// Bytes by which the address grows with the iterator; nothing where it is no
  /// linear function of it.
  std::optional<int64_t> strideAlong(const AccessFunction &access,
                                     unsigned iterator) const;

  // What is legal.
  std::optional<Refusal> visit(Region &region);
  std::optional<Refusal> visit(Operation *op);
  std::optional<Refusal> visitLoop(LoopLikeOpInterface loop);
  std::optional<Refusal> share(LoopLikeOpInterface loop);
  bool isBoundByMemory(LoopLikeOpInterface loop) const;
  std::optional<Refusal> collect(LoopLikeOpInterface loop,
                                 std::vector<Access> &accesses);
  std::optional<Refusal> checkIterations(ArrayRef<Access> accesses) const;
  SharedAccess describe(Operation *op, LoopLikeOpInterface loop) const;

  /// Has lanes wait before `at` where `access` meets others that are open.
  void meet(const Access &access, Operation *at);
  bool mayMeet(const Access &left, const Access &right) const;

  gpu::GPUFuncOp kernel;
  AccessFunctions functions;
  UniformityAnalysis uniformity;
  int64_t sectorBytes;
  /// Iterations of the shortest loop that is worth sharing.
  int64_t shortestRow;
  /// Whether the kernel has work items, perhaps a single one.
  bool hasItems = false;
  /// The variables that tell work items apart.
  SmallVector<unsigned, 3> items;
  llvm::DenseSet<Operation *> rows;
  RowWork work;
  /// Accesses since lanes have waited for each other.
  std::vector<Access> open;
};
} // namespace

RowAnalyzer::RowAnalyzer(gpu::GPUFuncOp kernel,
                         const std::array<bool, 3> &blockItems,
                         TargetAttr target)
    : kernel(kernel), functions(kernel), uniformity(kernel),
      sectorBytes(target.getSectorBytes()),
      shortestRow(target.getSubgroupSize() / 2) {
  llvm::SmallSetVector<unsigned, 3> found;
  Extents extents = findExtents(kernel);
  // Where the first work item alone acts, none has neighbours.
  auto isSingle = [&](gpu::Dimension dimension) {
    auto end = dyn_cast_or_null<AffineConstantExpr>(
        extents.end(static_cast<unsigned>(dimension)));
    return end && end.getValue() == 1;
  };
  kernel.walk([&](Operation *op) {
    if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
      hasItems = true;
      if (!isSingle(id.getDimension()))
        found.insert(VariableTable::threadId(unsigned(id.getDimension())));
    } else if (auto block = dyn_cast<gpu::BlockIdOp>(op);
               block && blockItems[unsigned(block.getDimension())]) {
      hasItems = true;
      found.insert(VariableTable::blockId(unsigned(block.getDimension())));
    }
  });
  items.assign(found.begin(), found.end());
}

//===----------------------------------------------------------------------===//
// What is worth it
//===----------------------------------------------------------------------===//

std::optional<int64_t> RowAnalyzer::strideAlong(const AccessFunction &access,
                                                unsigned iterator) const {
  Polynomial cofactor = access.address.getCofactor(iterator);
  std::optional<int64_t> stride = cofactor.getConstant();
  if (!stride)
    return std::nullopt;
  Polynomial rest = access.address - cofactor * Polynomial::variable(iterator);
  if (functions.variables().dependsOnAny(
          rest, [&](unsigned variable) { return variable == iterator; }))
    return std::nullopt;
  return stride;
}

bool RowAnalyzer::isContiguousOverItems(const AccessFunction &access) const {
  return llvm::any_of(items, [&](unsigned item) {
    std::optional<int64_t> stride = strideAlong(access, item);
    return stride && *stride != 0 && std::abs(*stride) < sectorBytes;
  });
}

bool RowAnalyzer::variesOverItems(const AccessFunction &access,
                                  bool boundsVary) const {
  return boundsVary || llvm::all_of(items, [&](unsigned item) {
           return functions.variables().dependsOnAny(
               access.address,
               [&](unsigned variable) { return variable == item; });
         });
}

bool RowAnalyzer::boundsVaryOverItems(LoopLikeOpInterface loop) const {
  SmallVector<Value> own;
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop))
    llvm::append_range(own, affineLoop.getLowerBoundOperands());
  else
    own.push_back(cast<scf::ForOp>(*loop).getLowerBound());
  return llvm::all_of(items, [&](unsigned item) {
    unsigned dim = item % 3;
    bool isThread = functions.variables().isThreadId(item);
    Dependence wanted = isThread ? threadDependence(gpu::Dimension(dim))
                                 : blockDependence(gpu::Dimension(dim));
    return llvm::any_of(own, [&](Value begin) {
      return (uniformity.dependsOn(begin) & wanted) != Dependence::None;
    });
  });
}

/// The iterator and the step, where they are indices and a small constant.
static std::optional<std::pair<Value, int64_t>>
countOf(LoopLikeOpInterface loop) {
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop))
    return std::pair(affineLoop.getInductionVar(), affineLoop.getStepAsInt());
  auto counted = dyn_cast<scf::ForOp>(*loop);
  if (!counted || !counted.getInductionVar().getType().isIndex())
    return std::nullopt;
  std::optional<int64_t> step = getConstantIntValue(counted.getStep());
  if (!step)
    return std::nullopt;
  return std::pair(counted.getInductionVar(), *step);
}

/// How often a loop runs, where that is known.
static std::optional<int64_t> knownIterations(LoopLikeOpInterface loop) {
  auto affineLoop = dyn_cast<affine::AffineForOp>(*loop);
  if (!affineLoop || !affineLoop.hasConstantBounds())
    return std::nullopt;
  return llvm::divideCeil(
      std::max<int64_t>(affineLoop.getConstantUpperBound() -
                            affineLoop.getConstantLowerBound(),
                        0),
      affineLoop.getStepAsInt());
}

bool RowAnalyzer::isAlongRow(LoopLikeOpInterface loop) {
  auto count = countOf(loop);
  std::optional<unsigned> iterator =
      count ? functions.variableOf(count->first) : std::nullopt;
  if (!iterator || knownIterations(loop).value_or(shortestRow) < shortestRow)
    return false;
  bool boundsVary = boundsVaryOverItems(loop), hasRow = false;
  for (const AccessFunction &access : functions.accesses()) {
    if (access.space != MemorySpace::Global || !access.isResolved() ||
        !loop->isProperAncestor(access.op))
      continue;
    std::optional<int64_t> stride = strideAlong(access, *iterator);
    bool isNear = stride && std::abs(*stride) * count->second < sectorBytes;
    bool isOverItems = isContiguousOverItems(access);
    // Lanes would not be neighbours in memory any more.
    if (!isNear && isOverItems)
      return false;
    hasRow |= isNear && *stride != 0 && !isOverItems &&
              variesOverItems(access, boundsVary);
  }
  return hasRow;
}

//===----------------------------------------------------------------------===//
// Shared loops
//===----------------------------------------------------------------------===//

/// The memory that `op` accesses, and whether it writes it; nothing for what is
/// neither a plain load or store nor an update whose result is not used.
static std::optional<std::pair<Value, bool>> memoryOf(Operation *op) {
  using Result = std::optional<std::pair<Value, bool>>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<memref::LoadOp, affine::AffineLoadOp>(
          [](auto load) { return std::pair(load.getMemRef(), false); })
      .Case<memref::StoreOp, affine::AffineStoreOp>(
          [](auto store) { return std::pair(store.getMemRef(), true); })
      .Case([](memref::AtomicRMWOp update) {
        return update->use_empty()
                   ? Result(std::pair(Value(update.getMemref()), true))
                   : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether each lane has `memory` for itself.
static bool isPrivate(Value memory) {
  Value root = memoryRoot(memory);
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
    return kernel &&
           llvm::is_contained(kernel.getPrivateAttributions(), argument);
  }
  return root.getDefiningOp<memref::AllocaOp>() != nullptr;
}

/// Whether two updates of one element may be done in any order.
static bool commute(Operation *left, Operation *right) {
  auto first = dyn_cast<memref::AtomicRMWOp>(left);
  auto second = dyn_cast<memref::AtomicRMWOp>(right);
  return first && second && first.getKind() == second.getKind() &&
         isa<IntegerType>(first.getValue().getType()) &&
         first.getKind() != arith::AtomicRMWKind::assign;
}

SharedAccess RowAnalyzer::describe(Operation *op,
                                   LoopLikeOpInterface loop) const {
  SharedAccess shared;
  const AccessFunction *access = functions.lookup(op);
  auto count = countOf(loop);
  std::optional<unsigned> iterator = functions.variableOf(count->first);
  if (!access || !access->isResolved() || !iterator)
    return shared;
  std::optional<int64_t> stride = strideAlong(*access, *iterator);
  Polynomial offset = access->address.without(*iterator);
  auto isLoop = [&](unsigned variable) {
    Value inner = functions.variables()[variable].value;
    return functions.variables()[variable].kind == Variable::Kind::Loop &&
           (!inner ||
            loop->isProperAncestor(inner.getParentBlock()->getParentOp()));
  };
  if (!stride || offset.isUnknown() ||
      functions.variables().dependsOnAny(offset, isLoop))
    return shared;
  shared.stride = *stride;
  shared.offset = offset;
  shared.bytes = access->accessBytes;
  shared.iterations = {functions.variables()[*iterator].lowerBounds,
                       count->second};
  return shared;
}

std::optional<Refusal> RowAnalyzer::collect(LoopLikeOpInterface loop,
                                            std::vector<Access> &accesses) {
  std::optional<Refusal> refusal;
  loop->walk([&](Operation *op) {
    if (op == loop || op->hasTrait<OpTrait::IsTerminator>() ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        isMemoryEffectFree(op) || callsFunctionOfNumbers(op))
      return WalkResult::advance();
    auto memory = memoryOf(op);
    if (!memory || (memory->second && isPrivate(memory->first))) {
      refusal = Refusal{op->getLoc(),
                        !memory ? "lanes cannot share a loop with '" +
                                      op->getName().getStringRef().str() + "'"
                                : "iterations write an array that each thread "
                                  "has for itself"};
      return WalkResult::interrupt();
    }
    if (!isPrivate(memory->first))
      accesses.push_back({op, memory->first, memory->second,
                          Access::By::SharedLoop, describe(op, loop)});
    return WalkResult::advance();
  });
  return refusal;
}

std::optional<Refusal>
RowAnalyzer::checkIterations(ArrayRef<Access> accesses) const {
  // Within one loop iterations begin wherever they begin.
  auto alone = [](SharedAccess shared) {
    shared.iterations.begins = {Polynomial()};
    return shared;
  };
  for (const Access &left : accesses)
    for (const Access &right : accesses)
      if (left.writes && mayAlias(left.memory, right.memory) &&
          !commute(left.op, right.op) &&
          (memoryRoot(left.memory) != memoryRoot(right.memory) ||
           !meetInIterations(alone(left.shared), alone(right.shared))))
        return Refusal{left.op->getLoc(),
                       "an iteration may access what another one writes"};
  return std::nullopt;
}

/// Whether the loop's length is loaded from memory, so that no launcher can
/// know that rows are long.
bool RowAnalyzer::isBoundByMemory(LoopLikeOpInterface loop) const {
  SetVector<Operation *> slice;
  auto isLoaded = [&](Value bound) {
    slice.clear();
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitBlockArguments = true;
    return failed(getBackwardSlice(bound, &slice, options)) ||
           llvm::any_of(slice,
                        [](Operation *op) { return memoryOf(op).has_value(); });
  };
  if (auto affineLoop = dyn_cast<affine::AffineForOp>(*loop))
    return llvm::any_of(affineLoop.getControlOperands(), isLoaded);
  auto counted = cast<scf::ForOp>(*loop);
  return isLoaded(counted.getLowerBound()) || isLoaded(counted.getUpperBound());
}

std::optional<Refusal> RowAnalyzer::share(LoopLikeOpInterface loop) {
  auto count = countOf(loop);
  if (!count || count->second < 1 || count->second > kMostStep)
    return Refusal{loop.getLoc(), "the loop does not count by a small number"};
  if (!hasRoomToStep(loop))
    return Refusal{loop.getLoc(), kNoRoomReason};
  if (rows.contains(loop) && isBoundByMemory(loop))
    return Refusal{loop.getLoc(), "the length of rows is loaded from memory, "
                                  "and they may be short"};
  auto carried = classifyCarriedValues(loop);
  if (auto *refusal = std::get_if<Refusal>(&carried))
    return *refusal;
  std::vector<Access> accesses;
  if (auto refusal = collect(loop, accesses))
    return refusal;
  if (auto refusal = checkIterations(accesses))
    return refusal;
  if (llvm::none_of(work.loops, [&](const SharedLoop &known) {
        return known.loop == loop;
      }))
    work.loops.push_back(
        {loop, std::get<CarriedValues>(carried), rows.contains(loop)});
  for (const Access &access : accesses)
    meet(access, loop);
  llvm::append_range(open, accesses);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What lanes do in a row
//===----------------------------------------------------------------------===//

bool RowAnalyzer::mayMeet(const Access &left, const Access &right) const {
  if ((!left.writes && !right.writes) || !mayAlias(left.memory, right.memory))
    return false;
  if (left.by != right.by)
    return true;
  // All lanes read only. What the first lane does it does in order.
  if (left.by != Access::By::SharedLoop)
    return false;
  if (memoryRoot(left.memory) != memoryRoot(right.memory))
    return true;
  // In another iteration of a loop around them both are elsewhere.
  for (const Access *access : {&left, &right}) {
    auto isLoop = [&](unsigned variable) {
      return functions.variables()[variable].kind == Variable::Kind::Loop;
    };
    if (functions.variables().dependsOnAny(access->shared.offset, isLoop) ||
        llvm::any_of(access->shared.iterations.begins,
                     [&](const Polynomial &begin) {
                       return functions.variables().dependsOnAny(begin, isLoop);
                     }))
      return true;
  }
  return !meetInIterations(left.shared, right.shared);
}

void RowAnalyzer::meet(const Access &access, Operation *at) {
  if (llvm::none_of(
          open, [&](const Access &other) { return mayMeet(access, other); }))
    return;
  work.waits.insert(at);
  open.clear();
}

std::optional<Refusal> RowAnalyzer::visitLoop(LoopLikeOpInterface loop) {
  bool hasRows = llvm::any_of(
      rows, [&](Operation *row) { return loop->isProperAncestor(row); });
  bool isFew =
      knownIterations(loop).value_or(kFewIterations + 1) <= kFewIterations;
  std::optional<Refusal> refusal;
  if (rows.contains(loop) || (!hasRows && !isFew)) {
    refusal = share(loop);
    if (!refusal || !hasRows)
      return refusal;
  }
  // All lanes go around it, or past it: what they meet may be of the iteration
  // before, and what they meet behind it of what is in front of it.
  std::vector<Access> before = open;
  for (int round = 0; round < 2; ++round)
    for (Region &region : loop->getRegions())
      if (auto reason = visit(region))
        return reason;
  if (!runsAtLeastOnce(loop))
    llvm::append_range(open, before);
  return std::nullopt;
}

std::optional<Refusal> RowAnalyzer::visit(Operation *op) {
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return visitLoop(loop);
  if (isa<scf::IfOp, affine::AffineIfOp>(op)) {
    std::vector<Access> before = open, after;
    for (Region &region : op->getRegions()) {
      open = before;
      if (auto refusal = visit(region))
        return refusal;
      llvm::append_range(after, open);
    }
    open = std::move(after);
    return std::nullopt;
  }
  if (op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op) ||
      callsFunctionOfNumbers(op) || isa<memref::AllocaOp>(op))
    return std::nullopt;
  auto memory = memoryOf(op);
  if (!memory)
    return Refusal{op->getLoc(), "several threads cannot do '" +
                                     op->getName().getStringRef().str() +
                                     "' together"};
  if (isPrivate(memory->first))
    return std::nullopt;
  bool isSingle =
      memory->second || !uniformity.isReadOnly(memoryRoot(memory->first));
  if (isSingle && !llvm::is_contained(work.single, op))
    work.single.push_back(op);
  if (isSingle && op->getNumResults() > 0 &&
      !isExchangeable(op->getResult(0).getType()))
    return Refusal{op->getLoc(),
                   "lanes cannot exchange what is no number of up to 64 bits"};
  Access access = {op, memory->first, memory->second,
                   isSingle ? Access::By::FirstLane : Access::By::AllLanes};
  meet(access, op);
  open.push_back(access);
  return std::nullopt;
}

std::optional<Refusal> RowAnalyzer::visit(Region &region) {
  for (Block &block : region)
    for (Operation &op : block)
      if (auto refusal = visit(&op))
        return refusal;
  return std::nullopt;
}

RowAnalysis RowAnalyzer::run() {
  kernel.walk([&](LoopLikeOpInterface loop) {
    if (isAlongRow(loop))
      rows.insert(loop);
  });
  if (!hasItems || rows.empty())
    return {false, RowWork()};
  if (auto refusal = visit(kernel.getBody()))
    return {true, *refusal};
  return {true, std::move(work)};
}

RowAnalysis gpuopt::analyzeRows(gpu::GPUFuncOp kernel,
                                const std::array<bool, 3> &blockItems,
                                TargetAttr target) {
  return RowAnalyzer(kernel, blockItems, target).run();
}
