//===- CompilerDesigns.cpp - raised kernels through the pipeline ----------===//

#include "tools/lib/compile/Compiler.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/KnownTargets.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Analysis/Traffic.h"
#include "passes/Pipelines/Pipelines.h"
#include "passes/Transforms/Utils/ItemModel.h"
#include "tools/lib/compile/CompilerSteps.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/compile/TuningGuard.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// Notes the first pass that fails.
class FailureFinder : public PassInstrumentation {
public:
  explicit FailureFinder(PassFailure &failure) : failure(failure) {}

  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (failure.pass.empty())
      failure.pass = pass->getName().str();
  }

private:
  PassFailure &failure;
};
} // namespace

static PassFailure outOfTime(const TimeBudget &budget, double seconds) {
  PassFailure failure;
  failure.pass = budget.lastPass();
  llvm::raw_string_ostream(failure.reason)
      << llvm::format("the passes take longer than %g seconds", seconds)
      << " (--time-budget)";
  return failure;
}

OwningOpRef<ModuleOp>
gpuopt::runOnClone(ModuleOp module, function_ref<void(PassManager &)> build,
                   double seconds, PassFailure &failure) {
  TimeBudget budget(*module.getContext(), seconds);
  auto run = [&](bool verifiesEachPass) -> OwningOpRef<ModuleOp> {
    failure = {};
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &said) {
      if (said.getSeverity() == DiagnosticSeverity::Error &&
          failure.reason.empty())
        failure.reason = said.str();
    });
    OwningOpRef<ModuleOp> clone = module.clone();
    PassManager manager(module.getContext());
    manager.enableVerifier(verifiesEachPass);
    manager.addInstrumentation(std::make_unique<FailureFinder>(failure));
    build(manager);
    if (failed(manager.run(*clone)) || failed(verify(*clone)))
      return nullptr;
    return clone;
  };
  auto check = [&](OwningOpRef<ModuleOp> clone) {
    if (!budget.isSpent())
      return clone;
    failure = outOfTime(budget, seconds);
    return OwningOpRef<ModuleOp>();
  };
  // It is quicker to verify once, behind the last pass. Which one it was is
  // found out where something is wrong.
  OwningOpRef<ModuleOp> result = check(run(/*verifiesEachPass=*/false));
  if (result || budget.isSpent())
    return result;
  return check(run(/*verifiesEachPass=*/true));
}

/// What becomes of unrolled tiles is known only when the passes are done, and
/// no budget ends code generation. The longest tuned kernels that people write
/// have three thousand operations; of those of generated code some have fifty
/// thousand, which LLVM takes longer for than all passes.
static bool isQuicklyGenerated(ModuleOp module, double seconds,
                               PassFailure &failure) {
  constexpr size_t operationsPerSecond = 2000, alwaysGenerated = 20'000;
  if (seconds <= 0)
    return true;
  size_t most = 0;
  module->walk([&](gpu::GPUFuncOp kernel) {
    size_t operations = 0;
    kernel->walk([&](Operation *) { ++operations; });
    most = std::max(most, operations);
  });
  if (most <= std::max<size_t>(alwaysGenerated, seconds * operationsPerSecond))
    return true;
  failure = {};
  llvm::raw_string_ostream(failure.reason)
      << "generating code for its " << most
      << " operations takes too long; a --time-budget of "
      << most / operationsPerSecond + 1 << " allows it";
  return false;
}

llvm::StringRef gpuopt::kernelOf(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return "";
  if (auto host = op->getAttrOfType<FlatSymbolRefAttr>(kPhaseOfAttrName))
    return host.getValue();
  auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
  return isa<func::FuncOp>(op) || (kernel && kernel.isKernel())
             ? function.getName()
             : "";
}

