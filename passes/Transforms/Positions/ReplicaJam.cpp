//===- ReplicaJam.cpp - unroll and jam over blocks or positions -----------===//

#include "passes/Transforms/Positions/ReplicaJam.h"

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Transforms/Positions/GrowWindows.h"
#include "passes/Transforms/Positions/Speculation.h"
#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

/// Whether threads of a subgroup run `op` together.
static bool isSubgroupOperation(Operation *op) {
  return isSubgroupExchange(op) ||
         isa<gpu::SubgroupReduceOp, gpu::AllReduceOp>(op);
}

namespace {
/// Rebuilds the body of a kernel with `factor` replicas in it.
class ReplicaJam {
public:
  ReplicaJam(gpu::GPUFuncOp kernel, const UniformityAnalysis &uniformity,
             const SetVector<Value> &replicatedArrays, const PositionForm &form,
             Value position, const MergeRequest &request)
      : kernel(kernel), uniformity(uniformity),
        replicatedArrays(replicatedArrays), form(form), position(position),
        request(request), builder(kernel.getContext()), maps(request.factor) {}

  void run();

private:
  bool isVariantValue(Value value) const;
  bool differs(Value value) const;
  bool differs(ValueRange values) const {
    return llvm::any_of(values, [&](Value v) { return differs(v); });
  }
  bool needsReplicas(Operation *op) const;
  bool anyInsideNeedsReplicas(Operation *op) const;

  void findHarmless();
  void replicateArrays();
  void jamBlock(Block &block);
  void jamOperation(Operation *op);
  bool jamId(Operation *op);
  void mapReplicas(Value old, int64_t scale, int64_t step);
  void jamPosition();
  void jamCollectiveLoop(Operation *op);
  void jamCollectiveBodies(affine::AffineParallelOp loop);
  void jamLoop(LoopLikeOpInterface loop);
  void jamWhile(scf::WhileOp loop);
  void jamRegion(Region &from, Region &to, ValueRange carried,
                 ArrayRef<bool> variant);
  void jamBranch(scf::IfOp branch);
  void jamCommonBranch(scf::IfOp branch);
  void jamVariantBranch(scf::IfOp branch);
  void jamUnguarded(scf::IfOp branch);
  void jamForThreadsInside(scf::IfOp branch);
  void cloneOnce(Operation *op);
  void cloneReplicas(Operation *op);

  SmallVector<bool> variants(ValueRange values) const;
  SmallVector<Value> mappedOperands(ValueRange operands,
                                    ArrayRef<bool> variant) const;
  void mapResults(ValueRange old, ArrayRef<bool> variant, ValueRange now);
  Operation *createLoop(LoopLikeOpInterface loop, ValueRange inits);

  gpu::GPUFuncOp kernel;
  const UniformityAnalysis &uniformity;
  const SetVector<Value> &replicatedArrays;
  const PositionForm &form;
  /// The value that is block_id * T + thread_id, where positions are
  /// contiguous; else null.
  Value position;
  MergeRequest request;
  OpBuilder builder;
  /// Branches whose bodies may run unguarded, and those of their results that
  /// do not matter where the guard is false. See Positions/Speculation.h.
  llvm::SmallPtrSet<Operation *, 4> harmless;
  llvm::DenseSet<Value> wantedInsideOnly;
  /// What stands for an old value in each replica.
  SmallVector<IRMapping> maps;
  /// The new kernel's ids, where positions are contiguous.
  Value newBlock, newThread;
};
} // namespace

/// Whether the replicas have different values for `value`, by the analysis.
bool ReplicaJam::isVariantValue(Value value) const {
  return isVariant(uniformity.dependsOn(value), request.dimension) ||
         (isa<BaseMemRefType>(value.getType()) &&
          replicatedArrays.contains(memoryRoot(value)));
}

/// Whether the replicas have different values for `value`, as built.
bool ReplicaJam::differs(Value value) const {
  Value first = maps.front().lookupOrDefault(value);
  return llvm::any_of(maps, [&](const IRMapping &map) {
    return map.lookupOrDefault(value) != first;
  });
}

