//===- StagingPlan.cpp - loads to go through workgroup memory -------------===//

#include "passes/Transforms/Coalesce/StagingPlan.h"

#include "passes/Analysis/LoopRange.h"

#include "passes/Transforms/Coalesce/FirstItem.h"
#include "passes/Transforms/Coalesce/TileCost.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/StripLoop.h"
#include "passes/Transforms/Utils/UniformReach.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <numeric>

using namespace mlir;
using namespace gpuopt;

/// Sectors saved, as a factor, from which staging pays for its barriers.
static constexpr double worthwhileFactor = 2;

/// The same for data that the threads of a block load several times, but each
/// thread once, on chips with a cache in the multiprocessor.
static constexpr double worthwhileOnce = 8;

/// Chips that serve sectors have a cache in the multiprocessor.
static bool hasCache(TargetAttr target) {
  return target.getCoalescing() == CoalescingRule::Sectors;
}

/// The same for loads that are coalesced already and only repeated in the
/// block: a cache catches some of that.
static double worthwhileReuse(TargetAttr target) {
  return hasCache(target) ? 4 : 2;
}

int64_t gpuopt::tileBytes(ArrayRef<TileDimension> dimensions, Type type) {
  int64_t elements = 1;
  for (const TileDimension &dimension : dimensions)
    elements *= dimension.extent;
  int64_t bits = 0;
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  else
    bits = type.getIntOrFloatBitWidth();
  return elements * llvm::divideCeil(bits, 8);
}

int64_t StagedLoad::bytes() const {
  return tileBytes(dimensions, op->getResult(0).getType());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Value iteratorOf(Operation *loop) {
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    return counted.getInductionVar();
  return cast<affine::AffineForOp>(loop).getInductionVar();
}

/// Returns why the iterations of `loop` cannot be taken in strips.
static std::string whyNotStrippable(Operation *loop) {
  SmallVector<Value> bounds;
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    if (counted.getUnsignedCmp() ||
        !counted.getInductionVar().getType().isIndex())
      return "its loop counts in another type than index";
    if (!getConstantIntValue(counted.getStep()))
      return "the step of its loop is not constant";
    bounds = {counted.getLowerBound(), counted.getUpperBound()};
  } else {
    auto affineLoop = cast<affine::AffineForOp>(loop);
    bounds.append(affineLoop.getLowerBoundOperands().begin(),
                  affineLoop.getLowerBoundOperands().end());
    bounds.append(affineLoop.getUpperBoundOperands().begin(),
                  affineLoop.getUpperBoundOperands().end());
  }
  if (!computeSlice(bounds).isUniform())
    return "the threads of a block run its loop differently often";
  if (!hasRoomToStep(loop))
    return kNoRoomReason;
  return {};
}

/// The loads that stand in `loop` but in no loop inside it.
static SmallVector<Operation *> loadsDirectlyIn(Operation *loop) {
  SmallVector<Operation *> loads;
  loop->walk([&](Operation *op) {
    if (isa<affine::AffineLoadOp, memref::LoadOp>(op) &&
        op->getParentOfType<LoopLikeOpInterface>() == loop)
      loads.push_back(op);
  });
  return loads;
}

/// Iterations after which the addresses of `access` have moved by whole
/// segments (half-warp rule: 16 / gcd(m, 16) for A[m*i + n], m <= 8), or for
/// which a row of a tile fills whole sectors and at most a line.
static int64_t preferredIterations(const StagingContext &context,
                                   const AccessFunction &access,
                                   const VariableTable &table,
                                   unsigned iterator) {
  int64_t threads = context.target.getCoalescedThreads();
  if (context.target.getCoalescing() == CoalescingRule::HalfWarp) {
    Polynomial moved =
        access.address.getCofactor(iterator) * table[iterator].step;
    int64_t factor =
        std::abs(moved.getConstant().value_or(0)) / access.accessBytes;
    return factor == 0 || factor > 8 ? threads
                                     : threads / std::gcd(factor, threads);
  }
  int64_t least = std::max<int64_t>(1, context.target.getSectorBytes() /
                                           access.accessBytes);
  int64_t most = std::max<int64_t>(least, context.target.getLineBytes() /
                                              access.accessBytes);
  return std::clamp<int64_t>(llvm::bit_floor<uint64_t>(context.block[0]), least,
                             most);
}

