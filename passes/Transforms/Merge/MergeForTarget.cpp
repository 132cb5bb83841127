//===- MergeForTarget.cpp - merge blocks and threads as suits a target ----===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Transforms/Merge/Coarsening.h"
#include "passes/Transforms/Merge/MergeBlocks.h"
#include "passes/Transforms/Merge/MergePlan.h"
#include "passes/Transforms/Merge/MergeThreads.h"
#include "passes/Transforms/Merge/MergeVectors.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Positions/PositionForm.h"
#include "passes/Transforms/Tensor/MatrixPlan.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/StripLoop.h"
#include "passes/Transforms/Utils/VectorWidth.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>
#include <numeric>

namespace gpuopt {
#define GEN_PASS_DEF_MERGEFORTARGET
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
                               TargetAttr target, int64_t width,
                               MergeSummary &summary) {
  AccessFunctions functions(kernel);
  for (gpu::Dimension dim : kDimensions) {
    if (!summary.hasBlocks[unsigned(dim)])
      continue;
    PositionForm form = computePositionForm(kernel, uniformity, dim);
    if (!form.obstacle)
      summary.vectorItems[unsigned(dim)] =
          computeVectorItems(kernel, functions, target, unsigned(dim), width);
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
  summary.loadsTilesOnly &= isWorkgroup;
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

/// Whether the kernel depends on its block, which is the source's: a larger one
/// would be no other work, and has to come in multiples where nothing is
/// guarded. Only what a thread uses more than once is worth that.
static bool keepsBlock(GeometryAttr geometry) {
  return llvm::any_of(geometry.getOriginalBlock(),
                      [](int64_t threads) { return threads > 1; });
}

/// How often `op`, a loop, runs its body for one work item; infinite where that
/// is not known.
static double iterationsOf(Operation *op) {
  double iterations = 1;
  for (Operation *loop = op; loop && isa<LoopLikeOpInterface>(loop);
       loop = loop->getParentOfType<LoopLikeOpInterface>()) {
    auto affineLoop = dyn_cast<affine::AffineForOp>(loop);
    std::optional<int64_t> trips = constantTripCount(loop);
    if (affineLoop)
      trips = affine::getConstantTripCount(affineLoop);
    iterations *= trips ? *trips : std::numeric_limits<double>::infinity();
  }
  return iterations;
}

/// Whether loads differ along one dimension of the grid only, as rows and
/// columns of a product do: items along the others share them.
static bool hasRowsOrColumns(const MergeSummary &summary) {
  return llvm::any_of(summary.loads, [&](const MergedData &load) {
    bool differs = false, isShared = false;
    for (unsigned dim = 0; dim < 3; ++dim)
      if (summary.hasBlocks[dim])
        (load.variant[dim] ? differs : isShared) = true;
    return differs && isShared;
  });
}

static MergeSummary summarise(gpu::GPUFuncOp kernel, TargetAttr target,
                              int64_t width) {
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
  double mostIterations = 0;
  summary.loadsTilesOnly = true;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Not a thread's own, however many items it has.
    if (isCollective(op))
      return WalkResult::skip();
    ++summary.operations;
    if (isa<LoopLikeOpInterface>(op)) {
      mostIterations = std::max(mostIterations, iterationsOf(op));
      int64_t carried = 0;
      for (Type type : op->getResultTypes())
        carried += registersOf(type);
      summary.carriedRegisters = std::max(summary.carriedRegisters, carried);
    }
    summariseLoad(op, uniformity, summary);
    return WalkResult::advance();
  });
  // The loops of a stencil do not stay: unrolled, all that the items of a
  // thread load may be in registers at once, and what they share are a few
  // weights.
  constexpr double stencilIterations = 27;
  summary.hasLoop = mostIterations > stencilIterations ||
                    (mostIterations > 0 && hasRowsOrColumns(summary));
  summary.hasShortLoopsOnly = mostIterations > 0 && !summary.hasLoop;
  summarisePositions(kernel, uniformity, target, width, summary);
  return summary;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// `plan`, as far as the model does not find a work item slower with it: else
/// threads get fewer items, and in the end nothing is merged. `reason` says
/// what was wrong then. Vectors of neighbouring items are still single accesses
/// here, strided ones: nothing can be said of them yet.
static MergePlan reduceWhileSlower(gpu::GPUFuncOp kernel, MergePlan plan,
                                   TargetAttr machine, std::string &reason) {
  const MergePlan none;
  if (plan == none || plan.contiguous != none.contiguous)
    return plan;
  std::optional<ItemCost> before = tryPlan(kernel, none, machine);
  while (before && plan != none) {
    std::optional<ItemCost> after = tryPlan(kernel, plan, machine);
    if (!after || !isSlower(*after, *before))
      return plan;
    reason = llvm::formatv(
        "merged by {0} x {1} x {2}, a work item would move {3:f2} sectors "
        "instead of {4:f2}, and take {5:f1} times as long by the model",
        plan.blocks[0] * plan.threads[0], plan.blocks[1] * plan.threads[1],
        plan.blocks[2] * plan.threads[2], after->sectors, before->sectors,
        after->nanoseconds / before->nanoseconds);
    if (int64_t *most = llvm::max_element(plan.threads); *most > 1)
      *most /= 2;
    else
      plan = none;
  }
  return plan;
}

/// Merges as `plan` says. Neighbouring items come first: only then is the
/// kernel in position form. Returns how many of the plan's merges were done,
/// and how many there are.
static std::pair<int, int> applyPlan(gpu::GPUFuncOp kernel, MergePlan plan,
                                     TargetAttr machine) {
  int done = 0, wanted = 0;
  auto count = [&](bool merged) {
    ++wanted;
    done += merged;
    return merged;
  };
  for (gpu::Dimension dim : kDimensions) {
    int64_t factor = plan.contiguous[unsigned(dim)];
    if (factor > 1 &&
        count(mergeThreads(kernel, {dim, factor, Ownership::Contiguous},
                           machine)))
      plan.threads[unsigned(dim)] /= factor;
  }
  for (gpu::Dimension dim : kDimensions)
    if (int64_t factor = plan.blocks[unsigned(dim)]; factor > 1)
      count(mergeBlocks(kernel, {dim, factor}, machine));
  for (gpu::Dimension dim : kDimensions)
    if (int64_t factor = plan.threads[unsigned(dim)]; factor > 1)
      count(mergeThreads(kernel, {dim, factor}, machine));
  return {done, wanted};
}

static int rounded(double number) {
  return static_cast<int>(std::lround(number));
}

/// "2 x 1 x 1".
static std::string factorsText(const std::array<int64_t, 3> &factors) {
  return llvm::formatv("{0} x {1} x {2}", factors[0], factors[1], factors[2]);
}

using InFlightRemark = remark::detail::InFlightRemark;

static void addTightEstimates(InFlightRemark &said, const MergeSummary &summary,
                              const MergePlan &plan) {
  said << remark::metric(
              "fewest_registers",
              static_cast<int>(estimateFewestRegisters(summary, plan)))
       << remark::metric("carried_registers",
                         static_cast<int>(summary.carriedRegisters));
}

static void addCosts(InFlightRemark &said, const Coarsening &coarsening) {
  said << remark::metric("instructions_before",
                         rounded(coarsening.before.instructions))
       << remark::metric("instructions_after",
                         rounded(coarsening.after.instructions))
       << remark::metric("model_gain_percent", coarsening.gainPercent());
}

static void reportPlan(gpu::GPUFuncOp kernel, const MergePlan &plan,
                       int64_t registers, int64_t workgroupBytes,
                       llvm::function_ref<void(InFlightRemark &)> addMetrics) {
  std::string neighbours;
  for (gpu::Dimension dim : kDimensions)
    if (int64_t factor = plan.contiguous[unsigned(dim)]; factor > 1)
      neighbours += ", groups of " + std::to_string(factor) +
                    " neighbours along " + gpu::stringifyDimension(dim).str();
  auto said = sayFound(RemarkCode::MergesPlanned, kernel, kernel.getLoc(),
                       {{"blocks", factorsText(plan.blocks)},
                        {"threads", factorsText(plan.threads)},
                        {"neighbours", neighbours}});
  said << remark::metric("registers", static_cast<int>(registers))
       << remark::metric("workgroup_bytes", static_cast<int>(workgroupBytes));
  addMetrics(said);
}

namespace {
struct MergeForTarget
    : public gpuopt::impl::MergeForTargetBase<MergeForTarget> {
  using MergeForTargetBase::MergeForTargetBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine) || failed(checkOptions()))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      merge(kernel, *machine);
    // Nobody needs it any more, the kernels that launches fall back to
    // included.
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      kernel->removeAttr(kPartitionAttrName);
  }

  LogicalResult checkOptions();
  bool isRequested() const { return !blocks.empty() || !threads.empty(); }
  MergePlan requestedPlan(const MergeSummary &summary);
  void merge(gpu::GPUFuncOp kernel, TargetAttr machine);
  void coarsenKernel(gpu::GPUFuncOp kernel, TargetAttr machine,
                     const MergeSummary &summary, const MergePlan &planned);
};
} // namespace