/// Whether `op`, which has no regions, is made once per replica.
bool ReplicaJam::needsReplicas(Operation *op) const {
  if (isa<gpu::BarrierOp>(op))
    return false;
  if (llvm::any_of(op->getResults(),
                   [&](Value v) { return isVariantValue(v); }) ||
      llvm::any_of(op->getOperands(),
                   [&](Value v) { return isVariantValue(v); }) ||
      differs(op->getOperands()))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  // The replicas' stores to an array that they share are one and the same.
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(
      effects, [&](const MemoryEffects::EffectInstance &effect) {
        if (!isa<MemoryEffects::Write>(effect.getEffect()))
          return false;
        return !effect.getValue() ||
               isVariant(
                   uniformity.contentsDependOn(memoryRoot(effect.getValue())),
                   request.dimension);
      });
}

bool ReplicaJam::anyInsideNeedsReplicas(Operation *op) const {
  return op->walk([&](Operation *nested) {
             return nested->getNumRegions() == 0 && needsReplicas(nested)
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           }).wasInterrupted() ||
         llvm::any_of(op->getResults(),
                      [&](Value v) { return isVariantValue(v); });
}

void ReplicaJam::cloneOnce(Operation *op) {
  Operation *copy = builder.clone(*op, maps.front());
  for (IRMapping &map : llvm::drop_begin(maps))
    map.map(op->getResults(), copy->getResults());
}

/// Windows of old blocks follow each other in position arrays. Contiguous
/// positions are right as they are: the thread's id has become another one.
void ReplicaJam::cloneReplicas(Operation *op) {
  for (auto [replica, map] : llvm::enumerate(maps)) {
    Operation *copy = builder.clone(*op, map);
    if (position)
      continue;
    copy->walk([&](Operation *access) {
      if (!isSubscriptedAccess(access))
        return;
      for (Value operand : access->getOperands())
        if (auto array = form.arrays.find(operand); array != form.arrays.end())
          shiftSubscript(access, array->second.subscript,
                         replica * array->second.stride);
    });
  }
}

SmallVector<bool> ReplicaJam::variants(ValueRange values) const {
  return llvm::map_to_vector(
      values, [&](Value value) { return isVariantValue(value); });
}

/// What stands for `operands`: one value, or one per replica where `variant`.
SmallVector<Value> ReplicaJam::mappedOperands(ValueRange operands,
                                              ArrayRef<bool> variant) const {
  SmallVector<Value> result;
  for (auto [operand, isVariant] : llvm::zip(operands, variant))
    for (unsigned replica = 0, end = isVariant ? maps.size() : 1; replica < end;
         ++replica)
      result.push_back(maps[replica].lookupOrDefault(operand));
  return result;
}

/// Undoes `mappedOperands` for results or block arguments.
void ReplicaJam::mapResults(ValueRange old, ArrayRef<bool> variant,
                            ValueRange now) {
  unsigned next = 0;
  for (auto [value, isVariant] : llvm::zip(old, variant)) {
    for (auto [replica, map] : llvm::enumerate(maps))
      map.map(value, now[isVariant ? next + replica : next]);
    next += isVariant ? maps.size() : 1;
  }
}

Operation *ReplicaJam::createLoop(LoopLikeOpInterface loop, ValueRange inits) {
  auto mapped = [&](ValueRange operands) {
    return llvm::map_to_vector(operands, [&](Value operand) {
      return maps.front().lookupOrDefault(operand);
    });
  };
  Operation *copy;
  if (auto op = dyn_cast<affine::AffineForOp>(*loop)) {
    copy = affine::AffineForOp::create(
        builder, op.getLoc(), mapped(op.getLowerBoundOperands()),
        op.getLowerBoundMap(), mapped(op.getUpperBoundOperands()),
        op.getUpperBoundMap(), op.getStepAsInt(), inits);
  } else {
    auto counted = cast<scf::ForOp>(*loop);
    auto bounds = mapped(
        {counted.getLowerBound(), counted.getUpperBound(), counted.getStep()});
    auto result = scf::ForOp::create(builder, loop.getLoc(), bounds[0],
                                     bounds[1], bounds[2], inits);
    result.setUnsignedCmp(counted.getUnsignedCmp());
    copy = result;
  }
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block &body = copy->getRegion(0).front();
  if (body.mightHaveTerminator())
    body.back().erase();
  return copy;
}

