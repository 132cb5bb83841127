//===- ResidentBlocks.h - blocks to make room for ---------------*- C++ -*-===//
//
// How many blocks the assembler shall leave a multiprocessor room for: a choice
// of a design, which lowering and the emitted source pass on. Each vendor's
// compilers ask for it in other units.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_RESIDENTBLOCKS_H
#define DIALECTS_GPUOPT_RESIDENTBLOCKS_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/IR/Operation.h"
#include "llvm/Support/MathExtras.h"

namespace gpuopt {

/// The number of blocks that `kernel` asks for; 0 where it does not.
inline int64_t residentBlocksOf(mlir::Operation *kernel) {
  auto blocks =
      kernel->getAttrOfType<mlir::IntegerAttr>(kResidentBlocksAttrName);
  return blocks ? blocks.getInt() : 0;
}

/// The same for AMD's compilers, of a block of `threads`: wavefronts on each of
/// a compute unit's execution units, which are four on all that LLVM knows.
/// 0 where `kernel` does not ask, or is for no known target.
inline int64_t wavesPerExecutionUnit(mlir::Operation *kernel, int64_t threads) {
  constexpr int64_t units = 4;
  int64_t blocks = residentBlocksOf(kernel);
  if (blocks == 0)
    return 0;
  for (mlir::Operation *scope = kernel; scope; scope = scope->getParentOp())
    if (auto target = scope->getAttrOfType<TargetAttr>(kTargetAttrName))
      return llvm::divideCeil(
          blocks * llvm::divideCeil(threads, target.getSubgroupSize()), units);
  return 0;
}

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_RESIDENTBLOCKS_H
