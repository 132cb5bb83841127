//===- ShareArrays.cpp - parts of arrays for blocks -----------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Transforms/Geometry/FixGeometry.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Share/CollectReferences.h"
#include "passes/Transforms/Share/PartitionPlan.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/TileShape.h"
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

static std::string describeBlock(const PartitionPlan &plan) {
  return llvm::formatv("{0}x{1}x{2}", plan.block[0], plan.block[1],
                       plan.block[2]);
}

/// `plan` with threads that have `factor` times as many work items, or as near
/// as a subgroup of threads lets it come, along y, or x where a block has one
/// row (Li et al. 2016, algorithm 1).
static PartitionPlan withItems(PartitionPlan plan, int64_t factor,
                               int64_t subgroupSize) {
  unsigned along = plan.block[1] > 1 ? 1 : 0;
  int64_t threads = llvm::product_of(plan.block);
  for (;
       factor > 1 && plan.block[along] % 2 == 0 && threads / 2 >= subgroupSize;
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
  return builder.getDictionaryAttr({
      builder.getNamedAttr("arrays", builder.getArrayAttr(arrays)),
      builder.getNamedAttr("block", toShape(plan.block)),
      builder.getNamedAttr("items", toShape(plan.items)),
      builder.getNamedAttr("iterations",
                           builder.getI64IntegerAttr(plan.iterations)),
  });
}

static void explain(gpu::GPUFuncOp kernel, const PartitionProblem &problem,
                    const PartitionSearch &search) {
  for (auto [hint, reason] : search.ignoredHints)
    if (hint < problem.hints.size())
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
    sayPassed(RemarkCode::SharePlanned, kernel, kernel.getLoc(), values)
        << remark::metric("iterations", plan.iterations)
        << remark::metric("workgroup_bytes", plan.bytes)
        << remark::metric("splits", search.splits)
        << remark::metric("points", search.points);
  }
}

namespace {
struct ShareArrays : public gpuopt::impl::ShareArraysBase<ShareArrays> {
  using ShareArraysBase::ShareArraysBase;

  void runOnOperation() override {
    SizeMap given;
    if (failed(checkItems()) || failed(readSizes(given)))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectOpenKernels(getOperation())) {
      FailureOr<TargetAttr> description = resolveTarget(kernel, target);
      if (failed(description))
        return signalPassFailure();
      plan(kernel, *description, given);
    }
  }

private:
  LogicalResult checkItems();
  LogicalResult readSizes(SizeMap &given);
  PartitionLimits limitsOf(TargetAttr description) const;
  void plan(gpu::GPUFuncOp kernel, TargetAttr description,
            const SizeMap &given);
};
} // namespace

LogicalResult ShareArrays::checkItems() {
  if (items >= 1 && llvm::isPowerOf2_64(items))
    return success();
  return getOperation().emitError("expected 'items' to be a power of two, got ")
         << items.getValue();
}

LogicalResult ShareArrays::readSizes(SizeMap &given) {
  for (StringRef text : sizes) {
    auto [name, number] = text.split('=');
    int64_t value = 0;
    if (name.empty() || number.getAsInteger(10, value))
      return getOperation().emitError("expected NAME=NUMBER in 'sizes', got '")
             << text << "'";
    given[name] = value;
  }
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
  PartitionSearch search = searchPartitions(problem, limitsOf(description));
  explain(kernel, problem, search);
  if (search.plans.empty()) {
    bool isAffine =
        llvm::any_of(problem.references, [](const ArrayReference &reference) {
          return reference.problem.empty();
        });
    sayMissed(RemarkCode::ShareNotPlanned, kernel, kernel.getLoc(),
              {{"reason", isAffine ? "no array is reused, and all accesses are "
                                     "coalesced"
                                   : "no access is affine in ids and loops"}});
    return;
  }
  Builder builder(&getContext());
  PartitionPlan best =
      withItems(search.plans.front(), items, description.getSubgroupSize());
  kernel->setAttr(kPartitionAttrName, toAttribute(problem, best, builder));
  ++planned;
}
