//===- ShareArrays.cpp - parts of arrays for blocks -----------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/LargestBlock.h"
#include "passes/Analysis/SizeSettings.h"
#include "passes/Transforms/Geometry/FixGeometry.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Share/CollectReferences.h"
#include "passes/Transforms/Share/PartitionPlan.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "llvm/ADT/StringExtras.h"

namespace gpuopt {
#define GEN_PASS_DEF_SHAREARRAYS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

static std::string listArrays(const PartitionProblem &problem,
                              const PartitionPlan &plan) {
  SmallVector<StringRef> names;
  for (unsigned array : plan.arrays)
    names.push_back(problem.arrays[array].name);
  return llvm::join(names, ", ");
}

/// The work items of a block.
static std::string describeBlock(const PartitionPlan &plan) {
  return llvm::formatv("{0}x{1}x{2}", plan.block[0] * plan.items[0],
                       plan.block[1] * plan.items[1],
                       plan.block[2] * plan.items[2]);
}

/// `plan` with threads that have `factor` times as many work items, or as near
/// as a subgroup of threads lets it come: along y or z, so that accesses stay
/// coalesced, or along x where that is all (Li et al. 2016, section 3.3.2).
static PartitionPlan withItems(PartitionPlan plan, int64_t factor,
                               const PartitionLimits &limits,
                               int64_t subgroupSize) {
  unsigned along = plan.block[1] > 1 ? 1 : plan.block[2] > 1 ? 2 : 0;
  int64_t fewest = along == 0 ? limits.threadsAlongX : 1;
  int64_t threads = llvm::product_of(plan.block);
  for (; factor > 1 && plan.block[along] / 2 >= fewest &&
         threads / 2 >= subgroupSize;
       factor /= 2, threads /= 2) {
    plan.block[along] /= 2;
    plan.items[along] *= 2;
  }
  return plan;
}

static DictionaryAttr toAttribute(const PartitionProblem &problem,
                                  const PartitionPlan &plan, Builder &builder) {
  SmallVector<Attribute> arrays;
  for (unsigned array : plan.arrays)
    arrays.push_back(builder.getStringAttr(problem.arrays[array].name));
  auto toShape = [&](const std::array<int64_t, 3> &shape) {
    return builder.getDenseI32ArrayAttr(
        llvm::map_to_vector(shape, [](int64_t size) { return int32_t(size); }));
  };
  NamedAttrList partition;
  partition.set("arrays", builder.getArrayAttr(arrays));
  partition.set("block", toShape(plan.block));
  partition.set("items", toShape(plan.items));
  if (plan.iterations > 0)
    partition.set("iterations", builder.getI64IntegerAttr(plan.iterations));
  return partition.getDictionary(builder.getContext());
}

static void explain(gpu::GPUFuncOp kernel, const PartitionProblem &problem,
                    const PartitionSearch &search) {
  for (auto [hint, reason] : search.ignoredHints)
    sayMissed(RemarkCode::ShareHintIgnored, kernel, kernel.getLoc(),
              {{"hint", problem.hints[hint].toString()}, {"reason", reason}});
  for (auto [number, plan] : llvm::enumerate(search.plans)) {
    std::vector<RemarkValue> values = {{"arrays", listArrays(problem, plan)},
                                       {"block", describeBlock(plan)},
                                       {"profit", plan.profit},
                                       {"formula", plan.formula}};
    if (number > 0) {
      sayMissed(RemarkCode::ShareAlternative, kernel, kernel.getLoc(), values);
      continue;
    }
    values.push_back({"limits", plan.limit});
    sayFound(RemarkCode::SharePlanned, kernel, kernel.getLoc(), values)
        << remark::metric("iterations", plan.iterations)
        << remark::metric("items_per_thread", llvm::product_of(plan.items))
        << remark::metric("workgroup_bytes", plan.bytes)
        << remark::metric("splits", search.splits)
        << remark::metric("points", search.points);
  }
  if (search.plans.empty())
    sayMissed(RemarkCode::ShareNotPlanned, kernel, kernel.getLoc(),
              {{"reason", search.obstacle}});
}

namespace {
struct ShareArrays : public gpuopt::impl::ShareArraysBase<ShareArrays> {
  using ShareArraysBase::ShareArraysBase;

  void runOnOperation() override {
    FailureOr<SizeMap> given = parseSizes(sizes, getOperation().getLoc());
    if (failed(given) || failed(checkOptions()))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectOpenKernels(getOperation())) {
      FailureOr<TargetAttr> description = resolveTarget(kernel, target);
      if (failed(description))
        return signalPassFailure();
      plan(kernel, *description, *given);
    }
  }

private:
  LogicalResult checkOptions();
  PartitionLimits limitsOf(TargetAttr description) const;
  void plan(gpu::GPUFuncOp kernel, TargetAttr description,
            const SizeMap &given);
};
} // namespace

LogicalResult ShareArrays::checkOptions() {
  gpu::GPUModuleOp module = getOperation();
  if (items < 1 || items > kMostThreadsOfBlock || !llvm::isPowerOf2_64(items))
    return module.emitError("expected 'items' to be a power of two up to ")
           << kMostThreadsOfBlock << ", got " << items.getValue();
  if (!(memoryShare > 0 && memoryShare <= 1))
    return module.emitError("expected 'memory-share' above 0 and up to 1");
  if (transactionBytes < 0)
    return module.emitError("expected 'transaction-bytes' to be 0 or more");
  return success();
}

PartitionLimits ShareArrays::limitsOf(TargetAttr description) const {
  PartitionLimits limits;
  limits.workgroupBytes = std::min<int64_t>(
      memoryShare * description.getWorkgroupMemoryPerMultiprocessorBytes(),
      staticWorkgroupLimit(description));
  limits.threads = description.getThreadsPerWorkgroup();
  // A line of words: 32 threads where the paper has them.
  constexpr int64_t wordBytes = 4;
  limits.threadsAlongX = description.getLineBytes() / wordBytes;
  limits.rowBytes = description.getLineBytes();
  limits.transactionBytes =
      transactionBytes ? transactionBytes : description.getSectorBytes();
  limits.reuseThreshold = reuseThreshold;
  return limits;
}

void ShareArrays::plan(gpu::GPUFuncOp kernel, TargetAttr description,
                       const SizeMap &given) {
  PartitionProblem problem = collectReferences(kernel, given);
  PartitionLimits limits = limitsOf(description);
  PartitionSearch search = searchPartitions(problem, limits);
  for (PartitionPlan &plan : search.plans)
    plan = withItems(plan, items, limits, description.getSubgroupSize());
  explain(kernel, problem, search);
  if (search.plans.empty())
    return;
  Builder builder(&getContext());
  kernel->setAttr(kPartitionAttrName,
                  toAttribute(problem, search.plans.front(), builder));
  ++planned;
}
