//===- AccessReport.h - what a kernel does to memory ------------*- C++ -*-===//
//
// All facts about all accesses of a kernel in one flat list, as the report of
// `gpuopt compile --report` prints it.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_ACCESSREPORT_H
#define PASSES_ANALYSIS_ACCESSREPORT_H

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/Sharing.h"

#include "mlir/IR/Location.h"

namespace gpuopt {

/// The facts about one load or store.
struct AccessReport {
  explicit AccessReport(mlir::Location location) : loc(location) {}

  /// Position in the source as file:line:col; empty where it is not known.
  std::string location;
  mlir::Location loc;
  /// The array's name in the source: "a".
  std::string array;
  AccessKind kind = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;
  /// Bytes that one thread moves: 16 for a load of vector<4xf32>.
  int64_t bytes = 0;
  /// The address in elements: "bdy*by*k + k*ty + i0", or "unresolved: …".
  std::string function;
  /// Sectors and verdict mean something for global accesses only.
  CoalescingFact coalescing;
  /// Of workgroup accesses: lanes that the busiest bank serves one after the
  /// other; 1 is free of conflicts. 0 for global or unresolved ones.
  int64_t bankConflictDegree = 0;
  /// The turns that a request takes on average, and would without conflicts.
  double wavefrontsPerRequest = 0;
  double neededWavefrontsPerRequest = 0;
  /// Of loads from global memory: what neighbours share, and where the value
  /// goes.
  std::optional<LoadSharing> sharing;
  /// How often a thread executes the access: the product of the trip counts;
  /// 0 where no thread of the first block reaches it (the general version
  /// beside a fast one). In a collective loop, how often the block runs it.
  double executions = 1;
  /// False where `executions` rests on an assumption.
  bool executionsExact = true;
};

/// The block shape to analyse a kernel for: that of its `gpuopt.geometry`, else
/// `fallback`, else 256x1 where it only reads ids in x, and 16x16.
BlockShape blockShapeOf(mlir::Operation *kernel,
                        std::optional<BlockShape> fallback = std::nullopt);

/// The facts about every global and workgroup access of `kernel`, in the order
/// of the operations. `kernel` is a gpu.func, or an llvm.func that was not
/// raised (all unresolved).
std::vector<AccessReport> collectAccesses(mlir::Operation *kernel,
                                          TargetAttr target,
                                          const BlockShape &block,
                                          const SizeMap &sizes = {});

} // namespace gpuopt

#endif // PASSES_ANALYSIS_ACCESSREPORT_H