//===----------------------------------------------------------------------===//
// Profit
//===----------------------------------------------------------------------===//

bool gpuopt::isEntangled(const Polynomial &address, unsigned variable,
                         const VariableTable &table) {
  Polynomial factor = address.getCofactor(variable);
  Polynomial rest = address.without(variable);
  if (address != factor * Polynomial::variable(variable) + rest)
    return true;
  auto isIt = [&](unsigned number) { return number == variable; };
  return table.dependsOnAny(factor, isIt) || table.dependsOnAny(rest, isIt);
}

/// Bytes between neighbours along a dimension; a large number where that is a
/// parameter.
static int64_t sizeOf(const Polynomial &stride) {
  constexpr int64_t large = int64_t(1) << 40;
  return std::abs(stride.getConstant().value_or(large));
}

static int64_t strideOf(const Polynomial &address, unsigned variable) {
  return sizeOf(address.getCofactor(variable));
}

std::pair<int64_t, int64_t> gpuopt::strideRank(const Polynomial &stride) {
  return {sizeOf(stride), stride.getTerms().begin()->first.size()};
}

bool gpuopt::isPosition(const Polynomial &polynomial,
                        const VariableTable &table, const BlockShape &block,
                        unsigned dim) {
  unsigned thread = VariableTable::threadId(dim);
  unsigned id = VariableTable::blockId(dim);
  auto isId = [&](unsigned number) { return number == thread || number == id; };
  auto isSum = [&](const Polynomial &sum, const Polynomial &factor,
                   const Polynomial &position) {
    Polynomial rest = sum.without(thread).without(id);
    return sum == factor * position + rest && !table.dependsOnAny(rest, isId) &&
           !table.dependsOnAny(factor, isId);
  };
  // The only thread's id is 0.
  if (block[dim] == 1) {
    Polynomial single = polynomial.substitute(thread, Polynomial(0));
    return isSum(single, single.getCofactor(id), Polynomial::variable(id));
  }
  return isSum(polynomial, polynomial.getCofactor(thread),
               Polynomial::variable(thread) +
                   Polynomial(block[dim]) * Polynomial::variable(id));
}

bool gpuopt::orderDimensions(const Polynomial &address,
                             const VariableTable &table,
                             std::optional<unsigned> iterator,
                             SmallVectorImpl<TileDimension> &dimensions) {
  auto variableOf = [&](const TileDimension &dimension) {
    return dimension.isIteration() ? *iterator
                                   : VariableTable::threadId(dimension.source);
  };
  // Of equal strides, that of the iterations or of the first id comes last.
  auto keyOf = [&](const TileDimension &dimension) {
    int position = dimension.isIteration() ? 3 : 2 - int(dimension.source);
    return std::make_pair(-strideOf(address, variableOf(dimension)), position);
  };
  llvm::sort(dimensions,
             [&](const TileDimension &left, const TileDimension &right) {
               return keyOf(left) < keyOf(right);
             });
  return llvm::none_of(dimensions, [&](const TileDimension &dimension) {
    return isEntangled(address, variableOf(dimension), table);
  });
}

/// Lays out the tile of `access`, or says why there is none. `iterator` is the
/// loop's variable, if there is a loop.
static std::string layOut(const StagingContext &context,
                          const AccessFunction &access,
                          const VariableTable &table,
                          std::optional<unsigned> iterator, int64_t iterations,
                          StagedLoad &load) {
  BlockSlice slice = computeSlice(access.op->getOperands());
  if (!slice.isComputable())
    return "other threads cannot compute its address: " + slice.obstacle;
  load.op = access.op;
  for (unsigned dim = 3; dim-- > 0;)
    if (slice.threadIds[dim] && context.block[dim] > 1)
      load.dimensions.push_back({dim, context.block[dim]});
  if (iterator)
    load.dimensions.push_back({TileDimension::iterations, iterations});
  if (!orderDimensions(access.address, table, iterator, load.dimensions))
    return "its address is no linear function of ids and iterator";
  if (load.dimensions.empty())
    return "all threads of a block load one datum, once";
  return {};
}

