//===- UnrollingHints.cpp - which loops LLVM unrolls ------------------------===//

#include "conversion/EmitBinary/UnrollingHints.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gpuopt {

/// Number of instructions that an unrolled loop may grow to.
static constexpr uint64_t kUnrolledInstructions = 4096;
/// Number of instructions from which on a body is large.
static constexpr uint64_t kLargeBody = 256;

/// True where the loop's counter selects elements of a private array.
static bool indexesPrivateArray(const Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      auto *address = dyn_cast<GetElementPtrInst>(&inst);
      if (!address || loop.isLoopInvariant(address))
        continue;
      bool isVariant = any_of(address->indices(), [&](const Use &index) {
        return !loop.isLoopInvariant(index.get());
      });
      if (isVariant && isa<AllocaInst>(getUnderlyingObject(address)))
        return true;
    }
  return false;
}

static uint64_t countInstructions(const Loop &loop) {
  uint64_t count = 0;
  for (BasicBlock *block : loop.blocks())
    count += block->sizeWithoutDebug();
  return count;
}

PreservedAnalyses UnrollingHintsPass::run(Loop &loop, LoopAnalysisManager &,
                                          LoopStandardAnalysisResults &results,
                                          LPMUpdater &) {
  bool hasWish = any_of(
      ArrayRef<const char *>{"llvm.loop.unroll.disable",
                             "llvm.loop.unroll.count", "llvm.loop.unroll.full"},
      [&](const char *name) { return findOptionMDForLoop(&loop, name); });
  if (hasWish)
    return PreservedAnalyses::all();
  unsigned trips = results.SE.getSmallConstantTripCount(&loop);
  uint64_t instructions = countInstructions(loop);
  if (trips != 0 && trips * instructions <= kUnrolledInstructions &&
      indexesPrivateArray(loop))
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  else if (instructions >= kLargeBody)
    loop.setLoopAlreadyUnrolled();
  return PreservedAnalyses::all();
}

} // namespace gpuopt
