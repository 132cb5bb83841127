//===- RaisePipeline.cpp - the order of the raising passes ----------------===//

#include "passes/Raising/Passes.h"

#include "passes/Analysis/Canonicalization.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToGPU/SCFToGPUPass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void gpuopt::buildRaiseIndicesPipeline(OpPassManager &kernelPM) {
  kernelPM.addPass(createRaiseLoops());
  kernelPM.addPass(createInferNoWrap());
  kernelPM.addPass(createVersionIndexRange());
  buildRaiseAccessesPipeline(kernelPM);
  kernelPM.addPass(createRerollLoops());
}

void gpuopt::buildRaiseAccessesPipeline(OpPassManager &kernelPM) {
  kernelPM.addPass(createRaiseIndexArithmetic());
  kernelPM.addPass(createCanonicalizer());
  kernelPM.addPass(createCSEPass());
  kernelPM.addPass(createDelinearizeAccesses());
  kernelPM.addPass(createCanonicalizer());
  kernelPM.addPass(createCSEPass());
}

void gpuopt::buildRaiseAgainPipeline(OpPassManager &kernelPM) {
  kernelPM.addPass(createCanonicalizer());
  kernelPM.addPass(createRaiseGlobalIds());
  buildRaiseIndicesPipeline(kernelPM);
}

void gpuopt::buildRaisePipeline(OpPassManager &pm) {
  OpPassManager &modulePM = pm.nest<gpu::GPUModuleOp>();
  modulePM.addPass(createRaiseFunctions());
  modulePM.addPass(createRaiseMemory());
  OpPassManager &kernelPM = modulePM.nest<gpu::GPUFuncOp>();
  kernelPM.addPass(createRaiseControlFlow());
  kernelPM.addPass(createRaiseIndices());
  kernelPM.addPass(createCanonicalizer());
  kernelPM.addPass(createCSEPass());
  kernelPM.addPass(createPromoteMemory());
  kernelPM.addPass(createRaiseGlobalIds());
  buildRaiseIndicesPipeline(kernelPM);
  kernelPM.addPass(createInferLaunchBlock());
}

void gpuopt::buildImportMLIRPipeline(OpPassManager &pm) {
  // Before anything is folded.
  pm.addPass(createExpandIndexCasts());
  // One work item per iteration of the parallel loops.
  pm.addPass(createConvertLinalgToParallelLoopsPass());
  OpPassManager &hostPM = pm.nest<func::FuncOp>();
  // affine.parallel becomes scf.parallel; raising makes accesses affine again.
  hostPM.addPass(createLowerAffinePass());
  // The innermost loop runs along x, where neighbours share a segment.
  GpuMapParallelLoopsPassOptions mapping;
  mapping.mappingPolicyStr = "innermost-first";
  hostPM.addPass(createGpuMapParallelLoopsPass(mapping));
  hostPM.addPass(createConvertParallelLoopToGpuPass());
  hostPM.addPass(createCanonicalizerPass());
  hostPM.addPass(createCSEPass());
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
  pm.nest<gpu::GPUModuleOp>().addPass(createLowerInput());
  pm.addPass(createPrepareLaunches());
  pm.addPass(createCanonicalizerPass());
  buildRaisePipeline(pm);
}

void gpuopt::registerRaisingPipelines() {
  registerGPUOptRaisingPasses();
  PassPipelineRegistration<>("gpuopt-raise",
                             "raise kernels from the LLVM dialect to gpu.func",
                             buildRaisePipeline);
  PassPipelineRegistration<>(
      "gpuopt-import-mlir",
      "make raised kernels from linalg operations and parallel loops",
      buildImportMLIRPipeline);
}
