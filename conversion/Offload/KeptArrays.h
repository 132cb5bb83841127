//===- KeptArrays.h - arrays that stay on a device over calls ---*- C++ -*-===//
//
// Regions of data are statements of one function (Region.h). Where a sequential
// loop calls functions that hold the parallel loops, or does other things
// beside them, arrays of the program stay on the device for all that the loop
// does, from the first region that runs there on:
//
//   for (t = 0; t < steps; t++) {       gpuopt_kept_u.loops += …;
//     sweep();   // offloads u      →   for (…) { sweep(); print(t); }
//     print(t);                         gpuopt_move_u(0);   // comes back
//   }
//
// In front of an offloaded region that needs `u`, `enter data` brings it,
// unless it is there; in front of its original, on the host, `exit data` brings
// it back. So it does behind the loop. That is legal for an array `u` and a
// loop where the following hold.
//
// 1. Nothing else accesses `u` while the loop runs. `u` is static, of the file,
//    and nobody has its address, but within a region: all accesses have its
//    name in them. All that the loop does in this file is looked through, calls
//    included; each use of `u` there is in an offloaded region, at its place
//    in the regions' plans. What other files do cannot reach `u` but by
//    functions of this file that they can call or have the address of: none of
//    these uses `u`, nor what it calls.
// 2. No other thread comes to it. For the same reason other files' threads do
//    not. Teams of OpenMP come to a region that they share out all together,
//    and one thread moves the arrays; a region that is none of a team's is not
//    reached from one. The loop is in no parallel region itself, in the
//    text, and where it runs (runtime/Offload).
// 3. The host reads nothing of `u` for a region: where a region changes it in
//    the loop, its elements are in no bounds, conditions or figures, and not
//    in what is between the parallel loops.
// 4. The loop ends at its end: nothing in it returns or jumps, and nobody in
//    the file calls setjmp. A function of another file that it calls may end
//    the program: nobody looks at `u` then.
// 5. A section of `u` is in the whole of it, which is there as OpenMP asks for:
//    its clauses find it and move nothing. `u` is as large as its type says.
//
// Whether a region runs on the device is decided as before, but what is there
// needs no bytes.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_KEPTARRAYS_H
#define CONVERSION_OFFLOAD_KEPTARRAYS_H

#include "conversion/Offload/MoveDeclarations.h"
#include "conversion/Offload/SourceText.h"

namespace gpuopt::offload {

/// A region that goes to the device, and what it needs there.
struct OffloadedRegion {
  Region region;
  SourceText::Place place;
  DataPlan plan;
  SymbolTable symbols;
  FixedPointers pointers;
  std::vector<MovedDeclarations> declarations;
  /// Arrays that may be there already.
  Variables kept;
};

/// A sequential loop for which arrays stay there.
struct KeepingLoop {
  const clang::FunctionDecl *function = nullptr;
  const clang::Stmt *statement = nullptr;
  Variables arrays;
};

struct KeptArrays {
  std::vector<KeepingLoop> loops;
  /// All of them, in the order of the text, and whether regions change them.
  llvm::MapVector<const clang::VarDecl *, bool> arrays;
};

/// Finds the loops of the program for which arrays stay on the device, and
/// notes these at `regions`. Loops for which that is not `isWorthKeeping` are
/// left.
KeptArrays
findKeptArrays(const clang::ASTContext &context,
               llvm::MutableArrayRef<OffloadedRegion> regions,
               llvm::function_ref<bool(const clang::Stmt &)> isWorthKeeping);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_KEPTARRAYS_H
