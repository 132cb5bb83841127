//===- RaisePipeline.cpp - the order of the raising passes ----------------===//

#include "passes/Raising/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void gpuopt::buildRaisePipeline(OpPassManager &pm) {
  OpPassManager &modulePM = pm.nest<gpu::GPUModuleOp>();
  modulePM.addPass(createRaiseFunctions());
  modulePM.addPass(createRaiseMemory());
  OpPassManager &kernelPM = modulePM.nest<gpu::GPUFuncOp>();
  kernelPM.addPass(createRaiseControlFlow());
  kernelPM.addPass(createRaiseIndices());
  kernelPM.addPass(createCanonicalizerPass());
  kernelPM.addPass(createCSEPass());
  kernelPM.addPass(createRaiseGlobalIds());
  kernelPM.addPass(createRaiseLoops());
  kernelPM.addPass(createRaiseIndexArithmetic());
  kernelPM.addPass(createCanonicalizerPass());
  kernelPM.addPass(createCSEPass());
  kernelPM.addPass(createDelinearizeAccesses());
  kernelPM.addPass(createCanonicalizerPass());
  kernelPM.addPass(createCSEPass());
}

void gpuopt::registerRaisingPipelines() {
  registerGPUOptRaisingPasses();
  PassPipelineRegistration<>("gpuopt-raise",
                             "raise kernels from the LLVM dialect to gpu.func",
                             buildRaisePipeline);
}
