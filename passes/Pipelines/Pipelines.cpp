//===- Pipelines.cpp - named sequences of passes --------------------------===//

#include "passes/Pipelines/Pipelines.h"

#include "conversion/GPUToLLVM/Passes.h"
#include "passes/Analysis/Passes.h"
#include "passes/Assist/Passes.h"
#include "passes/Launches/Passes.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace gpuopt;

/// Whether `pass` is one of those that are left out.
static bool isLeftOut(const Pass &pass, const OptimizeOptions &pipeline) {
  StringRef name = pass.getArgument();
  return name.consume_front("gpuopt-") &&
         llvm::is_contained(pipeline.without, name);
}

/// Adds the pass that `create` makes for the target of `pipeline`, with what
/// `choose` sets, and the other options as they are by default.
template <typename Options>
static void addForTarget(
    OpPassManager &kernels, std::unique_ptr<Pass> (*create)(Options),
    const OptimizeOptions &pipeline,
    llvm::function_ref<void(Options &)> choose = [](auto &) {}) {
  Options options;
  options.target = pipeline.target;
  choose(options);
  std::unique_ptr<Pass> pass = create(std::move(options));
  if (!isLeftOut(*pass, pipeline))
    kernels.addPass(std::move(pass));
}

/// The same for a pass that knows the width of accesses.
template <typename Options>
static void addForWidth(OpPassManager &kernels,
                        std::unique_ptr<Pass> (*create)(Options),
                        const OptimizeOptions &pipeline) {
  addForTarget<Options>(kernels, create, pipeline, [&](Options &options) {
    options.width = pipeline.width;
  });
}

void OptimizeOptions::set(const Design &design) {
  auto copy = [](ListOption<int64_t> &option, ArrayRef<int64_t> values) {
    for (int64_t value : values)
      option.push_back(value);
  };
  if (!design.fastest.empty())
    fastest = design.fastest;
  copy(block, design.block);
  copy(blocks, design.blocks);
  copy(threads, design.threads);
  copy(contiguous, design.contiguous);
  stages = design.stages;
  width = design.width;
  resident = design.resident;
  share = design.share;
  turns = design.turns;
  // The pass takes 0 for the launch's order, and -1 for a choice of its own.
  if (design.group > 0)
    group = design.group == 1 ? 0 : design.group;
}

/// What kernels assume and compute is told; values move to registers.
static void addPreparation(OpPassManager &kernels,
                           const OptimizeOptions &options) {
  if (!options.sizes.empty()) {
    SpecializeSizesOptions specialize;
    llvm::append_range(specialize.sizes, options.sizes);
    kernels.addPass(createSpecializeSizes(specialize));
    kernels.addPass(createCleanUp());
  }
  kernels.addPass(createAssumeSizeRanges());
  kernels.addPass(createAssumeIndexRange());
  kernels.addPass(createAssumePositiveDivisors());
  kernels.addPass(createAssumeDistinctArrays());
  kernels.addPass(createExpandGridStrideLoops());
  addForTarget(kernels, createSplitFlatIds, options);
  if (options.block.empty())
    addForTarget(kernels, createDistributeLoops, options);
  AssumeBlockShapeOptions assumeBlock;
  llvm::append_range(assumeBlock.block, options.block);
  kernels.addPass(createAssumeBlockShape(std::move(assumeBlock)));
  // Again, for the indices and extents of the new ids.
  kernels.addPass(createAssumeIndexRange());
  kernels.addPass(createAssumeDistinctArrays());
  kernels.addPass(createJoinStores());
  kernels.addPass(createForwardTiles());
  kernels.addPass(createTrimPadding());
  kernels.nest<gpu::GPUFuncOp>().addPass(createPromoteMemory());
  kernels.addPass(createCleanUp());
}

static bool usesMatrixUnits(const OptimizeOptions &options) {
  return options.matrixUnits &&
         !llvm::is_contained(options.without, "use-matrix-units");
}

