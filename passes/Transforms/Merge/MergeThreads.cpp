//===- MergeThreads.cpp - one thread does the work of several -------------===//
//
// Threads of `factor` neighbouring blocks become one thread: an unroll-and-jam
// over the blocks (Yang et al. 2012, section 3.5.2), see ReplicaJam.h. Old
// block b * factor + r is replica r, and replicas run in one of the orders in
// which the blocks may run anyway. In a kernel that is a function of positions
// (see PositionForm.h) the thread may instead take positions next to each
// other, so that what it loads and stores becomes contiguous.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Merge/MergeThreads.h"

#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Positions/GatherPositions.h"
#include "passes/Transforms/Positions/GrowWindows.h"
#include "passes/Transforms/Positions/ReplicaJam.h"
#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gpuopt {
#define GEN_PASS_DEF_MERGETHREADS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether the jam can keep one copy of `op` around its replicas' bodies.
static bool isJammable(Operation *op) {
  return isa<scf::IfOp, scf::ForOp, scf::WhileOp, affine::AffineForOp,
             gpu::GPUFuncOp>(op);
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
static SetVector<Value>
findReplicatedArrays(gpu::GPUFuncOp kernel,
                     const UniformityAnalysis &uniformity,
                     const PositionForm &form, gpu::Dimension dimension) {
  SetVector<Value> arrays;
  auto consider = [&](Value array) {
    if (!form.arrays.contains(array) &&
        isVariant(uniformity.contentsDependOn(array), dimension))
      arrays.insert(array);
  };
  llvm::for_each(kernel.getWorkgroupAttributions(), consider);
  llvm::for_each(kernel.getPrivateAttributions(), consider);
  kernel.getBody().walk([&](memref::AllocaOp op) { consider(op.getMemref()); });
  return arrays;
}

static std::optional<Refusal>
checkWorkgroupMemory(gpu::GPUFuncOp kernel, const SetVector<Value> &replicated,
                     const PositionForm &form, int64_t factor,
                     TargetAttr target) {
  int64_t bytes = workgroupBytesGrown(kernel, form, factor);
  for (Value array : kernel.getWorkgroupAttributions())
    if (replicated.contains(array))
      bytes += (factor - 1) * staticBytes(array.getType());
  return checkWorkgroupBytes(kernel, bytes, target);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// What keeps `kernel` from being merged by `request`, but for memory.
static std::optional<Refusal> checkKernel(gpu::GPUFuncOp kernel,
                                          const MergeRequest &request) {
  if (std::optional<Refusal> refusal =
          checkBlocksIndependent(kernel, request.dimension))
    return refusal;
  return checkAroundBarriers(kernel);
}

std::variant<Refusal, MergedArrays>
gpuopt::tryMergingThreads(gpu::GPUFuncOp kernel, const MergeRequest &request,
                          TargetAttr target) {
  bool isContiguous = request.ownership == Ownership::Contiguous;
  if (std::optional<Refusal> refusal = checkKernel(kernel, request))
    return *refusal;
  auto uniformity = std::make_unique<UniformityAnalysis>(kernel);
  if (auto refusal = checkBarriersAgree(kernel, *uniformity, request.dimension))
    return *refusal;
  PositionForm form =
      computePositionForm(kernel, *uniformity, request.dimension);
  if (isContiguous && form.obstacle)
    return *form.obstacle;
  SetVector<Value> replicated =
      findReplicatedArrays(kernel, *uniformity, form, request.dimension);
  if (auto refusal = checkWorkgroupMemory(kernel, replicated, form,
                                          request.factor, target))
    return *refusal;
  scaleGridSizes(kernel, request);
  Value position;
  if (isContiguous) {
    position = gatherPositions(kernel, form);
    uniformity = std::make_unique<UniformityAnalysis>(kernel);
  }
  jamReplicas(kernel, *uniformity, replicated, form, position, request);
  if (isContiguous || !form.arrays.empty())
    simplifyIndices(kernel);
  updateGeometry(kernel, request, /*growBlock=*/false);
  return MergedArrays{static_cast<int>(form.arrays.size()),
                      static_cast<int>(replicated.size())};
}

bool gpuopt::mergeThreads(gpu::GPUFuncOp kernel, const MergeRequest &request,
                          TargetAttr target) {
  auto outcome = tryMergingThreads(kernel, request, target);
  if (const auto *refusal = std::get_if<Refusal>(&outcome)) {
    sayMissed(RemarkCode::ThreadsNotMerged, kernel, *refusal);
    return false;
  }
  auto arrays = std::get<MergedArrays>(outcome);
  sayPassed(request.ownership == Ownership::Contiguous
                ? RemarkCode::NeighboursMerged
                : RemarkCode::ThreadsMerged,
            kernel, kernel.getLoc(),
            {{"factor", request.factor},
             {"dimension", gpu::stringifyDimension(request.dimension)}})
      << remark::metric("grown_arrays", arrays.grown)
      << remark::metric("arrays_per_replica", arrays.perReplica);
  return true;
}

namespace {
struct MergeThreads : public gpuopt::impl::MergeThreadsBase<MergeThreads> {
  using MergeThreadsBase::MergeThreadsBase;

  void runOnOperation() override {
    std::optional<Ownership> owner =
        parseOwnership(getOperation().getLoc(), ownership);
    if (!owner)
      return signalPassFailure();
    auto merge = [&](gpu::GPUFuncOp kernel, MergeRequest request,
                     TargetAttr machine) {
      request.ownership = *owner;
      return mergeThreads(kernel, request, machine);
    };
    FailureOr<int64_t> number =
        mergeKernels(getOperation(), dim, factor, target, merge);
    if (failed(number))
      return signalPassFailure();
    merged += *number;
  }
};
} // namespace
