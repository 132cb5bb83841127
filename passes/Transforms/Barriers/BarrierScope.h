//===- BarrierScope.h - who has to wait at a barrier ------------*- C++ -*-===//
//
// A barrier is there for threads that access what others access on its other
// side, one of the two writing. Where there are none, nobody has to wait; where
// they are in the same subgroup, its lanes wait for each other:
//
//   if (t < 16)                    a block of 256 threads, subgroups of 32
//     s[t] += s[t + 16]
//   barrier                        threads 0 to 7 read what 0 to 15 wrote
//   if (t < 8)
//     s[t] += s[t + 8]
//
// This is a proof: which elements each thread accesses is counted thread by
// thread, with exact address functions. Addresses have to be those of a
// thread's ids and of loops with known bounds, beside what is the same for all
// threads and on both sides. Whatever else there is, every thread waits for.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BARRIERS_BARRIERSCOPE_H
#define PASSES_TRANSFORMS_BARRIERS_BARRIERSCOPE_H

#include "passes/Analysis/AccessFunction.h"
#include "passes/Transforms/Barriers/BarrierIntervals.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <string>

namespace gpuopt {

/// The threads that wait for each other, the fewest first.
enum class BarrierScope { Nobody, Subgroup, Workgroup };

/// Valid as long as the kernel is not changed.
class BarrierScopes {
public:
  /// For `kernel` in blocks of `block` threads, `subgroupSize` of which can
  /// wait for each other.
  BarrierScopes(mlir::gpu::GPUFuncOp kernel, const BlockShape &block,
                int64_t subgroupSize);

  struct Result {
    BarrierScope scope = BarrierScope::Nobody;
    /// What is not known, where that is why everybody waits; empty where
    /// somebody has to.
    std::string unknown = {};
  };
  /// Who has to wait at `barrier`. Where that is not the whole block, barriers
  /// asked for later count on nobody else waiting there.
  Result relax(mlir::gpu::BarrierOp barrier);

private:
  /// One thread and one subgroup, or that there are several.
  struct Accessors {
    int64_t thread, subgroup;
  };
  /// Who accesses what of an array.
  struct Footprint {
    /// The part of the address that is the same for all threads.
    Polynomial common;
    /// By the rest of it, in elements.
    llvm::DenseMap<int64_t, Accessors> accessors;
  };

  Result compute(mlir::gpu::BarrierOp barrier);
  Result compare(const Neighbour &before, const Neighbour &behind,
                 mlir::gpu::BarrierOp barrier);
  Result compare(const AccessFunction &before, const AccessFunction &behind,
                 unsigned sameLoops);
  const std::optional<Footprint> &footprintOf(const AccessFunction &access,
                                              unsigned sameLoops);
  std::optional<Footprint> computeFootprint(const AccessFunction &access,
                                            unsigned sameLoops);
  bool enumerate(const AccessFunction &access, const Polynomial &own,
                 llvm::ArrayRef<unsigned> freeLoops, Footprint &footprint);
  bool isComputable(const Polynomial &polynomial,
                    llvm::ArrayRef<unsigned> freeLoops) const;
  bool add(const AccessFunction &access, int64_t first, int64_t thread,
           Footprint &footprint) const;
  static std::optional<BarrierScope>
  meet(const Footprint &before, const Footprint &behind, int64_t elementBytes);
  llvm::ArrayRef<AccessFunction> accessesOf(mlir::Operation *op) const;
  mlir::Operation *select(llvm::ArrayRef<Neighbour> interval,
                          llvm::SmallVectorImpl<Neighbour> &accesses) const;

  BlockShape block;
  int64_t subgroupSize;
  AccessFunctions functions;
  Barriers relaxed;
  /// By access and the loops whose iterations are the same.
  std::map<std::pair<const AccessFunction *, unsigned>,
           std::optional<Footprint>>
      footprints;
  /// How many addresses may still be computed.
  int64_t steps;
};

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BARRIERS_BARRIERSCOPE_H
