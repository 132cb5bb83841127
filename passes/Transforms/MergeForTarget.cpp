//===- MergeForTarget.cpp - merge blocks and threads as suits a target ----===//

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Transforms/Merge.h"
#include "passes/Transforms/MergeVectors.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/PositionForm.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/plans/MergePlan.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_MERGEPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

static constexpr gpu::Dimension kDimensions[] = {
    gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};

static std::array<bool, 3> variance(Dependence dependence) {
  std::array<bool, 3> variant;
  for (gpu::Dimension dim : kDimensions)
    variant[unsigned(dim)] = isVariant(dependence, dim);
  return variant;
}

/// The memref that `op` loads from; null for other operations.
static Value loadedMemref(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumResults() != 1)
    return nullptr;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  if (effects.size() != 1 || !isa<MemoryEffects::Read>(effects[0].getEffect()))
    return nullptr;
  return effects[0].getValue();
}

/// Whether all that happens to a loaded value is that workgroup memory gets it.
static bool isStaged(Operation *load) {
  return llvm::all_of(load->getUsers(), [](Operation *user) {
    auto isWorkgroup = [](Value memref) {
      return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
          cast<MemRefType>(memref.getType()));
    };
    if (auto store = dyn_cast<affine::AffineStoreOp>(user))
      return isWorkgroup(store.getMemref());
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return isWorkgroup(store.getMemref());
    return false;
  });
}

/// What stands in the way of running `load` once for several blocks: the loops
/// around it have to be jammed for that. Nothing where one of them never is.
static std::optional<Dependence>
loopDependence(Operation *load, const UniformityAnalysis &uniformity) {
  Dependence dependence = Dependence::None;
  for (Operation *op = load->getParentOp(); !isa<gpu::GPUFuncOp>(op);
       op = op->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (!loop)
      continue;
    if (!isa<scf::ForOp, affine::AffineForOp>(op))
      return std::nullopt;
    for (Value bound : op->getOperands().drop_back(loop.getInits().size()))
      dependence |= uniformity.dependsOn(bound);
  }
  return dependence;
}

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

/// Finds along which dimensions arrays are a function of the position, and a
/// thread's items should be neighbours.
static void summarisePositions(gpu::GPUFuncOp kernel,
                               const UniformityAnalysis &uniformity,
                               TargetAttr target, MergeSummary &summary) {
  AccessFunctions functions(kernel);
  for (gpu::Dimension dim : kDimensions) {
    if (!summary.hasBlocks[unsigned(dim)])
      continue;
    PositionForm form = computePositionForm(kernel, uniformity, dim);
    if (!form.obstacle)
      summary.vectorItems[unsigned(dim)] =
          computeVectorItems(kernel, functions, target, unsigned(dim));
    for (auto [array, data] :
         llvm::zip(kernel.getWorkgroupAttributions(), summary.arrays)) {
      auto window = form.arrays.find(array);
      if (window == form.arrays.end()) {
        data.isReplicated |= data.variant[unsigned(dim)];
        continue;
      }
      auto [subscript, stride] = window->second;
      int64_t extent = cast<MemRefType>(array.getType()).getDimSize(subscript);
      data.halo[unsigned(dim)] = double(extent - stride) / stride;
    }
  }
}

/// Adds a load of a loop that ends up in registers.
static void summariseLoad(Operation *op, const UniformityAnalysis &uniformity,
                          MergeSummary &summary) {
  Value memref = loadedMemref(op);
  if (!memref || isStaged(op) || !op->getParentOfType<LoopLikeOpInterface>())
    return;
  std::optional<Dependence> loops = loopDependence(op, uniformity);
  if (!loops)
    return;
  bool isWorkgroup = isa<MemRefType>(memref.getType()) &&
                     gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
                         cast<MemRefType>(memref.getType()));
  int64_t addressRegisters = isWorkgroup ? 0 : 2;
  summary.loads.push_back(
      {registersOf(op->getResult(0).getType()) + addressRegisters,
       variance(uniformity.dependsOn(op->getResult(0)) | *loops)});
}

/// Whether the blocks of the original launch along `dim` are work items that no
/// guard counts: merged, they would have to come in multiples.
static bool hasUnguardedBlocks(GeometryAttr geometry, unsigned dim) {
  ArrayRef<int64_t> original = geometry.getOriginalBlock();
  ArrayAttr extents = geometry.getExtents();
  bool hasExtent =
      extents && dim < extents.size() && isa<AffineMapAttr>(extents[dim]);
  return !original.empty() && original[dim] == 1 && !hasExtent;
}

