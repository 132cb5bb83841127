//===- MergeBlocks.cpp - one block does the work of several ---------------===//
//
// `factor` neighbouring blocks become one with as many times the threads (Yang
// et al. 2012, section 3.5.1). The threads that were old block
// b * factor + s are *sub-block* s of new block b; which one a thread belongs
// to follows from its id. Workgroup arrays become private to a sub-block, but
// for those that all sub-blocks would fill with the same data: there is one
// copy, and the first sub-block fills it for all.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Merge.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/SharedArrays.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gpuopt {
#define GEN_PASS_DEF_MERGEBLOCKSPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

static constexpr llvm::StringLiteral kRemarkName = "MergeBlocks";

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Checks that nothing depends on which threads form a subgroup or a block.
static std::optional<Refusal> checkThreads(gpu::GPUFuncOp kernel) {
  std::optional<Refusal> refusal;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::NumSubgroupsOp,
            gpu::ShuffleOp, gpu::SubgroupReduceOp, gpu::AllReduceOp>(op))
      refusal =
          Refusal{op->getLoc(), "'" + op->getName().getStringRef().str() +
                                    "' depends on how threads are grouped"};
  });
  return refusal;
}

/// Whether an array that each sub-block needs its own copy of can get one.
static bool canPrivatise(Value array) {
  return cast<MemRefType>(array.getType()).getLayout().isIdentity() &&
         llvm::all_of(array.getUsers(), [&](Operation *user) {
           if (auto store = dyn_cast<memref::StoreOp>(user))
             return store.getValueToStore() != array;
           if (auto store = dyn_cast<affine::AffineStoreOp>(user))
             return store.getValueToStore() != array;
           return isa<memref::LoadOp, affine::AffineLoadOp>(user);
         });
}

namespace {
/// How the workgroup arrays of a kernel are merged.
struct ArrayPlan {
  /// Filled by the first sub-block for all of them.
  SetVector<Value> shared;
  /// One copy for each sub-block.
  SetVector<Value> privatised;
};
} // namespace

/// Whether each of the merged blocks stores to `array` when the others do.
static bool areStoresCommon(Value array, const UniformityAnalysis &uniformity,
                            gpu::Dimension dimension) {
  return llvm::none_of(array.getUsers(), [&](Operation *user) {
    return !isMemoryEffectFree(user) &&
           isVariant(uniformity.controlDependsOn(user), dimension);
  });
}

static ArrayPlan planArrays(gpu::GPUFuncOp kernel,
                            const UniformityAnalysis &uniformity,
                            gpu::Dimension dimension) {
  ArrayPlan plan;
  llvm::SmallPtrSet<void *, 8> unsynchronised =
      findUnsynchronisedArrays(kernel);
  for (Value array : kernel.getWorkgroupAttributions()) {
    bool isShared = !isVariant(uniformity.contentsDependOn(array), dimension) &&
                    areStoresCommon(array, uniformity, dimension) &&
                    !unsynchronised.contains(array.getAsOpaquePointer());
    (isShared ? plan.shared : plan.privatised).insert(array);
  }
  return plan;
}

static std::optional<Refusal> checkLimits(gpu::GPUFuncOp kernel,
                                          const ArrayPlan &plan, int64_t factor,
                                          TargetAttr target) {
  int64_t threads = factor, bytes = workgroupBytes(kernel);
  for (int64_t extent : geometryOf(kernel).getBlock())
    threads *= extent;
  if (threads > target.getThreadsPerWorkgroup())
    return Refusal{kernel.getLoc(),
                   "needs " + std::to_string(threads) +
                       " threads, a block has at most " +
                       std::to_string(target.getThreadsPerWorkgroup())};
  for (Value array : plan.privatised) {
    bytes += (factor - 1) * staticBytes(array.getType());
    if (!canPrivatise(array))
      return Refusal{array.getLoc(), "a workgroup array is used in a way that "
                                     "cannot be given to each merged block"};
  }
  if (bytes > staticWorkgroupLimit(target))
    return Refusal{kernel.getLoc(),
                   "needs " + std::to_string(bytes) +
                       " bytes of workgroup memory, a block has " +
                       std::to_string(staticWorkgroupLimit(target))};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Replaces the ids of the old blocks and threads by what they are in the new
/// ones. Returns the id of the sub-block.
static Value recomputeIds(gpu::GPUFuncOp kernel, const MergeRequest &request) {
  int64_t extent = geometryOf(kernel).getBlock()[unsigned(request.dimension)];
  gatherIds(kernel);
  OpBuilder builder(kernel.getContext());
  Value thread = threadIdAtTop(kernel, unsigned(request.dimension));
  builder.setInsertionPointAfterValue(thread);
  Location loc = thread.getLoc();
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  auto apply = [&](AffineExpr expression, ValueRange operands) -> Value {
    return affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(operands.size(), 0, expression), operands);
  };
  Value subBlock = apply(d0.floorDiv(extent), thread);
  Value inSubBlock = apply(d0 % extent, thread);
  thread.replaceUsesWithIf(inSubBlock, [&](OpOperand &use) {
    return use.getOwner() != subBlock.getDefiningOp() &&
           use.getOwner() != inSubBlock.getDefiningOp();
  });
  kernel.getBody().walk([&](gpu::BlockIdOp id) {
    if (id.getDimension() != request.dimension)
      return;
    id->moveBefore(subBlock.getDefiningOp());
    builder.setInsertionPointAfterValue(inSubBlock);
    Value old = apply(d0 * request.factor + d1, {id.getResult(), subBlock});
    id.getResult().replaceAllUsesExcept(old, old.getDefiningOp());
  });
  kernel.getBody().walk([&](gpu::BlockDimOp size) {
    if (size.getDimension() != request.dimension)
      return;
    OpBuilder here(size);
    size.replaceAllUsesWith(
        arith::ConstantIndexOp::create(here, size.getLoc(), extent)
            .getResult());
  });
  return subBlock;
}

