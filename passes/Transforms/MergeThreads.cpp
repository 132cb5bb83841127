//===- MergeThreads.cpp - one thread does the work of several -------------===//
//
// Threads with equal ids of `factor` neighbouring blocks become one thread: an
// unroll-and-jam over the blocks (Yang et al. 2012, section 3.5.2). Old block
// b * factor + r is *replica* r. What depends on the id of the old block is
// made once per replica, everything else once. The replicas run interleaved,
// operation by operation, each in its own order; that is one of the orders in
// which the blocks may run anyway.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Merge.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/Speculation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {
#define GEN_PASS_DEF_MERGETHREADSPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

static constexpr StringLiteral kRemarkName = "MergeThreads";

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether threads of a subgroup run `op` together.
static bool isSubgroupOperation(Operation *op) {
  return isa<gpu::ShuffleOp, gpu::SubgroupReduceOp, gpu::AllReduceOp>(op);
}

/// Whether the jam can keep one copy of `op` around its replicas' bodies.
static bool isJammable(Operation *op) {
  return isa<scf::IfOp, scf::ForOp, affine::AffineForOp, gpu::GPUFuncOp>(op);
}

/// Barriers stay single, so that every operation around one has to.
static std::optional<Refusal> checkAroundBarriers(gpu::GPUFuncOp kernel) {
  std::optional<Refusal> refusal;
  kernel.getBody().walk([&](gpu::BarrierOp barrier) {
    for (Operation *parent = barrier->getParentOp(); parent != kernel;
         parent = parent->getParentOp())
      if (!isJammable(parent))
        refusal = Refusal{barrier.getLoc(),
                          "a barrier stands inside '" +
                              parent->getName().getStringRef().str() + "'"};
  });
  return refusal;
}

/// Private and workgroup arrays that each replica needs its own copy of.
static SetVector<Value> findVariantArrays(gpu::GPUFuncOp kernel,
                                          const UniformityAnalysis &uniformity,
                                          gpu::Dimension dimension) {
  SetVector<Value> arrays;
  auto consider = [&](Value array) {
    if (isVariant(uniformity.contentsDependOn(array), dimension))
      arrays.insert(array);
  };
  llvm::for_each(kernel.getWorkgroupAttributions(), consider);
  llvm::for_each(kernel.getPrivateAttributions(), consider);
  kernel.getBody().walk([&](memref::AllocaOp op) { consider(op.getMemref()); });
  return arrays;
}

static std::optional<Refusal>
checkWorkgroupMemory(gpu::GPUFuncOp kernel,
                     const SetVector<Value> &variantArrays, int64_t factor,
                     TargetAttr target) {
  int64_t bytes = workgroupBytes(kernel);
  for (Value array : kernel.getWorkgroupAttributions())
    if (variantArrays.contains(array))
      bytes += (factor - 1) * staticBytes(array.getType());
  int64_t limit = staticWorkgroupLimit(target);
  if (bytes <= limit)
    return std::nullopt;
  return Refusal{kernel.getLoc(),
                 "needs " + std::to_string(bytes) +
                     " bytes of workgroup memory, a block has " +
                     std::to_string(limit)};
}

//===----------------------------------------------------------------------===//
// Unroll and jam
//===----------------------------------------------------------------------===//

namespace {
/// Rebuilds the body of a kernel with `factor` replicas in it.
class ReplicaJam {
public:
  ReplicaJam(gpu::GPUFuncOp kernel, const UniformityAnalysis &uniformity,
             SetVector<Value> variantArrays, const MergeRequest &request)
      : kernel(kernel), uniformity(uniformity),
        variantArrays(std::move(variantArrays)), request(request),
        builder(kernel.getContext()), maps(request.factor) {}

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
  void jamBlockId(gpu::BlockIdOp op);
  void jamLoop(LoopLikeOpInterface loop);
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
  SetVector<Value> variantArrays;
  MergeRequest request;
  OpBuilder builder;
  /// Branches whose bodies may run unguarded, and those of their results that
  /// do not matter where the guard is false. See Utils/Speculation.h.
  llvm::SmallPtrSet<Operation *, 4> harmless;
  llvm::DenseSet<Value> wantedInsideOnly;
  /// What stands for an old value in each replica.
  SmallVector<IRMapping> maps;
};
} // namespace

