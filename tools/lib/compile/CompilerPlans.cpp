//===- CompilerPlans.cpp - who chooses what goes through tiles ------------===//

#include "tools/lib/compile/Compiler.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Transforms/Utils/ItemModel.h"
#include "tools/lib/compile/CompilerSteps.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

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

std::optional<std::pair<Design, double>>
Compilation::findSharingDesign(ModuleOp module, std::vector<Step> &said) {
  std::optional<std::pair<Design, double>> best;
  constexpr int64_t mostItems = 16;
  for (int64_t items = 1; items <= mostItems; items *= 2) {
    size_t steps = recordedSteps.size(), taken = snapshots.size();
    Design design;
    design.share = items;
    PassFailure ofThis;
    OwningOpRef<ModuleOp> tuned =
        optimized(module, design, ofThis, /*without=*/{});
    said.clear();
    for (const Step &step : ArrayRef(recordedSteps).drop_front(steps))
      if (step.pass == passOf(RemarkCode::SharePlanned))
        said.push_back(step);
    forgetSince(steps, taken);
    if (llvm::none_of(said, [](const Step &step) {
          return step.code == RemarkCode::SharePlanned;
        }))
      return std::nullopt;
    double time =
        tuned ? modelledTime(*tuned) : std::numeric_limits<double>::infinity();
    if (!best || time < best->second)
      best = {design, time};
  }
  return best;
}

/// Says again what a plan that is not taken was, or why there is none.
static void sayNotTaken(gpu::GPUFuncOp kernel, ArrayRef<Step> said) {
  for (const Step &step : said) {
    std::vector<RemarkValue> values;
    for (const auto &[name, text] : step.values)
      values.emplace_back(name, text);
    sayMissed(step.code == RemarkCode::SharePlanned
                  ? RemarkCode::ShareAlternative
                  : step.code,
              kernel, kernel.getLoc(), values);
  }
}

OwningOpRef<ModuleOp> Compilation::optimizedByPlan(ModuleOp module,
                                                   PassFailure &failure) {
  TilingPlan wanted = plan();
  // Snapshots are of all kernels; else each kernel has a design of its own.
  bool isOne = kernelInfos.size() == 1;
  if (wanted == TilingPlan::Unified || (!isOne && compileOptions.keepSteps))
    return optimizedUnlessSlower(module, failure);
  if (!isOne)
    return nullptr;
  std::vector<Step> said;
  auto sharing = findSharingDesign(module, said);
  gpu::GPUFuncOp kernel = raisedKernel(kernelInfos.front());
  auto shared = [&] {
    return optimized(module, sharing->first, failure, /*without=*/{});
  };
  if (sharing && wanted == TilingPlan::Share)
    return shared();
  size_t steps = recordedSteps.size(), taken = snapshots.size();
  OwningOpRef<ModuleOp> unified = optimizedUnlessSlower(module, failure);
  if (!unified || !sharing) {
    if (kernel)
      sayNotTaken(kernel, said);
    return unified;
  }
  double time = modelledTime(*unified);
  bool isSharedBetter = sharing->second < time;
  if (isSharedBetter) {
    forgetSince(steps, taken);
    unified = shared();
  } else {
    sayNotTaken(kernel, said);
  }
  constexpr StringLiteral names[] = {"the passes", "gpuopt-share-arrays"};
  double times =
      isSharedBetter ? time / sharing->second : sharing->second / time;
  if (std::isfinite(times))
    sayFound(RemarkCode::PlanChosen, kernel, kernel.getLoc(),
             {{"chosen", names[isSharedBetter]},
              {"other", names[!isSharedBetter]},
              {"times", llvm::formatv("{0:f2}", times).str()}});
  return unified;
}
