//===- Pipelines.cpp - named sequences of passes --------------------------===//

#include "passes/Pipelines/Pipelines.h"

#include "conversion/GPUToLLVM/Passes.h"
#include "passes/Analysis/Passes.h"
#include "passes/Launches/Passes.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace gpuopt;

/// Adds the pass that `create` makes, with the option `target`, what `choose`
/// sets, and the others as they are by default.
template <typename Options>
static void addForTarget(
    OpPassManager &kernels, std::unique_ptr<Pass> (*create)(Options),
    StringRef target,
    llvm::function_ref<void(Options &)> choose = [](auto &) {}) {
  Options options;
  options.target = target.str();
  choose(options);
  kernels.addPass(create(std::move(options)));
}

/// Adds the pass that `create` makes for a target and accesses of `width`.
template <typename Options>
static void addForWidth(OpPassManager &kernels,
                        std::unique_ptr<Pass> (*create)(Options),
                        StringRef target, int64_t width) {
  addForTarget<Options>(kernels, create, target,
                        [&](Options &options) { options.width = width; });
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
  kernels.addPass(createAssumeIndexRange());
  kernels.addPass(createAssumePositiveDivisors());
  kernels.addPass(createAssumeDistinctArrays());
  kernels.addPass(createExpandGridStrideLoops());
  addForTarget(kernels, createSplitFlatIds, options.target);
  AssumeBlockShapeOptions assumeBlock;
  llvm::append_range(assumeBlock.block, options.block);
  kernels.addPass(createAssumeBlockShape(std::move(assumeBlock)));
  // Again, for the indices and extents of the new ids.
  kernels.addPass(createAssumeIndexRange());
  kernels.addPass(createAssumeDistinctArrays());
  kernels.addPass(createForwardTiles());
  kernels.nest<gpu::GPUFuncOp>().addPass(createPromoteMemory());
  kernels.addPass(createCleanUp());
}

/// Which thread does what: the geometry, then tiles, then threads that do the
/// work of several.
static void addMapping(OpPassManager &kernels, const OptimizeOptions &options) {
  StringRef target = options.target;
  // A block that is asked for is one of threads that each have a work item.
  if (options.block.empty())
    addForTarget(kernels, createDistributeReductions, target);
  addForTarget<AssignGeometryOptions>(
      kernels, createAssignGeometry, target, [&](auto &assign) {
        llvm::append_range(assign.block, options.block);
        assign.fastest = options.fastest;
        assign.resident = options.resident;
      });
  addForTarget<PermuteGeometryOptions>(kernels, createPermuteGeometry, target,
                                       [&](auto &permute) {
                                         permute.fastest = options.fastest;
                                         permute.onlyBetter = true;
                                       });
  addForTarget(kernels, createUnrollAndJam, target);
  addForTarget(kernels, createUnrollStencils, target);
  addForTarget(kernels, createCoalesceAccesses, target);
  kernels.addPass(createCleanUp());
  addForTarget<MergeForTargetOptions>(
      kernels, createMergeForTarget, target, [&](auto &merge) {
        llvm::append_range(merge.blocks, options.blocks);
        llvm::append_range(merge.threads, options.threads);
        llvm::append_range(merge.contiguous, options.contiguous);
        merge.width = options.width;
      });
  kernels.addPass(createCleanUp());
}

/// How the threads access memory.
static void addMemoryAccess(OpPassManager &kernels,
                            const OptimizeOptions &options) {
  StringRef target = options.target;
  int64_t width = options.width;
  addForTarget(kernels, createPadTiles, target);
  kernels.addPass(createVersionGuards());
  kernels.addPass(createCleanUp());
  addForWidth(kernels, createVersionAlignment, target, width);
  kernels.addPass(createCleanUp());
  addForWidth(kernels, createDistributeTiles, target, width);
  kernels.addPass(createCleanUp());
  kernels.addPass(createUnrollTiles());
  kernels.addPass(createHoistInvariants());
  kernels.addPass(createCleanUp());
  addForWidth(kernels, createVectorizeAccesses, target, width);
  kernels.addPass(createCleanUp());
  // Behind the vectors, whose alignment it hides; before the tiles of the next
  // iterations are loaded ahead, which has to know what these are.
  addForTarget(kernels, createEliminatePartitionCamping, target);
  kernels.addPass(createCleanUp());
  addForTarget<PrefetchTilesOptions>(
      kernels, createPrefetchTiles, target,
      [&](auto &prefetch) { prefetch.stages = options.stages; });
  kernels.addPass(createCleanUp());
  addForTarget(kernels, createEliminateBankConflicts, target);
  kernels.addPass(createCleanUp());
  // Last: no other pass has to know of blocks in another order.
  addForTarget<SwizzleBlocksOptions>(
      kernels, createSwizzleBlocks, target,
      [&](auto &swizzle) { swizzle.group = options.group; });
  kernels.addPass(createCleanUp());
}

void gpuopt::buildOptimizePipeline(OpPassManager &pm,
                                   const OptimizeOptions &options) {
  if (options.splitAtGridBarriers)
    pm.addPass(createSplitAtGridBarriers());
  addForTarget(pm, createMergeGridSteps, options.target);
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  addPreparation(kernels, options);
  addMapping(kernels, options);
  addMemoryAccess(kernels, options);
}

void gpuopt::registerAllPasses() {
  registerGPUToLLVMPasses();
  registerGPUOptAnalysisPasses();
  registerGPUOptLaunchesPasses();
  registerGPUOptTransformsPasses();
  registerRaisingPipelines();
  static PassPipelineRegistration<OptimizeOptions> optimize(
      "gpuopt-optimize",
      "Tune raised kernels for a target: tiles, merges, vectors, stages, banks",
      buildOptimizePipeline);
}