/// Which thread does what: the geometry, then tiles, then threads that do the
/// work of several.
static void addMapping(OpPassManager &kernels, const OptimizeOptions &options) {
  if (options.share > 0)
    addForTarget<ShareArraysOptions>(
        kernels, createShareArrays, options, [&](auto &share) {
          share.items = options.share;
          llvm::append_range(share.sizes, options.sizes);
        });
  if (usesMatrixUnits(options))
    addForTarget<PlanWarpgroupsOptions>(
        kernels, createPlanWarpgroups, options, [&](auto &plan) {
          llvm::append_range(plan.block, options.block);
          llvm::append_range(plan.blocks, options.blocks);
          llvm::append_range(plan.threads, options.threads);
        });
  // A block that is asked for is one of threads that each have a work item.
  if (options.block.empty())
    addForTarget(kernels, createDistributeReductions, options);
  addForTarget<AssignGeometryOptions>(
      kernels, createAssignGeometry, options, [&](auto &assign) {
        llvm::append_range(assign.block, options.block);
        assign.fastest = options.fastest;
        assign.resident = options.resident;
      });
  addForTarget<PermuteGeometryOptions>(kernels, createPermuteGeometry, options,
                                       [&](auto &permute) {
                                         permute.fastest = options.fastest;
                                         permute.onlyBetter = true;
                                       });
  addForTarget(kernels, createUnrollAndJam, options);
  addForTarget(kernels, createUnrollStencils, options);
  addForTarget(kernels, createCoalesceAccesses, options);
  kernels.addPass(createCleanUp());
  addForTarget<MergeForTargetOptions>(
      kernels, createMergeForTarget, options, [&](auto &merge) {
        llvm::append_range(merge.blocks, options.blocks);
        llvm::append_range(merge.threads, options.threads);
        llvm::append_range(merge.contiguous, options.contiguous);
        merge.width = options.width;
        merge.matrixUnits = usesMatrixUnits(options);
      });
  kernels.addPass(createCleanUp());
  addForTarget<MultiplexWorkgroupMemoryOptions>(
      kernels, createMultiplexWorkgroupMemory, options,
      [&](auto &multiplex) { multiplex.factor = options.turns; });
  kernels.addPass(createCleanUp());
}

/// How the threads access memory.
static void addMemoryAccess(OpPassManager &kernels,
                            const OptimizeOptions &options) {
  addForTarget(kernels, createPadTiles, options);
  addForTarget<UseMatrixUnitsOptions>(
      kernels, createUseMatrixUnits, options,
      [&](auto &units) { units.instructions = options.matrixUnits; });
  kernels.addPass(createVersionGuards());
  kernels.addPass(createCleanUp());
  addForWidth(kernels, createVersionAlignment, options);
  kernels.addPass(createCleanUp());
  addForWidth(kernels, createDistributeTiles, options);
  kernels.addPass(createCleanUp());
  kernels.addPass(createUnrollTiles());
  kernels.addPass(createHoistInvariants());
  kernels.addPass(createCleanUp());
  addForWidth(kernels, createVectorizeAccesses, options);
  kernels.addPass(createCleanUp());
  // Behind the vectors, whose alignment it hides; before the tiles of the next
  // iterations are loaded ahead, which has to know what these are.
  addForTarget(kernels, createEliminatePartitionCamping, options);
  kernels.addPass(createCleanUp());
  addForTarget<PrefetchTilesOptions>(
      kernels, createPrefetchTiles, options,
      [&](auto &prefetch) { prefetch.stages = options.stages; });
  kernels.addPass(createCleanUp());
  // Banks and barriers of trees and scans are those of their steps.
  kernels.addPass(createUnrollGeometricLoops());
  kernels.addPass(createCleanUp());
  addForTarget(kernels, createEliminateBankConflicts, options);
  kernels.addPass(createCleanUp());
  // What no layout helps.
  addForTarget(kernels, createReorderAccesses, options);
  addForTarget(kernels, createRemapThreads, options);
  kernels.addPass(createCleanUp());
  // Last: no other pass has to know of blocks in another order.
  addForTarget<SwizzleBlocksOptions>(
      kernels, createSwizzleBlocks, options,
      [&](auto &swizzle) { swizzle.group = options.group; });
  kernels.addPass(createCleanUp());
  // No pass has to know what only lanes wait for.
  addForTarget(kernels, createRelaxBarriers, options);
  kernels.addPass(createSpareRegisters());
}

void gpuopt::buildOptimizePipeline(OpPassManager &pm,
                                   const OptimizeOptions &options) {
  if (options.splitAtGridBarriers)
    pm.addPass(createSplitAtGridBarriers());
  addForTarget(pm, createMergeGridSteps, options);
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  addPreparation(kernels, options);
  addMapping(kernels, options);
  addMemoryAccess(kernels, options);
}

void gpuopt::registerAllPasses() {
  registerGPUToLLVMPasses();
  registerGPUOptAnalysisPasses();
  registerGPUOptAssistPasses();
  registerGPUOptLaunchesPasses();
  registerGPUOptTransformsPasses();
  registerRaisingPipelines();
  static PassPipelineRegistration<OptimizeOptions> optimize(
      "gpuopt-optimize",
      "Tune raised kernels for a target: tiles, merges, vectors, stages, banks",
      buildOptimizePipeline);
}
