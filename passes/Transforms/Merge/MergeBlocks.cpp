//===- MergeBlocks.cpp - one block does the work of several ---------------===//
//
// `factor` neighbouring blocks become one with as many times the threads (Yang
// et al. 2012, section 3.5.1). A kernel that is a function of positions (see
// PositionForm.h) stays one: collective loops and the arrays that they fill
// become `factor` times as long, other code only gets another position.
//
// In other kernels the threads that were old block
// b * factor + s are *sub-block* s of new block b; which one a thread belongs
// to follows from its id. Workgroup arrays become private to a sub-block, but
// for those that all sub-blocks would fill with the same data: there is one
// copy, and the first sub-block fills it for all.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Merge/MergeBlocks.h"

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Transforms/Merge/SubBlocks.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Positions/GatherPositions.h"
#include "passes/Transforms/Positions/GrowWindows.h"
#include "passes/Transforms/Positions/PositionForm.h"
#include "passes/Transforms/Positions/SharedArrays.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gpuopt {
#define GEN_PASS_DEF_MERGEBLOCKS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

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
  return llvm::none_of(usersThroughViews(array), [&](Operation *user) {
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

/// Checks the limits of a merged kernel whose sub-blocks have their own arrays.
static std::optional<Refusal> checkLimits(gpu::GPUFuncOp kernel,
                                          const ArrayPlan &plan, int64_t factor,
                                          TargetAttr target) {
  if (auto refusal = checkThreadCount(kernel, factor, target))
    return refusal;
  int64_t bytes = workgroupBytes(kernel);
  for (Value array : plan.privatised) {
    bytes += (factor - 1) * staticBytes(array.getType());
    if (!canPrivatise(array))
      return Refusal{array.getLoc(), "a workgroup array is used in a way that "
                                     "cannot be given to each merged block"};
  }
  return checkWorkgroupBytes(kernel, bytes, target);
}

/// Checks the limits of a merged kernel in position form.
static std::optional<Refusal> checkPositions(gpu::GPUFuncOp kernel,
                                             const PositionForm &form,
                                             int64_t factor,
                                             TargetAttr target) {
  if (auto refusal = checkThreadCount(kernel, factor, target))
    return refusal;
  return checkWorkgroupBytes(kernel, workgroupBytesGrown(kernel, form, factor),
                             target);
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

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

/// Whether all that `loop` writes are arrays of `shared`.
static bool fillsOnly(affine::AffineParallelOp loop,
                      const SetVector<Value> &shared) {
  return !loop.walk([&](Operation *op) {
                Value memref;
                if (auto store = dyn_cast<affine::AffineStoreOp>(op))
                  memref = store.getMemref();
                else if (auto plainStore = dyn_cast<memref::StoreOp>(op))
                  memref = plainStore.getMemref();
                return memref && !shared.contains(memref)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// The threads of all sub-blocks share out what each of them did for itself: a
/// collective loop also counts the sub-blocks, but for those that fill arrays
/// which there is one of.
static void mergeCollectiveLoops(gpu::GPUFuncOp kernel,
                                 const SetVector<Value> &shared, Value subBlock,
                                 int64_t factor) {
  SmallVector<affine::AffineParallelOp> loops;
  kernel.getBody().walk([&](affine::AffineParallelOp loop) {
    if (isCollective(loop))
      loops.push_back(loop);
  });
  for (affine::AffineParallelOp loop : loops) {
    bool isSingle = fillsOnly(loop, shared);
    OpBuilder builder(loop);
    SmallVector<int64_t> extents = *collectiveExtents(loop);
    if (!isSingle)
      extents.insert(extents.begin(), factor);
    auto merged = createCollectiveLoop(builder, loop.getLoc(), extents);
    builder.setInsertionPointToStart(merged.getBody());
    SliceCloner cloner(builder);
    ValueRange variables = merged.getIVs();
    cloner.substitute(subBlock, isSingle ? arith::ConstantIndexOp::create(
                                               builder, loop.getLoc(), 0)
                                               .getResult()
                                         : variables.front());
    for (auto [from, to] :
         llvm::zip_equal(loop.getIVs(), variables.take_back(loop.getNumDims())))
      cloner.substitute(from, to);
    cloner.cloneBody(*loop.getBody());
    loop.erase();
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Merges a kernel in position form.
static void mergePositions(gpu::GPUFuncOp kernel, const PositionForm &form,
                           const MergeRequest &request) {
  auto position =
      gatherPositions(kernel, form).getDefiningOp<affine::AffineApplyOp>();
  OpBuilder builder(position);
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  position.setMap(
      AffineMap::get(2, 0, d0 * form.threads * request.factor + d1));
  // Collective loops begin with the first of the merged blocks.
  Value block = position.getMapOperands().front();
  Value first = affine::AffineApplyOp::create(
      builder, position.getLoc(), AffineMap::get(1, 0, d0 * request.factor),
      block);
  block.replaceUsesWithIf(first, [&](OpOperand &use) {
    return use.getOwner() != position &&
           use.getOwner() != first.getDefiningOp();
  });
  growArrays(form, request.factor);
  for (auto [loop, entry] : form.loops)
    growLoop(loop, entry, request.factor);
  simplifyIndices(kernel);
}

/// Merges a kernel that is not in position form.
static void mergeSubBlocks(gpu::GPUFuncOp kernel, const ArrayPlan &plan,
                           const MergeRequest &request) {
  Value subBlock = splitIntoSubBlocks(kernel, request);
  for (Value array : plan.privatised)
    privatise(array, subBlock, request.factor);
  mergeCollectiveLoops(kernel, plan.shared, subBlock, request.factor);
  guardStores(kernel, plan.shared, subBlock);
  simplifyIndices(kernel);
}

std::variant<Refusal, ArraysOfBlocks>
gpuopt::tryMergingBlocks(gpu::GPUFuncOp kernel, const MergeRequest &request,
                         TargetAttr target) {
  if (auto refusal = checkBlocksIndependent(kernel, request.dimension))
    return *refusal;
  if (auto refusal = checkThreadGrouping(kernel, request.dimension, target))
    return *refusal;
  UniformityAnalysis uniformity(kernel);
  if (auto refusal = checkBarriersAgree(kernel, uniformity, request.dimension))
    return *refusal;
  PositionForm form =
      computePositionForm(kernel, uniformity, request.dimension);
  ArrayPlan plan = planArrays(kernel, uniformity, request.dimension);
  if (auto refusal = form.obstacle
                         ? checkLimits(kernel, plan, request.factor, target)
                         : checkPositions(kernel, form, request.factor, target))
    return *refusal;
  scaleGridSizes(kernel, request);
  if (form.obstacle)
    mergeSubBlocks(kernel, plan, request);
  else
    mergePositions(kernel, form, request);
  updateGeometry(kernel, request, /*growBlock=*/true);
  ArraysOfBlocks arrays;
  arrays.privatised = form.obstacle ? plan.privatised.size() : 0;
  arrays.grown = form.obstacle ? 0 : form.arrays.size();
  arrays.shared =
      kernel.getNumWorkgroupAttributions() - arrays.privatised - arrays.grown;
  return arrays;
}

bool gpuopt::mergeBlocks(gpu::GPUFuncOp kernel, const MergeRequest &request,
                         TargetAttr target) {
  std::variant<Refusal, ArraysOfBlocks> outcome =
      tryMergingBlocks(kernel, request, target);
  if (const auto *refusal = std::get_if<Refusal>(&outcome)) {
    sayMissed(RemarkCode::BlocksNotMerged, kernel, *refusal);
    return false;
  }
  const auto &arrays = std::get<ArraysOfBlocks>(outcome);
  sayPassed(RemarkCode::BlocksMerged, kernel, kernel.getLoc(),
            {{"factor", request.factor},
             {"dimension", gpu::stringifyDimension(request.dimension)}})
      << remark::metric("shared_arrays", arrays.shared)
      << remark::metric("grown_arrays", arrays.grown)
      << remark::metric("private_arrays", arrays.privatised);
  return true;
}

namespace {
struct MergeBlocks : public gpuopt::impl::MergeBlocksBase<MergeBlocks> {
  using MergeBlocksBase::MergeBlocksBase;

  void runOnOperation() override {
    FailureOr<int64_t> number =
        mergeKernels(getOperation(), dim, factor, target, mergeBlocks);
    if (failed(number))
      return signalPassFailure();
    merged += *number;
  }
};
} // namespace
