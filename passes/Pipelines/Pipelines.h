//===- Pipelines.h - named sequences of passes ------------------*- C++ -*-===//

#ifndef PASSES_PIPELINES_PIPELINES_H
#define PASSES_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace gpuopt {

/// Options of `--gpuopt-optimize`.
struct OptimizeOptions : public mlir::PassPipelineOptions<OptimizeOptions> {
  Option<std::string> target{
      *this, "target", llvm::cl::init("sm_90"),
      llvm::cl::desc("machine description: a known name or a file")};
  ListOption<std::string> sizes{
      *this, "sizes",
      llvm::cl::desc("values of scalar parameters to specialise for: n=64,…")};
};

/// Optimises raised kernels for a target: coalescing, block and thread merge.
void buildOptimizePipeline(mlir::OpPassManager &pm,
                           const OptimizeOptions &options);

/// Registers every pass and pipeline of the project.
void registerAllPasses();

} // namespace gpuopt

#endif // PASSES_PIPELINES_PIPELINES_H