/// The factors of a pass option along x, y, z; 1 where it says nothing.
static std::array<int64_t, 3> factorsOf(ArrayRef<int64_t> option) {
  std::array<int64_t, 3> factors = {1, 1, 1};
  llvm::copy(option.take_front(3), factors.begin());
  return factors;
}

/// The items that `gpuopt-share-arrays` or `gpuopt-plan-warpgroups` has chosen;
/// nothing where the kernel has another block since.
static std::optional<MergePlan> plannedItems(gpu::GPUFuncOp kernel) {
  auto partition = kernel->getAttrOfType<DictionaryAttr>(kPartitionAttrName);
  if (!partition ||
      !llvm::equal(geometryOf(kernel).getBlock(),
                   partition.getAs<DenseI32ArrayAttr>("block").asArrayRef()))
    return std::nullopt;
  MergePlan plan;
  llvm::copy(partition.getAs<DenseI32ArrayAttr>("items").asArrayRef(),
             plan.threads.begin());
  if (auto neighbours = partition.getAs<DenseI32ArrayAttr>("contiguous"))
    llvm::copy(neighbours.asArrayRef(), plan.contiguous.begin());
  return plan;
}

LogicalResult MergeForTarget::checkOptions() {
  gpu::GPUModuleOp module = getOperation();
  if (failed(checkAccessBytes(module, width)))
    return failure();
  for (ArrayRef<int64_t> option : {*blocks, *threads, *contiguous}) {
    if (option.size() > 3)
      return module.emitError("expected at most three factors, found ")
             << option.size();
    for (int64_t factor : option)
      if (factor < 1 || factor > 1024)
        return module.emitError("expected factors from 1 to 1024, found ")
               << factor;
  }
  if (!contiguous.empty() && threads.empty())
    return module.emitError("expected 'threads' beside 'contiguous'");
  for (auto [items, neighbouring] :
       llvm::zip(factorsOf(*threads), factorsOf(*contiguous)))
    if (items % neighbouring != 0)
      return module.emitError(
                 "expected 'contiguous' to divide 'threads', found ")
             << neighbouring << " of " << items;
  return success();
}