/// Indexes an affine access by the sub-block first.
template <typename Access>
static void prependSubBlock(Access access, Value subBlock) {
  AffineMap map = access.getAffineMap();
  unsigned numDims = map.getNumDims();
  SmallVector<AffineExpr> results(map.getResults());
  results.insert(results.begin(),
                 getAffineDimExpr(numDims, access.getContext()));
  SmallVector<Value> operands(access.getMapOperands());
  operands.insert(operands.begin() + numDims, subBlock);
  access.setMap(AffineMap::get(numDims + 1, map.getNumSymbols(), results,
                               access.getContext()));
  access.getIndicesMutable().assign(operands);
}

/// Gives each sub-block its own copy of `array`.
static void privatise(Value array, Value subBlock, int64_t factor) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), factor);
  array.setType(MemRefType::get(shape, type.getElementType(),
                                MemRefLayoutAttrInterface(),
                                type.getMemorySpace()));
  for (Operation *user : llvm::to_vector(array.getUsers())) {
    if (auto load = dyn_cast<affine::AffineLoadOp>(user))
      prependSubBlock(load, subBlock);
    else if (auto store = dyn_cast<affine::AffineStoreOp>(user))
      prependSubBlock(store, subBlock);
    else if (auto plainLoad = dyn_cast<memref::LoadOp>(user))
      plainLoad.getIndicesMutable().slice(0, 0).append(subBlock);
    else
      cast<memref::StoreOp>(user).getIndicesMutable().slice(0, 0).append(
          subBlock);
  }
}

/// Composes and simplifies the subscripts of the kernel: with the new ids in
/// it, `(t floordiv 16) * 16 + t mod 16` is `t` again.
static void simplifyIndices(gpu::GPUFuncOp kernel) {
  auto simplify = [](auto op, OperandRange operands) {
    AffineMap map = op.getAffineMap();
    SmallVector<Value> composed(operands);
    affine::fullyComposeAffineMapAndOperands(&map, &composed);
    map = simplifyAffineMap(map);
    affine::canonicalizeMapAndOperands(&map, &composed);
    return std::make_pair(map, composed);
  };
  kernel.getBody().walk([&](Operation *op) {
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      auto [map, operands] = simplify(apply, apply.getMapOperands());
      apply.setMap(map);
      apply.getMapOperandsMutable().assign(operands);
    } else if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
      auto [map, operands] = simplify(load, load.getMapOperands());
      load.setMap(map);
      load.getIndicesMutable().assign(operands);
    } else if (auto store = dyn_cast<affine::AffineStoreOp>(op)) {
      auto [map, operands] = simplify(store, store.getMapOperands());
      store.setMap(map);
      store.getIndicesMutable().assign(operands);
    }
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

bool gpuopt::mergeBlocks(gpu::GPUFuncOp kernel, const MergeRequest &request,
                         TargetAttr target) {
  std::optional<Refusal> refusal =
      checkBlocksIndependent(kernel, request.dimension);
  if (!refusal)
    refusal = checkThreads(kernel);
  if (refusal) {
    reportRefusal(kRemarkName, kernel, *refusal);
    return false;
  }
  UniformityAnalysis uniformity(kernel);
  ArrayPlan plan = planArrays(kernel, uniformity, request.dimension);
  refusal = checkBarriersAgree(kernel, uniformity, request.dimension);
  if (!refusal)
    refusal = checkLimits(kernel, plan, request.factor, target);
  if (refusal) {
    reportRefusal(kRemarkName, kernel, *refusal);
    return false;
  }
  Value subBlock = recomputeIds(kernel, request);
  for (Value array : plan.privatised)
    privatise(array, subBlock, request.factor);
  guardStores(kernel, plan.shared, subBlock);
  simplifyIndices(kernel);
  updateGeometry(kernel, request, /*growBlock=*/true);
  remark::passed(kernel.getLoc(), remarkOptions(kRemarkName, kernel))
      << remark::add("a block does the work of {0} along {1}", request.factor,
                     gpu::stringifyDimension(request.dimension).str())
      << remark::metric("shared_arrays", static_cast<int>(plan.shared.size()))
      << remark::metric("private_arrays",
                        static_cast<int>(plan.privatised.size()));
  return true;
}

namespace {
struct MergeBlocks : public gpuopt::impl::MergeBlocksPassBase<MergeBlocks> {
  using MergeBlocksPassBase::MergeBlocksPassBase;

  void runOnOperation() override {
    std::optional<MergeRequest> request =
        parseMergeRequest(getOperation().getLoc(), dim, factor);
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (!request || failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      if (request->factor > 1)
        merged += mergeBlocks(kernel, *request, *machine);
  }
};
} // namespace