/// One loop around the bodies of all replicas.
void ReplicaJam::jamLoop(LoopLikeOpInterface loop) {
  SmallVector<bool> variant = variants(loop.getRegionIterArgs());
  auto copy = cast<LoopLikeOpInterface>(
      createLoop(loop, mappedOperands(loop.getInits(), variant)));
  for (IRMapping &map : maps)
    map.map(SmallVector<Value>(*loop.getLoopInductionVars()),
            SmallVector<Value>(*copy.getLoopInductionVars()));
  mapResults(loop.getRegionIterArgs(), variant,
             SmallVector<Value>(copy.getRegionIterArgs().begin(),
                                copy.getRegionIterArgs().end()));
  {
    OpBuilder::InsertionGuard guard(builder);
    Block &body = loop->getRegion(0).front();
    builder.setInsertionPointToEnd(&copy->getRegion(0).front());
    jamBlock(body);
    Operation *yield = body.getTerminator();
    OperationState state(yield->getLoc(), yield->getName());
    state.addOperands(mappedOperands(yield->getOperands(), variant));
    builder.create(state);
  }
  mapResults(loop->getResults(), variant, copy->getResults());
}

/// Jams the operations of `from`, whose arguments stand for `carried`, but for
/// the terminator. Leaves the builder at the end.
void ReplicaJam::jamRegion(Region &from, Region &to, ValueRange carried,
                           ArrayRef<bool> variant) {
  SmallVector<Type> types(carried.getTypes());
  SmallVector<Location> locations(carried.size(), from.getLoc());
  Block *block = builder.createBlock(&to, to.end(), types, locations);
  mapResults(from.getArguments(), variant, block->getArguments());
  jamBlock(from.front());
}

/// One loop for all replicas, which agree on when it ends.
void ReplicaJam::jamWhile(scf::WhileOp loop) {
  SmallVector<bool> carried = variants(loop.getBeforeArguments());
  SmallVector<bool> passed = variants(loop.getAfterArguments());
  for (auto [variant, result] : llvm::zip_equal(passed, loop.getResults()))
    variant |= isVariantValue(result);
  SmallVector<Value> inits = mappedOperands(loop.getInits(), carried);
  SmallVector<Type> types;
  for (auto [result, isVariant] : llvm::zip_equal(loop.getResults(), passed))
    types.append(isVariant ? maps.size() : 1, result.getType());
  auto copy = scf::WhileOp::create(builder, loop.getLoc(), types, inits);
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  {
    OpBuilder::InsertionGuard guard(builder);
    jamRegion(loop.getBefore(), copy.getBefore(), inits, carried);
    scf::ConditionOp condition = loop.getConditionOp();
    scf::ConditionOp::create(
        builder, condition.getLoc(),
        maps.front().lookupOrDefault(condition.getCondition()),
        mappedOperands(condition.getArgs(), passed));
    jamRegion(loop.getAfter(), copy.getAfter(), copy.getResults(), passed);
    scf::YieldOp yield = loop.getYieldOp();
    scf::YieldOp::create(builder, yield.getLoc(),
                         mappedOperands(yield.getOperands(), carried));
  }
  mapResults(loop.getResults(), passed, copy.getResults());
}