/// Whether the tile only hands data from thread to thread: one element each.
static bool isExchange(const StagingContext &context, const StagedLoad &load) {
  int64_t elements = 1;
  for (const TileDimension &dimension : load.dimensions)
    elements *= dimension.extent;
  return elements == context.block[0] * context.block[1] * context.block[2];
}

/// Completes `load` with its costs; false where staging it is not worthwhile.
static bool isWorthwhile(const StagingContext &context,
                         const AccessFunction &access,
                         const VariableTable &table,
                         std::optional<unsigned> iterator, int64_t iterations,
                         StagedLoad &load) {
  load.verdict =
      computeCoalescing(access, table, context.target, context.block).verdict;
  load.sectorsBefore = sectorsPerBlock(context, access, table) * iterations;
  load.sectorsAfter = sectorsOfTile(context, load.dimensions, access, iterator,
                                    iterations, table);
  if (load.sectorsAfter <= 0 || load.sectorsBefore <= 0)
    return false;
  if (context.partition)
    return load.sectorsAfter < load.sectorsBefore;
  double factor = load.sectorsBefore / load.sectorsAfter;
  bool isCoalesced =
      load.verdict == Verdict::Coalesced || load.verdict == Verdict::Misaligned;
  if (isCoalesced)
    return context.stageReused && iterator &&
           factor >= worthwhileReuse(context.target);
  if (!iterator && !isExchange(context, load) && hasCache(context.target))
    return factor >= worthwhileOnce;
  return factor >= worthwhileFactor;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

SmallVector<Condition> gpuopt::conditionsToCheck(Operation *op,
                                                 Operation *anchor) {
  SmallVector<Operation *> branches;
  for (Operation *child = op; !isa<gpu::GPUFuncOp>(child);
       child = child->getParentOp())
    if (isa<scf::IfOp>(child->getParentOp()))
      branches.push_back(child);
  SmallVector<Condition> conditions;
  // What is the same for the block, but stands under what is not, is no guard
  // of the anchor any more when that has been sunk below it.
  bool isSunk = false;
  for (Operation *child : llvm::reverse(branches)) {
    auto branch = cast<scf::IfOp>(child->getParentOp());
    isSunk |= !computeSlice(branch.getCondition()).isUniform();
    if (isSunk || anchor->isProperAncestor(branch))
      conditions.push_back(
          {branch.getCondition(),
           child->getParentRegion() == &branch.getElseRegion()});
  }
  return conditions;
}

/// Whether blocks along `dim` that get to `load` differ in its conditions only:
/// they have the same addresses and go around the same loops.
static bool isSameForBlocks(const StagedLoad &load, unsigned dim) {
  auto depends = [&](ValueRange values) {
    BlockSlice slice = computeSlice(values);
    return !slice.isComputable() || slice.threadIds[dim] || slice.blockIds[dim];
  };
  if (depends(load.op->getOperands()))
    return false;
  for (Operation *op = load.op->getParentOp(); !isa<gpu::GPUFuncOp>(op);
       op = op->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    bool isChecked =
        branch &&
        llvm::any_of(load.conditions, [&](const Condition &condition) {
          return condition.value == branch.getCondition();
        });
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    bool isCounted = isa<affine::AffineForOp, scf::ForOp>(op);
    if (isChecked)
      continue;
    if (!branch && !isCounted)
      return false;
    if (depends(branch ? op->getOperands()
                       : op->getOperands().drop_back(loop.getInits().size())))
      return false;
  }
  return true;
}

/// Decides for which dimensions an item of another block stands for all; or
/// says why it must not.
static std::string chooseFirstItems(const StagingContext &context,
                                    AccessFunctions &functions,
                                    const std::array<bool, 3> &covered,
                                    StagedLoad &load) {
  Value position = load.firstItem.position;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (covered[dim])
      continue;
    bool isSame = isSameForBlocks(load, dim);
    if (position && computeSlice(position).threadIds[dim] && !isSame)
      return "the first thread that its condition lets through may be one of "
             "another block, which does something else";
    if (Value masked = isSame ? findMaskPosition(functions, load.conditions,
                                                 covered, context.kernel, dim)
                              : Value())
      load.firstItem.launchPositions.push_back(masked);
  }
  return {};
}

