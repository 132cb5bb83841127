//===- Occupancy.h - blocks that fit on a multiprocessor --------*- C++ -*-===//
//
// How many blocks of a kernel a multiprocessor holds at once, and what limits
// them. For sm_90 (64 subgroups, 2048 threads, four files of 16384 registers in
// units of 256 per subgroup, 228 KiB of workgroup memory and 1 KiB of it taken
// from each block):
//
//   threads  registers  workgroup memory   blocks  occupancy  limit
//       256         32                 0        8       1.0   threads
//       256         64                 0        4       0.5   registers
//       256         32             65536        3     0.375   workgroup memory
//        32         16                 0       32       0.5   blocks
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_OCCUPANCY_H
#define PASSES_ANALYSIS_OCCUPANCY_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gpuopt {

/// What a block of a kernel needs.
struct BlockResources {
  int64_t threads = 0;
  int64_t registersPerThread = 0;
  int64_t workgroupMemoryBytes = 0;
};

/// Bytes of the workgroup arrays that `kernel` declares.
int64_t declaredWorkgroupBytes(mlir::gpu::GPUFuncOp kernel);

/// What a multiprocessor holds of a kernel.
struct OccupancyFact {
  enum class Limit { Threads, Blocks, Registers, WorkgroupMemory, Illegal };
  int64_t blocksPerMultiprocessor = 0;
  int64_t subgroupsPerMultiprocessor = 0;
  /// Resident subgroups over the most that a multiprocessor holds.
  double occupancy = 0;
  /// `Illegal`: one block alone exceeds a limit of the target.
  Limit limit = Limit::Illegal;
};

llvm::StringRef stringify(OccupancyFact::Limit limit);

OccupancyFact computeOccupancy(const BlockResources &resources,
                               TargetAttr target);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_OCCUPANCY_H