OwningOpRef<ModuleOp> gpuopt::cloneKernel(ModuleOp module,
                                          llvm::StringRef kept) {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->cloneWithoutRegions());
  auto cloneInto = [&](Block *from, Region &to, auto &cloneInto) -> void {
    OpBuilder builder = OpBuilder::atBlockEnd(&to.emplaceBlock());
    for (Operation &op : *from) {
      if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op)) {
        Operation *clone = builder.insert(op.cloneWithoutRegions());
        cloneInto(kernels.getBody(), clone->getRegion(0), cloneInto);
      } else if (llvm::StringRef kernel = kernelOf(&op);
                 kernel.empty() || kernel == kept) {
        builder.clone(op);
      }
    }
  };
  cloneInto(module.getBody(), copy->getBodyRegion(), cloneInto);
  return copy;
}

OwningOpRef<ModuleOp> Compilation::optimized(ModuleOp module,
                                             const Design &choices,
                                             PassFailure &failure,
                                             PassNames without) const {
  OptimizeOptions pipelineOptions;
  pipelineOptions.target = compileOptions.target;
  pipelineOptions.matrixUnits = compileOptions.matrixUnits;
  pipelineOptions.set(choices);
  for (StringRef pass : without)
    pipelineOptions.without.push_back(pass.str());
  pipelineOptions.splitAtGridBarriers =
      compileOptions.gridSync == GridSync::Split;
  std::vector<std::string> sizes;
  for (const auto &[name, value] : compileOptions.specialize)
    sizes.push_back(name.str() + "=" + std::to_string(value));
  llvm::sort(sizes);
  for (const std::string &size : sizes)
    pipelineOptions.sizes.push_back(size);
  OwningOpRef<ModuleOp> tuned = runOnClone(
      module,
      [&](PassManager &manager) {
        buildOptimizePipeline(manager, pipelineOptions);
        if (compileOptions.keepSteps)
          manager.addInstrumentation(
              std::make_unique<SnapshotTaker>(snapshots, recordedSteps));
      },
      compileOptions.timeBudget, failure);
  if (tuned && !isQuicklyGenerated(*tuned, compileOptions.timeBudget, failure))
    return nullptr;
  return tuned;
}

void Compilation::forgetSince(size_t steps, size_t taken) {
  recordedSteps.resize(steps);
  snapshots.erase(snapshots.begin() + taken, snapshots.end());
}

/// Whether the kernel is quicker by the model `without` the source's own tiles,
/// than `with` them, and moves no more sectors: where accesses are not known,
/// nothing is.
static bool isBetterWithoutTiles(gpu::GPUFuncOp without, gpu::GPUFuncOp with,
                                 TargetAttr target, const SizeMap &sizes) {
  BlockShape block = {1, 1, 1};
  if (std::optional<ArrayRef<int32_t>> known = with.getKnownBlockSize())
    llvm::copy(*known, block.begin());
  TrafficFact before = computeTraffic(with, target, block, sizes);
  TrafficFact after = computeTraffic(without, target, block, sizes);
  if (before.unresolvedAccesses || after.unresolvedAccesses ||
      after.sectorsPerItem > before.sectorsPerItem)
    return false;
  return modelItem(without, target, block, sizes).nanoseconds <
         modelItem(with, target, block, sizes).nanoseconds;
}

bool Compilation::keepQuickerTiles(ModuleOp module, ModuleOp tuned,
                                   const Design &design, PassNames without,
                                   ArrayRef<Step> steps) {
  bool areKept = false;
  for (const KernelInfo &kernel : kernelInfos) {
    bool isForwarded = llvm::any_of(steps, [&](const Step &step) {
      return step.code == RemarkCode::TilesForwarded && step.isAbout(kernel);
    });
    gpu::GPUFuncOp forwarded = findKernel(tuned, kernel.symbol);
    if (!isForwarded || !forwarded)
      continue;
    OwningOpRef<ModuleOp> alone = cloneKernel(module, kernel.symbol);
    auto keep = UnitAttr::get(context.get());
    findKernel(*alone, kernel.symbol)->setAttr(kKeepsTilesAttrName, keep);
    size_t recorded = recordedSteps.size(), taken = snapshots.size();
    PassFailure failure;
    OwningOpRef<ModuleOp> kept = optimized(*alone, design, failure, without);
    forgetSince(recorded, taken);
    gpu::GPUFuncOp with =
        kept ? findKernel(*kept, kernel.symbol) : gpu::GPUFuncOp();
    if (!with || isBetterWithoutTiles(forwarded, with, targetAttr,
                                      compileOptions.specialize))
      continue;
    findKernel(module, kernel.symbol)->setAttr(kKeepsTilesAttrName, keep);
    areKept = true;
  }
  return areKept;
}