/// Returns why `load` may not be done at `anchor` by other threads.
static std::string whyNotLegal(const StagingContext &context,
                               AccessFunctions &functions, Operation *anchor,
                               StagedLoad &load) {
  for (Operation *parent = load.op->getParentOp();
       anchor->isProperAncestor(parent); parent = parent->getParentOp())
    if (!isa<scf::IfOp>(parent))
      return ("it stands in '" + parent->getName().getStringRef() + "'").str();
  load.conditions = conditionsToCheck(load.op, anchor);
  for (const Condition &condition : load.conditions)
    if (BlockSlice slice = computeSlice(condition.value); !slice.isComputable())
      return "other threads cannot compute its condition: " + slice.obstacle;
  std::array<bool, 3> covered;
  for (unsigned dim = 0; dim < 3; ++dim)
    covered[dim] = context.block[dim] == 1;
  for (const TileDimension &dimension : load.dimensions)
    if (!dimension.isIteration())
      covered[dimension.source] = true;
  if (std::string reason = whyFirstItemDiffers(
          functions, load.conditions, covered, context.kernel, &load.firstItem);
      !reason.empty())
    return reason;
  if (std::string reason = chooseFirstItems(context, functions, covered, load);
      !reason.empty())
    return reason;

  Value memref = load.op->getOperand(0);
  Operation *conflict = findConflict(
      context.kernel, memref, /*readsToo=*/false, [&](Operation *op) {
        return !isStrictlyAfter(op, anchor) && !areAlternatives(op, anchor);
      });
  if (conflict)
    return ("'" + conflict->getName().getStringRef() +
            "' may write the array before it is read")
        .str();
  return {};
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

bool StagingContext::mayStage(const AccessFunction &access) const {
  return !partition ||
         llvm::is_contained(
             partition.getAs<ArrayAttr>("arrays").getAsValueRange<StringAttr>(),
             access.array);
}

std::optional<int64_t> StagingContext::wantedIterations() const {
  auto iterations =
      partition ? partition.getAs<IntegerAttr>("iterations") : IntegerAttr();
  return iterations ? std::optional(iterations.getInt()) : std::nullopt;
}

int64_t gpuopt::freeWorkgroupBytes(const StagingContext &context) {
  int64_t bytes = context.target.getWorkgroupMemoryPerWorkgroupBytes();
  gpu::GPUFuncOp kernel = context.kernel;
  DataLayout layout = DataLayout::closest(kernel);
  for (BlockArgument array : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(array.getType());
    if (type.hasStaticShape())
      bytes -= type.getNumElements() *
               static_cast<int64_t>(layout.getTypeSize(type.getElementType()));
  }
  return bytes;
}

bool gpuopt::isTileType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && vector.getElementType().isIntOrFloat();
  return type.isIntOrFloat();
}

/// Whether `access` is a load that this file is about.
static bool isCandidate(const AccessFunction *access) {
  return access && access->kind == AccessKind::Load &&
         access->space == MemorySpace::Global && access->isResolved() &&
         isa<affine::AffineLoadOp, memref::LoadOp>(access->op) &&
         isTileType(access->op->getResult(0).getType());
}

/// Whether leaving an access as it is deserves a remark.
static bool looksImprovable(const StagedLoad &load) {
  return load.verdict != Verdict::Coalesced &&
         load.verdict != Verdict::Misaligned;
}

/// Sectors that a tile saves for each byte that it takes.
static double benefit(const StagedLoad &load) {
  return (load.sectorsBefore - load.sectorsAfter) / load.bytes();
}

/// Puts the loads with the greatest benefit first where `bytes` are not enough
/// for all.
static void rank(std::vector<StagedLoad> &loads, int64_t bytes) {
  int64_t needed = 0;
  for (const StagedLoad &load : loads)
    needed += load.bytes();
  if (needed <= bytes)
    return;
  // Loads of equal benefit keep their order.
  for (auto next = loads.begin(); next != loads.end(); ++next)
    std::rotate(llvm::find_if(llvm::make_range(loads.begin(), next),
                              [&](const StagedLoad &load) {
                                return benefit(load) < benefit(*next);
                              }),
                next, next + 1);
}

