//===- UnrollPrivateArrays.h - keep private arrays in registers -*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_UNROLLPRIVATEARRAYS_H
#define CONVERSION_EMITBINARY_UNROLLPRIVATEARRAYS_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace gpuopt {

/// Asks for full unrolling of loops with a constant trip count that index a
/// private array by their counter. Registers cannot be indexed: unless such a
/// loop is unrolled, the array lives in local memory, which is slower than
/// anything that the loop's code size could cost. LLVM's thresholds know that
/// for AMD only.
class UnrollPrivateArraysPass
    : public llvm::PassInfoMixin<UnrollPrivateArraysPass> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &results,
                              llvm::LPMUpdater &);
};

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_UNROLLPRIVATEARRAYS_H
