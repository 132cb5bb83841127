//===- Pipelines.h - named sequences of passes ------------------*- C++ -*-===//

#ifndef PASSES_PIPELINES_PIPELINES_H
#define PASSES_PIPELINES_PIPELINES_H

#include "passes/Pipelines/Design.h"

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
  Option<bool> matrixUnits{
      *this, "matrix-units", llvm::cl::init(true),
      llvm::cl::desc("let subgroups multiply tiles by units of the target, "
                     "which have no form in source")};
  ListOption<std::string> without{
      *this, "without",
      llvm::cl::desc("transforms that are left out, by the names of their "
                     "passes without `gpuopt-`: merge-for-target,…")};
  Option<int64_t> share{
      *this, "share", llvm::cl::init(0),
      llvm::cl::desc("let gpuopt-share-arrays choose what goes through "
                     "workgroup memory, and the block, of which a thread has "
                     "this many work items along y; 0: let the passes choose")};
  Option<bool> splitAtGridBarriers{
      *this, "split-at-grid-barriers", llvm::cl::init(true),
      llvm::cl::desc("make separate launches of what grid-wide synchronisation "
                     "separates; else the launch must be cooperative")};
  // The choices of a design (Design.h); the passes' own where left out.
  ListOption<int64_t> block{
      *this, "block",
      llvm::cl::desc("threads per block in x, y, z before merging")};
  Option<std::string> fastest{
      *this, "fastest", llvm::cl::init("auto"),
      llvm::cl::desc("dimension whose threads become neighbouring lanes: x, y, "
                     "z, or auto: by the model")};
  ListOption<int64_t> blocks{
      *this, "blocks",
      llvm::cl::desc("how many blocks become one along x, y, z")};
  ListOption<int64_t> threads{
      *this, "threads",
      llvm::cl::desc("how many threads become one along x, y, z")};
  ListOption<int64_t> contiguous{
      *this, "contiguous",
      llvm::cl::desc("how many items of a thread are neighbours")};
  Option<int64_t> stages{
      *this, "stages", llvm::cl::init(0),
      llvm::cl::desc("stages of tiles that are loaded ahead")};
  Option<int64_t> group{
      *this, "group", llvm::cl::init(-1),
      llvm::cl::desc("rows of blocks that are worked on together; 0: none")};
  Option<int64_t> width{*this, "width", llvm::cl::init(0),
                        llvm::cl::desc("bytes of the widest access")};
  Option<int64_t> resident{
      *this, "resident", llvm::cl::init(0),
      llvm::cl::desc("blocks that the assembler leaves a multiprocessor room "
                     "for")};
  Option<int64_t> turns{
      *this, "turns", llvm::cl::init(0),
      llvm::cl::desc("blocks of the source that take turns with workgroup "
                     "memory; 1: none, 0: what the model finds")};

  void set(const Design &design);
};

/// Optimises raised kernels for a target: coalescing, block and thread merge.
void buildOptimizePipeline(mlir::OpPassManager &pm,
                           const OptimizeOptions &options);

/// Registers every pass and pipeline of the project.
void registerAllPasses();

} // namespace gpuopt

#endif // PASSES_PIPELINES_PIPELINES_H