/// Keeps of `loads` what is legal and fits into workgroup memory.
static void keepLegal(const StagingContext &context, AccessFunctions &functions,
                      Operation *anchor, std::vector<StagedLoad> loads,
                      StagingPlan &plan, std::vector<MissedAccess> &missed) {
  int64_t bytes = freeWorkgroupBytes(context);
  rank(loads, bytes);
  for (StagedLoad &load : loads) {
    std::string reason = whyNotLegal(context, functions, anchor, load);
    if (reason.empty() && load.bytes() > bytes)
      reason = llvm::formatv(
          "its tile of {0} bytes does not fit in the {1} "
          "bytes of workgroup memory left{2}",
          load.bytes(), bytes,
          plan.loads.empty() ? "" : " by tiles that save more for each byte");
    if (!reason.empty()) {
      missed.push_back({load.op, reason});
      continue;
    }
    bytes -= load.bytes();
    plan.loads.push_back(std::move(load));
  }
}

StagingPlan gpuopt::planLoop(const StagingContext &context,
                             AccessFunctions &functions, Operation *loop,
                             std::vector<MissedAccess> &missed) {
  StagingPlan plan;
  plan.loop = loop;
  std::optional<unsigned> iterator = functions.variableOf(iteratorOf(loop));
  if (!iterator)
    return plan;

  // Accesses that move with the loop, and how far.
  const VariableTable table = functions.variables();
  SmallVector<const AccessFunction *> accesses;
  for (Operation *op : loadsDirectlyIn(loop)) {
    const AccessFunction *access = functions.lookup(op);
    if (!isCandidate(access) || !context.mayStage(*access) ||
        !access->address.contains(*iterator))
      continue;
    accesses.push_back(access);
    plan.iterations =
        std::max(plan.iterations,
                 preferredIterations(context, *access, table, *iterator));
  }
  plan.iterations = context.wantedIterations().value_or(plan.iterations);
  if (std::optional<int64_t> trips = constantTripCount(loop))
    plan.iterations = std::clamp<int64_t>(*trips, 1, plan.iterations);

  std::vector<StagedLoad> worthwhile;
  for (const AccessFunction *access : accesses) {
    StagedLoad load;
    std::string reason =
        layOut(context, *access, table, iterator, plan.iterations, load);
    if (reason.empty() &&
        isWorthwhile(context, *access, table, iterator, plan.iterations, load))
      worthwhile.push_back(std::move(load));
    else if (!reason.empty() || looksImprovable(load))
      missed.push_back({access->op, reason.empty()
                                        ? "the data loaded has no reuse"
                                        : reason});
  }
  if (worthwhile.empty())
    return plan;

  std::string reason = whyNotStrippable(loop);
  if (reason.empty())
    reason = whyNotReachable(loop);
  if (reason.empty())
    keepLegal(context, functions, loop, std::move(worthwhile), plan, missed);
  else
    for (const StagedLoad &load : worthwhile)
      missed.push_back({load.op, reason});
  return plan;
}

StagingPlan gpuopt::planInPlace(const StagingContext &context,
                                AccessFunctions &functions, Operation *op,
                                std::vector<MissedAccess> &missed) {
  StagingPlan plan;
  const AccessFunction *access = functions.lookup(op);
  if (!isCandidate(access) || !context.mayStage(*access))
    return plan;
  const VariableTable table = functions.variables();
  StagedLoad load;
  std::string reason = layOut(context, *access, table, std::nullopt, 1, load);
  if (!reason.empty() ||
      !isWorthwhile(context, *access, table, std::nullopt, 1, load)) {
    if (!reason.empty() || looksImprovable(load))
      missed.push_back(
          {op, reason.empty() ? "the data loaded has no reuse" : reason});
    return plan;
  }
  reason = whyNotReachable(op);
  if (reason.empty())
    keepLegal(context, functions, op, {load}, plan, missed);
  else
    missed.push_back({op, reason});
  return plan;
}