/// One branch around the bodies of all replicas, which agree on the condition.
void ReplicaJam::jamBranch(scf::IfOp branch) {
  SmallVector<bool> variant = variants(branch.getResults());
  SmallVector<Type> types;
  for (auto [result, isVariant] : llvm::zip(branch.getResults(), variant))
    types.append(isVariant ? maps.size() : 1, result.getType());
  auto copy = scf::IfOp::create(
      builder, branch.getLoc(), types,
      maps.front().lookupOrDefault(branch.getCondition()),
      /*addThenBlock=*/true, /*addElseBlock=*/branch.elseBlock() != nullptr);
  copy->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(branch->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    if (to.front().mightHaveTerminator())
      to.front().back().erase();
    builder.setInsertionPointToEnd(&to.front());
    jamBlock(from.front());
    Operation *yield = from.front().getTerminator();
    scf::YieldOp::create(builder, yield->getLoc(),
                         mappedOperands(yield->getOperands(), variant));
  }
  mapResults(branch.getResults(), variant, copy.getResults());
}

/// A branch that does the same for each replica that takes it, such as filling
/// an array that they share: done once if any does. The parts of the condition
/// that the replicas agree on stay apart, for what is merged next to see.
void ReplicaJam::jamCommonBranch(scf::IfOp branch) {
  Location loc = branch.getLoc();
  auto both = [&](Value left, Value right) -> Value {
    return left ? arith::AndIOp::create(builder, loc, left, right) : right;
  };
  SmallVector<Value> parts;
  collectConjuncts(branch.getCondition(), parts);
  Value common;
  SmallVector<Value> variant;
  for (Value part : parts) {
    if (differs(part))
      variant.push_back(part);
    else
      common = both(common, maps.front().lookupOrDefault(part));
  }
  Value any;
  for (IRMapping &map : maps) {
    Value own;
    for (Value part : variant)
      own = both(own, map.lookupOrDefault(part));
    any = any && own ? arith::OrIOp::create(builder, loc, any, own) : own;
  }
  IRMapping map = maps.front();
  map.map(branch.getCondition(), any ? both(common, any) : common);
  builder.clone(*branch, map);
}

/// A branch whose condition tells the replicas apart. Where it guards a loop,
/// the replicas should share it, so that copies are the last resort.
void ReplicaJam::jamVariantBranch(scf::IfOp branch) {
  bool hasLoop = false, runsTogether = false;
  branch.walk([&](Operation *op) {
    hasLoop |= isa<LoopLikeOpInterface>(op);
    runsTogether |= isSubgroupOperation(op);
  });
  bool isCommon = branch.getNumResults() == 0 &&
                  branch.getElseRegion().empty() && !runsTogether &&
                  !anyInsideNeedsReplicas(branch);
  if (isCommon)
    return jamCommonBranch(branch);
  if (!hasLoop || runsTogether)
    return cloneReplicas(branch);
  if (harmless.contains(branch))
    return jamUnguarded(branch);
  jamForThreadsInside(branch);
}

/// Runs the body for all replicas; those whose condition is false drop what
/// they computed, where somebody might look at it.
void ReplicaJam::jamUnguarded(scf::IfOp branch) {
  SmallVector<IRMapping> outside = maps;
  jamBlock(*branch.thenBlock());
  SmallVector<IRMapping> inside = std::exchange(maps, std::move(outside));
  for (OpResult result : branch.getResults()) {
    unsigned number = result.getResultNumber();
    for (auto [map, computed] : llvm::zip(maps, inside)) {
      Value kept =
          computed.lookupOrDefault(branch.thenYield().getOperand(number));
      if (!wantedInsideOnly.contains(result))
        kept = arith::SelectOp::create(
            builder, branch.getLoc(),
            map.lookupOrDefault(branch.getCondition()), kept,
            map.lookupOrDefault(branch.elseYield().getOperand(number)));
      map.map(result, kept);
    }
  }
}

