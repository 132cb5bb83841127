//===- Pipelines.cpp - named sequences of passes --------------------------===//

#include "passes/Pipelines/Pipelines.h"

#include "conversion/GPUToLLVM/Passes.h"
#include "passes/Analysis/Passes.h"
#include "passes/Raising/Passes.h"
#include "passes/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace gpuopt;

/// Adds what every transform leaves to upstream: folding, dead code, sharing.
static void addCleanup(OpPassManager &kernels) {
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
}

/// Adds the pass that `create` makes, with the option `target` and the others
/// as they are by default.
template <typename Options>
static void addForTarget(OpPassManager &kernels,
                         std::unique_ptr<Pass> (*create)(Options),
                         StringRef target) {
  Options options;
  options.target = target.str();
  kernels.addPass(create(std::move(options)));
}

void gpuopt::buildOptimizePipeline(OpPassManager &pm,
                                   const OptimizeOptions &options) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  if (!options.sizes.empty()) {
    SpecializeSizesPassOptions specialize;
    llvm::append_range(specialize.sizes, options.sizes);
    kernels.addPass(createSpecializeSizesPass(specialize));
    addCleanup(kernels);
  }
  StringRef target = options.target;
  kernels.addPass(createAssumeDistinctArraysPass());
  kernels.nest<gpu::GPUFuncOp>().addPass(createPromoteMemory());
  addCleanup(kernels);
  addForTarget(kernels, createAssignGeometryPass, target);
  addForTarget(kernels, createUnrollAndJamPass, target);
  addForTarget(kernels, createUnrollStencilsPass, target);
  addForTarget(kernels, createCoalesceAccessesPass, target);
  addCleanup(kernels);
  addForTarget(kernels, createMergePass, target);
  addCleanup(kernels);
  kernels.addPass(createVersionGuardsPass());
  addCleanup(kernels);
  addForTarget(kernels, createVersionAlignmentPass, target);
  addCleanup(kernels);
  addForTarget(kernels, createDistributeTilesPass, target);
  addCleanup(kernels);
  kernels.addPass(createUnrollTilesPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  addCleanup(kernels);
  addForTarget(kernels, createVectorizeAccessesPass, target);
  addCleanup(kernels);
  addForTarget(kernels, createPrefetchPass, target);
  addCleanup(kernels);
  addForTarget(kernels, createEliminateBankConflictsPass, target);
  addCleanup(kernels);
}

void gpuopt::registerAllPasses() {
  registerGPUToLLVMPasses();
  registerGPUOptAnalysisPasses();
  registerGPUOptTransformsPasses();
  registerRaisingPipelines();
  static PassPipelineRegistration<OptimizeOptions> optimize(
      "gpuopt-optimize",
      "Tune raised kernels for a target: tiles, merges, vectors, stages, banks",
      buildOptimizePipeline);
}