/// What the options ask for.
MergePlan MergeForTarget::requestedPlan(const MergeSummary &summary) {
  MergePlan plan = {factorsOf(*blocks), factorsOf(*threads)};
  if (!contiguous.empty())
    plan.contiguous = factorsOf(*contiguous);
  else
    for (unsigned dim = 0; dim < 3; ++dim)
      plan.contiguous[dim] =
          std::gcd(plan.threads[dim], summary.vectorItems[dim]);
  return plan;
}

/// What keeps a kernel from being coarsened before anything is tried: the
/// registers that it takes. Empty where nothing does.
static std::string findRegisterObstacle(const MergeSummary &summary,
                                        const MergePlan &planned,
                                        TargetAttr machine) {
  if (summary.hasShortLoopsOnly)
    return "its loops are unrolled, and take registers that are not known yet";
  if (estimateRegisters(summary, planned) > mostCoarsenedRegisters(machine))
    return "it takes many registers as it is";
  return "";
}

/// Gives threads several items where that is quicker. Where nothing else was
/// `planned`, a remark says why not.
void MergeForTarget::coarsenKernel(gpu::GPUFuncOp kernel, TargetAttr machine,
                                   const MergeSummary &summary,
                                   const MergePlan &planned) {
  Coarsening coarsening;
  if (coarsen) {
    coarsening.reason = findRegisterObstacle(summary, planned, machine);
    if (coarsening.reason.empty())
      coarsening = chooseCoarsening(kernel, machine);
  }
  if (!coarsening.isWorthwhile()) {
    if (planned == MergePlan())
      sayMissed(
          RemarkCode::NotMerged, kernel,
          Refusal{
              kernel.getLoc(),
              "the block is large enough, and no load in a loop is "
              "shared by neighbouring blocks" +
                  (coarsening.reason.empty() ? "" : "; " + coarsening.reason)});
    return;
  }
  MergePlan plan;
  plan.threads = coarsening.threads;
  reportPlan(kernel, plan, coarsening.after.registers,
             coarsening.after.workgroupBytes,
             [&](InFlightRemark &said) { addCosts(said, coarsening); });
  merged += applyPlan(kernel, plan, machine).first > 0;
}