/// A thread whose replicas all take the branch runs them jammed: that is nearly
/// every thread when the condition keeps work items inside an array. The others
/// run them one by one.
void ReplicaJam::jamForThreadsInside(scf::IfOp branch) {
  llvm::SetVector<Value> conditions;
  for (IRMapping &map : maps)
    conditions.insert(map.lookupOrDefault(branch.getCondition()));
  Value all = conditions.front();
  for (Value condition : llvm::drop_begin(conditions))
    all = arith::AndIOp::create(builder, branch.getLoc(), all, condition);

  SmallVector<bool> variant(branch.getNumResults(), true);
  SmallVector<Type> types;
  for (Value result : branch.getResults())
    types.append(maps.size(), result.getType());
  auto copy = scf::IfOp::create(builder, branch.getLoc(), types, all,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (Region *region : {&copy.getThenRegion(), &copy.getElseRegion()})
    if (region->front().mightHaveTerminator())
      region->front().back().erase();
  // What the jam makes of the branch must not leak into the copies after it.
  SmallVector<IRMapping> outside = maps;
  builder.setInsertionPointToEnd(copy.thenBlock());
  jamBlock(*branch.thenBlock());
  scf::YieldOp::create(
      builder, branch.getLoc(),
      mappedOperands(branch.thenYield().getOperands(), variant));
  maps = std::move(outside);
  builder.setInsertionPointToEnd(copy.elseBlock());
  cloneReplicas(branch);
  scf::YieldOp::create(builder, branch.getLoc(),
                       mappedOperands(branch.getResults(), variant));
  mapResults(branch.getResults(), variant, copy.getResults());
}

/// Maps `old`, of which the new kernel's is `old` at the insertion point, to
/// old * scale + r * step in replica r.
void ReplicaJam::mapReplicas(Value old, int64_t scale, int64_t step) {
  Value now = maps.front().lookup(old);
  for (auto [replica, map] : llvm::enumerate(maps)) {
    AffineExpr expression = builder.getAffineDimExpr(0) * scale +
                            static_cast<int64_t>(replica) * step;
    map.map(old, affine::AffineApplyOp::create(builder, old.getLoc(),
                                               AffineMap::get(1, 0, expression),
                                               ValueRange{now})
                     .getResult());
  }
}

/// Replica r has position (block_id * T + thread_id) * factor + r.
void ReplicaJam::jamPosition() {
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  for (auto [replica, map] : llvm::enumerate(maps)) {
    AffineExpr expression = (d0 * form.threads + d1) * request.factor +
                            static_cast<int64_t>(replica);
    map.map(position,
            affine::AffineApplyOp::create(builder, position.getLoc(),
                                          AffineMap::get(2, 0, expression),
                                          ValueRange{newBlock, newThread})
                .getResult());
  }
}

/// Ids along the dimension. Interleaved, old block b is replica r of the new
/// block: b = new * factor + r. Contiguous, the block's id is left in
/// collective loops, which are over positions from the first replica's on, and
/// the thread's id t in subscripts of position arrays: t = new * factor + r.
bool ReplicaJam::jamId(Operation *op) {
  auto block = dyn_cast<gpu::BlockIdOp>(op);
  auto thread = dyn_cast<gpu::ThreadIdOp>(op);
  if (block && block.getDimension() == request.dimension) {
    cloneOnce(op);
    newBlock = maps.front().lookup(block);
    mapReplicas(block, request.factor, position ? 0 : 1);
    return true;
  }
  if (position && thread && thread.getDimension() == request.dimension) {
    cloneOnce(op);
    newThread = maps.front().lookup(thread);
    mapReplicas(thread, request.factor, 1);
    return true;
  }
  if (position && op == position.getDefiningOp()) {
    jamPosition();
    return true;
  }
  return false;
}

/// One loop over the positions of all replicas; the first one's begin first.
void ReplicaJam::jamCollectiveLoop(Operation *op) {
  Operation *copy = builder.clone(*op, maps.front());
  if (auto entry = form.loops.find(op); entry != form.loops.end())
    growLoop(copy, entry->second, request.factor);
}

/// One collective loop for the bodies of all replicas, which are no function of
/// a position.
void ReplicaJam::jamCollectiveBodies(affine::AffineParallelOp loop) {
  auto copy = cast<affine::AffineParallelOp>(
      builder.cloneWithoutRegions(*loop, maps.front()));
  Block &body = copy.getRegion().emplaceBlock();
  for (Value iterator : loop.getIVs()) {
    Value now = body.addArgument(iterator.getType(), iterator.getLoc());
    for (IRMapping &map : maps)
      map.map(iterator, now);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&body);
  jamBlock(*loop.getBody());
  affine::AffineYieldOp::create(builder, loop.getLoc());
}

void ReplicaJam::jamOperation(Operation *op) {
  if (jamId(op))
    return;
  if (form.isSingleLoop(op))
    return jamCollectiveLoop(op);
  if (isCollective(op) && !differs(op->getOperands()))
    return jamCollectiveBodies(cast<affine::AffineParallelOp>(op));
  if (op->getNumRegions() == 0)
    return needsReplicas(op) ? cloneReplicas(op) : cloneOnce(op);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    bool isSplit =
        isVariantValue(branch.getCondition()) || differs(branch.getCondition());
    return isSplit ? jamVariantBranch(branch) : jamBranch(branch);
  }
  if (isa<scf::ForOp, affine::AffineForOp>(op)) {
    auto loop = cast<LoopLikeOpInterface>(op);
    unsigned numInits = loop.getInits().size();
    ValueRange bounds = op->getOperands().drop_back(numInits);
    bool isSplit = differs(bounds) || llvm::any_of(bounds, [&](Value v) {
                     return isVariantValue(v);
                   });
    return isSplit ? cloneReplicas(op) : jamLoop(loop);
  }
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (loop && !isVariantValue(loop.getConditionOp().getCondition()))
    return jamWhile(loop);
  anyInsideNeedsReplicas(op) ? cloneReplicas(op) : cloneOnce(op);
}

