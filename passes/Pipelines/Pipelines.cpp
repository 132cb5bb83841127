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

void gpuopt::buildOptimizePipeline(OpPassManager &pm,
                                   const OptimizeOptions &options) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  if (!options.sizes.empty()) {
    SpecializeSizesPassOptions specialize;
    llvm::append_range(specialize.sizes, options.sizes);
    kernels.addPass(createSpecializeSizesPass(specialize));
    addCleanup(kernels);
  }
  AssignGeometryPassOptions geometry;
  geometry.target = options.target;
  kernels.addPass(createAssignGeometryPass(geometry));
  UnrollAndJamPassOptions jam;
  jam.target = options.target;
  kernels.addPass(createUnrollAndJamPass(jam));
  UnrollStencilsPassOptions stencils;
  stencils.target = options.target;
  kernels.addPass(createUnrollStencilsPass(stencils));
  CoalesceAccessesPassOptions coalesce;
  coalesce.target = options.target;
  kernels.addPass(createCoalesceAccessesPass(coalesce));
  addCleanup(kernels);
  MergePassOptions merge;
  merge.target = options.target;
  kernels.addPass(createMergePass(merge));
  addCleanup(kernels);
  kernels.addPass(createVersionGuardsPass());
  addCleanup(kernels);
  VersionAlignmentPassOptions alignment;
  alignment.target = options.target;
  kernels.addPass(createVersionAlignmentPass(alignment));
  addCleanup(kernels);
  DistributeTilesPassOptions distribute;
  distribute.target = options.target;
  kernels.addPass(createDistributeTilesPass(distribute));
  addCleanup(kernels);
  kernels.addPass(createUnrollTilesPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  addCleanup(kernels);
  VectorizeAccessesPassOptions vectorize;
  vectorize.target = options.target;
  kernels.addPass(createVectorizeAccessesPass(vectorize));
  addCleanup(kernels);
  PrefetchPassOptions prefetch;
  prefetch.target = options.target;
  kernels.addPass(createPrefetchPass(prefetch));
  addCleanup(kernels);
  EliminateBankConflictsPassOptions banks;
  banks.target = options.target;
  kernels.addPass(createEliminateBankConflictsPass(banks));
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
