//===- VirtualBlocks.h - blocks that take turns with memory -----*- C++ -*-===//
//
// A block that does the work of several, its *virtual blocks* (Yang 2012,
// section 5.4.1), but has workgroup arrays for one: each access region runs
// once for each virtual block, whose threads alone do something in it.
//
//   store s              if (v == 0) store s
//   barrier              barrier
//   d = load s           if (v == 0) d = load s
//                        barrier
//                        if (v == 1) store s
//                        barrier
//                        if (v == 1) d = load s
//
// All else runs once, for the threads of all of them together. Of two virtual
// blocks one may have something to do while the other one has the memory
// (section 5.4.2, VTB_pipe): what stands behind a region, e and f, does not
// wait for both.
//
//   if (0) store s
//   barrier
//   if (0) d = load s
//   barrier
//   if (1) store s
//   barrier
//   if (1) d = load s  else e = f(d)      block 0 has its d
//   barrier
//   if (0) store s     else e = f(d)
//   …
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_MULTIPLEX_VIRTUALBLOCKS_H
#define PASSES_TRANSFORMS_MULTIPLEX_VIRTUALBLOCKS_H

#include "passes/Analysis/Remarks.h"
#include "passes/Transforms/Multiplex/AccessRegions.h"

namespace gpuopt {

/// Moves what stands in `region` before its first barrier and has to do with no
/// workgroup memory in front of it: loads of what is stored there, as a rule.
void shrinkRegion(const AccessRegion &region,
                  const WorkgroupLiveness &liveness);

/// Whether a region can hand on a value of `type`.
bool isNumber(mlir::Type type);

/// Checks that `region` can run several times, each time for some threads: what
/// decides how often a barrier in it is reached is no result of what only these
/// do, and what it hands on is a number.
std::optional<Refusal> checkTurns(const AccessRegion &region);

/// Regions, in the order of the program, in groups of those of one block of
/// operations between which two virtual blocks can have something to do while
/// the other one is in a region. The regions in a group are as `checkTurns`
/// wants them where each of `regions` is.
std::vector<std::vector<AccessRegion>>
groupForPipelines(llvm::ArrayRef<AccessRegion> regions);

/// Lets the virtual blocks take turns in `regions`, one region for which
/// `checkTurns` finds nothing, or a group of several (see above) for two
/// virtual blocks. `isTurn` has for each of them whether the thread is one of
/// its own. Barriers stand between turns; the first turn needs one in front
/// where `afterOthers`.
void takeTurns(llvm::ArrayRef<AccessRegion> regions, mlir::ValueRange isTurn,
               bool afterOthers);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_MULTIPLEX_VIRTUALBLOCKS_H