OwningOpRef<ModuleOp> Compilation::optimizedWithBestTiles(ModuleOp module,
                                                          const Design &design,
                                                          PassFailure &failure,
                                                          PassNames without) {
  size_t steps = recordedSteps.size(), taken = snapshots.size();
  OwningOpRef<ModuleOp> tuned = optimized(module, design, failure, without);
  std::vector<Step> said(recordedSteps.begin() + steps, recordedSteps.end());
  if (!tuned || !keepQuickerTiles(module, *tuned, design, without, said))
    return tuned;
  forgetSince(steps, taken);
  return optimized(module, design, failure, without);
}

std::string Compilation::findSlowerKernel(ModuleOp tuned) const {
  for (const KernelInfo &kernel : kernelInfos) {
    gpu::GPUFuncOp before = raisedKernel(kernel);
    gpu::GPUFuncOp after = findKernel(tuned, kernel.symbol);
    // What grid-wide synchronisation splits are several launches.
    if (!before || !after || kernel.usesGlobalSync)
      continue;
    Dim3 launched = defaultBlock(kernel);
    BlockShape block = {launched[0], launched[1], launched[2]};
    std::string reason = findRegression(before, after, targetAttr, block,
                                        compileOptions.specialize);
    if (!reason.empty())
      return reason;
  }
  return "";
}

/// Those of the transforms that may be left out that `steps` tell of.
static SmallVector<TransformToLeaveOut> transformsIn(ArrayRef<Step> steps) {
  SmallVector<TransformToLeaveOut> found;
  for (const TransformToLeaveOut &transform : transformsToLeaveOut())
    if (llvm::any_of(steps, [&](const Step &step) {
          return llvm::is_contained(transform.codes, step.code);
        }))
      found.push_back(transform);
  return found;
}

OwningOpRef<ModuleOp> Compilation::optimizedUnlessSlower(ModuleOp module,
                                                         PassFailure &failure) {
  size_t steps = recordedSteps.size(), taken = snapshots.size();
  OwningOpRef<ModuleOp> original = module.clone();
  OwningOpRef<ModuleOp> tuned =
      optimizedWithBestTiles(module, Design(), failure, /*without=*/{});
  std::string reason = tuned ? findSlowerKernel(*tuned) : "";
  if (reason.empty())
    return tuned;
  if (kernelInfos.size() > 1)
    return nullptr;
  gpu::GPUFuncOp kernel = raisedKernel(kernelInfos.front());
  auto isGoodWithout = [&](ArrayRef<TransformToLeaveOut> transforms) {
    SmallVector<StringRef> names, passes;
    for (const TransformToLeaveOut &transform : transforms) {
      names.push_back(transform.name);
      passes.push_back(transform.pass);
    }
    forgetSince(steps, taken);
    sayMissed(RemarkCode::TransformLeftOut, kernel, kernel.getLoc(),
              {{"transform", llvm::join(names, " and ")}, {"reason", reason}});
    OwningOpRef<ModuleOp> copy = original->clone();
    PassFailure ofThis;
    tuned = optimizedWithBestTiles(*copy, Design(), ofThis, passes);
    return tuned && findSlowerKernel(*tuned).empty();
  };
  auto findDone = [&] {
    return transformsIn(ArrayRef(recordedSteps).drop_front(steps));
  };
  SmallVector<TransformToLeaveOut> done = findDone(), leftOut, others;
  for (const TransformToLeaveOut &transform : done) {
    if (isGoodWithout(transform))
      return tuned;
    if (leftOut.empty()) {
      leftOut.push_back(transform);
      others = findDone();
    }
  }
  // Without the first, another one may have come in its place.
  for (; !others.empty() && leftOut.size() < transformsToLeaveOut().size();
       others = findDone()) {
    leftOut.push_back(others.front());
    if (isGoodWithout(leftOut))
      return tuned;
  }
  forgetSince(steps, taken);
  sayMissed(RemarkCode::OriginalKept, kernel, kernel.getLoc(),
            {{"reason", reason}});
  return original;
}