/// Whether the replicas have different values for `value`, by the analysis.
bool ReplicaJam::isVariantValue(Value value) const {
  return isVariant(uniformity.dependsOn(value), request.dimension) ||
         (isa<BaseMemRefType>(value.getType()) &&
          variantArrays.contains(memoryRoot(value)));
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

void ReplicaJam::cloneReplicas(Operation *op) {
  for (IRMapping &map : maps)
    builder.clone(*op, map);
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

/// Adds the parts of the conjunction `condition`.
static void collectConjuncts(Value condition, SmallVectorImpl<Value> &parts) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both)
    return parts.push_back(condition);
  collectConjuncts(both.getLhs(), parts);
  collectConjuncts(both.getRhs(), parts);
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
  bool isCommon = branch.getNumResults() == 0 &&
                  branch.getElseRegion().empty() &&
                  !anyInsideNeedsReplicas(branch);
  if (isCommon)
    return jamCommonBranch(branch);
  bool hasLoop = false, runsTogether = false;
  branch.getThenRegion().walk([&](Operation *op) {
    hasLoop |= isa<LoopLikeOpInterface>(op);
    runsTogether |= isSubgroupOperation(op);
  });
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

/// Old block b is replica r of the new block: b = new * factor + r.
void ReplicaJam::jamBlockId(gpu::BlockIdOp op) {
  Value id = gpu::BlockIdOp::create(builder, op.getLoc(), op.getType(),
                                    op.getDimension());
  for (auto [replica, map] : llvm::enumerate(maps)) {
    AffineExpr old = builder.getAffineDimExpr(0) * request.factor +
                     static_cast<int64_t>(replica);
    map.map(op.getResult(),
            affine::AffineApplyOp::create(
                builder, op.getLoc(), AffineMap::get(1, 0, old), ValueRange{id})
                .getResult());
  }
}

void ReplicaJam::jamOperation(Operation *op) {
  if (auto id = dyn_cast<gpu::BlockIdOp>(op);
      id && id.getDimension() == request.dimension)
    return jamBlockId(id);
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
        if (variantArrays.contains(array))
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
  kernel.getBody().walk([&](gpu::BlockIdOp op) {
    if (op.getDimension() == request.dimension)
      op->moveBefore(&body, body.begin());
  });
  Region scratch;
  auto *old = new Block();
  scratch.push_back(old);
  old->getOperations().splice(old->end(), body.getOperations());
  replicateArrays();
  builder.setInsertionPointToEnd(&body);
  jamBlock(*old);
  builder.clone(*old->getTerminator(), maps.front());
  old->dropAllDefinedValueUses();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

bool gpuopt::mergeThreads(gpu::GPUFuncOp kernel, const MergeRequest &request,
                          TargetAttr target) {
  std::optional<Refusal> refusal =
      checkBlocksIndependent(kernel, request.dimension);
  if (!refusal)
    refusal = checkAroundBarriers(kernel);
  if (refusal) {
    reportRefusal(kRemarkName, kernel, *refusal);
    return false;
  }
  UniformityAnalysis uniformity(kernel);
  SetVector<Value> arrays =
      findVariantArrays(kernel, uniformity, request.dimension);
  refusal = checkBarriersAgree(kernel, uniformity, request.dimension);
  if (!refusal)
    refusal = checkWorkgroupMemory(kernel, arrays, request.factor, target);
  if (refusal) {
    reportRefusal(kRemarkName, kernel, *refusal);
    return false;
  }
  ReplicaJam(kernel, uniformity, arrays, request).run();
  updateGeometry(kernel, request, /*growBlock=*/false);
  remark::passed(kernel.getLoc(), remarkOptions(kRemarkName, kernel))
      << remark::add("a thread does the work of {0} along {1}", request.factor,
                     gpu::stringifyDimension(request.dimension).str())
      << remark::metric("arrays_per_replica", static_cast<int>(arrays.size()));
  return true;
}

namespace {
struct MergeThreads : public gpuopt::impl::MergeThreadsPassBase<MergeThreads> {
  using MergeThreadsPassBase::MergeThreadsPassBase;

  void runOnOperation() override {
    std::optional<MergeRequest> request =
        parseMergeRequest(getOperation().getLoc(), dim, factor);
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (!request || failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      if (request->factor > 1)
        merged += mergeThreads(kernel, *request, *machine);
  }
};
} // namespace
