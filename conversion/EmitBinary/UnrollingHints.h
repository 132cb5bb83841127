//===- UnrollingHints.h - which loops LLVM unrolls -------------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_UNROLLINGHINTS_H
#define CONVERSION_EMITBINARY_UNROLLINGHINTS_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace gpuopt {

/// Tells LLVM's loop unrolling what its thresholds do not know:
///
/// * A loop with a constant trip count that indexes a private array by its
///   counter is unrolled fully. Registers cannot be indexed: else the array
///   lives in local memory, which is slower than anything that the loop's code
///   size could cost. LLVM does so for AMD only.
/// * A loop with a large body is left alone. It has enough to overlap, and the
///   copies' loads only move ahead until registers are spilled; LLVM's limit
///   for AMD is several times that for NVIDIA.
///
/// What the source says about unrolling stands.
class UnrollingHintsPass : public llvm::PassInfoMixin<UnrollingHintsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &results,
                              llvm::LPMUpdater &);
};

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_UNROLLINGHINTS_H