void Compilation::optimize() {
  if (compileOptions.keepSteps) {
    StepSnapshot &first = snapshots.emplace_back();
    first.pass = "raise";
    first.module = raisedModule->clone();
    first.endOfRemarks = recordedSteps.size();
  }
  if (!compileOptions.optimize)
    return;
  size_t steps = recordedSteps.size(), taken = snapshots.size();
  PassFailure failure;
  OwningOpRef<ModuleOp> tuned;
  // A snapshot is one of all kernels.
  bool isTogether = compileOptions.designs.empty() &&
                    (kernelInfos.size() == 1 || compileOptions.keepSteps);
  // What was asked for is not guarded.
  if (isTogether && compileOptions.design == Design())
    tuned = optimizedByPlan(*tunedModule, failure);
  else if (isTogether)
    tuned = optimizedWithBestTiles(*tunedModule, compileOptions.design, failure,
                                   /*without=*/{});
  if (!tuned) {
    forgetSince(steps, taken);
    if (isTogether && kernelInfos.size() == 1)
      return recordFailure(kernelInfos.front(), failure);
    tuned = optimizedApart();
  }
  tunedModule = std::move(tuned);
}

RaisedKernel Compilation::raisedAlone(const KernelInfo &kernel) const {
  OwningOpRef<ModuleOp> alone = cloneKernel(raised(), kernel.symbol);
  RaisedKernel result{kernel, sourcePath, compileOptions, bytecodeOf(*alone),
                      ""};
  llvm::raw_string_ostream text(result.text);
  alone->print(text);
  return result;
}

std::unique_ptr<Compilation> Compilation::create(const RaisedKernel &kernel,
                                                 const Design &design) {
  return createIn(createCompilerContext(), kernel, design,
                  /*verifiesInput=*/true);
}

std::unique_ptr<Compilation>
Compilation::createIn(std::unique_ptr<MLIRContext> context,
                      const RaisedKernel &kernel, const Design &design,
                      bool verifiesInput) {
  std::unique_ptr<Compilation> variant(new Compilation());
  variant->sourcePath = kernel.path;
  variant->compileOptions = kernel.options;
  variant->compileOptions.designs.clear();
  variant->compileOptions.keepSteps = false;
  variant->compileOptions.design = design;
  variant->kernelInfos = {kernel.kernel};
  variant->context = std::move(context);
  recordSteps(*variant->context, variant->recordedSteps);
  ScopedDiagnosticHandler silence(variant->context.get(),
                                  [](Diagnostic &) { return success(); });
  llvm::Expected<TargetAttr> target =
      lookUpTarget(variant->context.get(), kernel.options.target);
  if (!target) {
    llvm::consumeError(target.takeError());
    return nullptr;
  }
  variant->targetAttr = *target;
  variant->raisedModule = parseSourceString<ModuleOp>(
      kernel.module, ParserConfig(variant->context.get(), verifiesInput));
  if (!variant->raisedModule)
    return nullptr;
  if (!variant->split())
    return nullptr;
  variant->optimize();
  return variant;
}
