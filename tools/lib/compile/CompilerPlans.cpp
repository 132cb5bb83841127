//===- CompilerPlans.cpp - who chooses what goes through tiles ------------===//

#include "tools/lib/compile/Compiler.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Transforms/Utils/ItemModel.h"
#include "tools/lib/compile/CompilerSteps.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <iterator>

using namespace mlir;
using namespace gpuopt;

TilingPlan Compilation::plan() const {
  if (compileOptions.plan)
    return *compileOptions.plan;
  bool hasHints = llvm::any_of(kernelInfos, [&](const KernelInfo &kernel) {
    gpu::GPUFuncOp raised = raisedKernel(kernel);
    return raised && raised->hasAttr(kShareAttrName);
  });
  return hasHints ? TilingPlan::Model : TilingPlan::Unified;
}

double Compilation::modelledTime(ModuleOp module) const {
  const KernelInfo &kernel = kernelInfos.front();
  gpu::GPUFuncOp function = findKernel(module, kernel.symbol);
  if (!function)
    return std::numeric_limits<double>::infinity();
  Dim3 launched = defaultBlock(kernel);
  BlockShape block = {launched[0], launched[1], launched[2]};
  return modelItem(function, targetAttr, block, compileOptions.specialize)
      .nanoseconds;
}

/// The work items of a thread that `gpuopt-share-arrays` has planned; nothing
/// where it has no plan.
static std::optional<std::string> plannedItems(ArrayRef<Step> steps) {
  for (const Step &step : steps)
    if (step.code == RemarkCode::SharePlanned)
      for (const auto &[name, value] : step.metrics)
        if (name == "items_per_thread")
          return value;
  return std::nullopt;
}

Compilation::Trial Compilation::takeTrial(OwningOpRef<ModuleOp> tuned,
                                          size_t steps, size_t taken) {
  Trial trial;
  trial.time =
      tuned ? modelledTime(*tuned) : std::numeric_limits<double>::infinity();
  trial.module = std::move(tuned);
  trial.steps.assign(recordedSteps.begin() + steps, recordedSteps.end());
  std::move(snapshots.begin() + taken, snapshots.end(),
            std::back_inserter(trial.snapshots));
  forgetSince(steps, taken);
  return trial;
}

OwningOpRef<ModuleOp> Compilation::keepTrial(Trial trial) {
  llvm::append_range(recordedSteps, trial.steps);
  std::move(trial.snapshots.begin(), trial.snapshots.end(),
            std::back_inserter(snapshots));
  return std::move(trial.module);
}

Compilation::Trial Compilation::tryToShare(ModuleOp module,
                                           PassFailure &failure) {
  Trial best;
  std::optional<std::string> lastItems;
  constexpr int64_t mostItems = 16;
  for (int64_t items = 1; items <= mostItems; items *= 2) {
    size_t steps = recordedSteps.size(), taken = snapshots.size();
    Design design;
    design.share = items;
    Trial trial = takeTrial(optimized(module, design, failure, /*without=*/{}),
                            steps, taken);
    std::optional<std::string> planned = plannedItems(trial.steps);
    // Where threads cannot have more, nothing changes.
    if (items > 1 && (!trial.module || planned == lastItems))
      break;
    lastItems = planned;
    if (items == 1 || trial.time < best.time)
      best = std::move(trial);
    if (!best.module || !planned)
      break;
  }
  return best;
}

/// Says again what a plan that is not taken was, or why there is none.
static void sayNotTaken(gpu::GPUFuncOp kernel, ArrayRef<Step> steps) {
  for (const Step &step : steps) {
    if (step.pass != passOf(RemarkCode::SharePlanned))
      continue;
    std::vector<RemarkValue> values;
    for (const auto &[name, text] : step.values)
      values.emplace_back(name, text);
    auto said = sayMissed(step.code == RemarkCode::SharePlanned
                              ? RemarkCode::ShareAlternative
                              : step.code,
                          kernel, kernel.getLoc(), values);
    for (const auto &[name, value] : step.metrics)
      said << remark::metric(name, value);
  }
}

OwningOpRef<ModuleOp> Compilation::optimizedByPlan(ModuleOp module,
                                                   PassFailure &failure) {
  TilingPlan wanted = plan();
  gpu::GPUFuncOp kernel = raisedKernel(kernelInfos.front());
  // Of several kernels, of which there are snapshots, no one's time counts.
  bool isOne = kernelInfos.size() == 1;
  if (wanted == TilingPlan::Unified || !kernel ||
      (wanted == TilingPlan::Model && !isOne))
    return optimizedUnlessSlower(module, failure);
  if (!isOne) {
    Design design;
    design.share = 1;
    return optimized(module, design, failure, /*without=*/{});
  }
  Trial shared = tryToShare(module, failure);
  bool isPlanned = shared.module && plannedItems(shared.steps);
  if (isPlanned && wanted == TilingPlan::Share)
    return keepTrial(std::move(shared));
  failure = {};
  size_t steps = recordedSteps.size(), taken = snapshots.size();
  OwningOpRef<ModuleOp> tuned = optimizedUnlessSlower(module, failure);
  if (!tuned || !isPlanned) {
    sayNotTaken(kernel, shared.steps);
    return tuned;
  }
  Trial unified = takeTrial(std::move(tuned), steps, taken);
  bool isSharedBetter = shared.time < unified.time;
  double times =
      isSharedBetter ? unified.time / shared.time : shared.time / unified.time;
  if (isSharedBetter) {
    tuned = keepTrial(std::move(shared));
  } else {
    tuned = keepTrial(std::move(unified));
    sayNotTaken(kernel, shared.steps);
  }
  constexpr StringLiteral names[] = {"the passes", "gpuopt-share-arrays"};
  if (std::isfinite(times))
    sayFound(RemarkCode::PlanChosen, kernel, kernel.getLoc(),
             {{"chosen", names[isSharedBetter]},
              {"other", names[!isSharedBetter]},
              {"times", llvm::formatv("{0:f2}", times).str()}});
  return tuned;
}