static MergeSummary summarise(gpu::GPUFuncOp kernel, TargetAttr target) {
  UniformityAnalysis uniformity(kernel);
  MergeSummary summary;
  llvm::copy(geometryOf(kernel).getBlock(), summary.block.begin());
  kernel.getBody().walk([&](gpu::BlockIdOp id) {
    unsigned dim = unsigned(id.getDimension());
    summary.hasBlocks[dim] = !hasUnguardedBlocks(geometryOf(kernel), dim);
  });
  for (Value array : kernel.getWorkgroupAttributions())
    summary.arrays.push_back({staticBytes(array.getType()),
                              variance(uniformity.contentsDependOn(array))});
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Not a thread's own, however many items it has.
    if (isCollective(op))
      return WalkResult::skip();
    ++summary.operations;
    if (isa<LoopLikeOpInterface>(op)) {
      summary.hasLoop = true;
      int64_t carried = 0;
      for (Type type : op->getResultTypes())
        carried += registersOf(type);
      summary.carriedRegisters = std::max(summary.carriedRegisters, carried);
    }
    summariseLoad(op, uniformity, summary);
    return WalkResult::advance();
  });
  summarisePositions(kernel, uniformity, target, summary);
  return summary;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Merges as `plan` says. Neighbouring items come first: only then is the
/// kernel in position form.
static bool applyPlan(gpu::GPUFuncOp kernel, MergePlan plan,
                      TargetAttr machine) {
  bool changed = false;
  for (gpu::Dimension dim : kDimensions) {
    int64_t factor = plan.contiguous[unsigned(dim)];
    if (factor > 1 &&
        mergeThreads(kernel, {dim, factor, Ownership::Contiguous}, machine)) {
      changed = true;
      plan.threads[unsigned(dim)] /= factor;
    }
  }
  for (gpu::Dimension dim : kDimensions)
    if (int64_t factor = plan.blocks[unsigned(dim)]; factor > 1)
      changed |= mergeBlocks(kernel, {dim, factor}, machine);
  for (gpu::Dimension dim : kDimensions)
    if (int64_t factor = plan.threads[unsigned(dim)]; factor > 1)
      changed |= mergeThreads(kernel, {dim, factor}, machine);
  return changed;
}

static void reportPlan(llvm::StringLiteral remarkName, gpu::GPUFuncOp kernel,
                       const MergeSummary &summary, const MergePlan &plan) {
  std::string neighbours;
  for (gpu::Dimension dim : kDimensions)
    if (int64_t factor = plan.contiguous[unsigned(dim)]; factor > 1)
      neighbours += ", groups of " + std::to_string(factor) +
                    " neighbours along " + gpu::stringifyDimension(dim).str();
  remark::analysis(kernel.getLoc(), remarkOptions(remarkName, kernel))
      << remark::add("merge {0} x {1} x {2} blocks, {3} x {4} x {5} threads{6}",
                     plan.blocks[0], plan.blocks[1], plan.blocks[2],
                     plan.threads[0], plan.threads[1], plan.threads[2],
                     neighbours)
      << remark::metric("registers",
                        static_cast<int>(estimateRegisters(summary, plan)))
      << remark::metric(
             "workgroup_bytes",
             static_cast<int>(estimateWorkgroupBytes(summary, plan)));
}

namespace {
struct Merge : public gpuopt::impl::MergePassBase<Merge> {
  using MergePassBase::MergePassBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      merge(kernel, *machine);
  }

  void merge(gpu::GPUFuncOp kernel, TargetAttr machine);
};
} // namespace

void Merge::merge(gpu::GPUFuncOp kernel, TargetAttr machine) {
  static constexpr llvm::StringLiteral remarkName = "Merge";
  if (!geometryOf(kernel) || !kernel.getBody().hasOneBlock())
    return reportRefusal(
        remarkName, kernel,
        {kernel.getLoc(), geometryOf(kernel)
                              ? "the control flow is not structured"
                              : "the kernel's block shape is not known"});
  MergeSummary summary = summarise(kernel, machine);
  if (!neighbours)
    summary.vectorItems = {1, 1, 1};
  MergeLimits limits =
      computeMergeLimits(machine, staticWorkgroupLimit(machine));
  MergePlan plan = computeMergePlan(summary, limits);
  if (plan == MergePlan())
    return reportRefusal(remarkName, kernel,
                         {kernel.getLoc(),
                          "the block is large enough, and no load in a loop is "
                          "shared by neighbouring blocks"});
  reportPlan(remarkName, kernel, summary, plan);
  merged += applyPlan(kernel, plan, machine);
}