void MergeForTarget::merge(gpu::GPUFuncOp kernel, TargetAttr machine) {
  if (!geometryOf(kernel) || !kernel.getBody().hasOneBlock())
    return sayMissed(RemarkCode::NotMerged, kernel,
                     Refusal{kernel.getLoc(),
                             geometryOf(kernel)
                                 ? "the control flow is not structured"
                                 : "the kernel's block shape is not known"});
  MergeSummary summary = summarise(kernel, machine, width);
  // As many as a lane has of a row of a matrix unit's sums.
  if (matrixUnits && wantsMatrixUnits(kernel, machine))
    summary.vectorItems = {FragmentLayout::kColumns, 1, 1};
  if (!neighbours)
    summary.vectorItems = {1, 1, 1};
  MergeLimits limits =
      computeMergeLimits(machine, staticWorkgroupLimit(machine));
  if (keepsBlock(geometryOf(kernel))) {
    limits.threadsAimedAt = 0;
    summary.vectorItems = {1, 1, 1};
  }
  std::optional<MergePlan> planned = plannedItems(kernel);
  bool isAsked = isRequested() || planned;
  std::string notMerged;
  MergePlan plan =
      isRequested() ? requestedPlan(summary)
      : planned     ? *planned
                : reduceWhileSlower(kernel, computeMergePlan(summary, limits),
                                    machine, notMerged);
  if (plan != MergePlan() || isAsked) {
    reportPlan(kernel, plan, estimateRegisters(summary, plan),
               estimateWorkgroupBytes(summary, plan), [&](auto &said) {
                 // More than the cautious estimate allows.
                 if (isAsked || isTight(summary, plan, limits))
                   addTightEstimates(said, summary, plan);
               });
    auto [done, wanted] = applyPlan(kernel, plan, machine);
    merged += done > 0;
    if (isAsked && done < wanted)
      sayMissed(RemarkCode::MergesRefused, kernel, kernel.getLoc(),
                {{"missing", wanted - done}, {"wanted", wanted}});
  }
  if (!isAsked && plan.threads == MergePlan().threads) {
    if (!notMerged.empty())
      return sayMissed(RemarkCode::NotMerged, kernel,
                       Refusal{kernel.getLoc(), notMerged});
    coarsenKernel(kernel, machine, summary, plan);
  }
}