void ReplicaJam::jamBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    jamOperation(&op);
}

void ReplicaJam::findHarmless() {
  ArrayRef<int64_t> block = geometryOf(kernel).getBlock();
  kernel.getBody().walk([&](scf::IfOp branch) {
    if (!isHarmlessUnguarded(branch, {block[0], block[1], block[2]}))
      return;
    harmless.insert(branch);
    branch.getThenRegion().walk([](affine::AffineForOp loop) {
      dropPoisonFlagsBehind(loop.getControlOperands());
    });
    for (OpResult result : branch.getResults())
      if (isWantedInsideOnly(branch, result))
        wantedInsideOnly.insert(result);
  });
}

/// Replica 0 keeps the array, the others get new ones.
void ReplicaJam::replicateArrays() {
  auto replicate = [&](ArrayRef<BlockArgument> arrays, auto addArray) {
    for (Value array : SmallVector<Value>(arrays.begin(), arrays.end()))
      for (IRMapping &map : llvm::drop_begin(maps))
        if (replicatedArrays.contains(array))
          map.map(array, addArray(array.getType(), array.getLoc()));
  };
  replicate(kernel.getWorkgroupAttributions(), [&](Type type, Location loc) {
    return kernel.addWorkgroupAttribution(type, loc);
  });
  replicate(kernel.getPrivateAttributions(), [&](Type type, Location loc) {
    return kernel.addPrivateAttribution(type, loc);
  });
}

void ReplicaJam::run() {
  findHarmless();
  Block &body = kernel.getBody().front();
  // Ids first: a region that is copied as a whole must not contain one.
  if (!position)
    kernel.getBody().walk([&](gpu::BlockIdOp op) {
      if (op.getDimension() == request.dimension)
        op->moveBefore(&body, body.begin());
    });
  Region scratch;
  auto *old = new Block();
  scratch.push_back(old);
  old->getOperations().splice(old->end(), body.getOperations());
  growArrays(form, request.factor);
  replicateArrays();
  builder.setInsertionPointToEnd(&body);
  jamBlock(*old);
  builder.clone(*old->getTerminator(), maps.front());
  old->dropAllDefinedValueUses();
}

void gpuopt::jamReplicas(gpu::GPUFuncOp kernel,
                         const UniformityAnalysis &uniformity,
                         const SetVector<Value> &replicatedArrays,
                         const PositionForm &form, Value position,
                         const MergeRequest &request) {
  ReplicaJam(kernel, uniformity, replicatedArrays, form, position, request)
      .run();
}
