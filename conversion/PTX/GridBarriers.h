//===- GridBarriers.h - where all blocks of a grid meet ---------*- C++ -*-===//
//
// CUDA's cooperative groups have no instruction for `grid.sync()`. A thread of
// each block counts it in a workspace that the driver makes, whose address is
// in two registers, and looks there until all others have come:
//
//   mov.u32 %r1, %envreg2;  mov.u32 %r2, %envreg1;  // the workspace
//   barrier.sync 0;
//   @thread 0:  atom.add.release.gpu.u32 %r3, [%rd1+4], %r4;
//         LOOP: ld.acquire.gpu.u32 %r5, [%rd1+4];
//               xor.b32 %r6, %r5, %r3;  setp.gt.s32 %p1, %r6, -1;
//               @%p1 bra LOOP;
//   barrier.sync 0;
//
// The barrier that follows the loop becomes one of the grid, as the front end
// has it of source (`__gpuopt_global_sync`), and the rest goes.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_GRIDBARRIERS_H
#define CONVERSION_PTX_GRIDBARRIERS_H

#include "llvm/IR/Function.h"

namespace gpuopt::ptx {

/// Finds them in `kernel`, whose registers are values. False where it uses the
/// workspace for anything else.
bool recoverGridBarriers(llvm::Function &kernel);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_GRIDBARRIERS_H
