//===- Region.h - parallel loops that are offloaded together ----*- C++ -*-===//
//
// Parallel loops that follow each other, with nothing in between, are offloaded
// all or none, so that their data can stay on the device from one to the next
// (the if-fusion of Figure 4.9). So are those that are all that a sequential
// loop holds, for all of its iterations (Figure 4.8):
//
//   for (t = 0; t < steps; t++) {
//     #pragma omp parallel for
//     for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
//     #pragma omp parallel for
//     for (i = 1; i < n - 1; i++) a[i] = b[i];
//   }
//
// That is legal because the host does nothing in a region but count its loops:
// all accesses of memory are the device's, in the same order. It may also do
// what is about its own numbers alone, `if (t % 20 == 0) printf("%d\n", t);`.
// Loops of a team (Teams.h) may have barriers between them, which one thread
// has no need of.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_REGION_H
#define CONVERSION_OFFLOAD_REGION_H

#include "conversion/Offload/ParallelLoop.h"

#include <functional>

namespace gpuopt::offload {

/// What the host does in front of the loop of that number in a region, or
/// behind all of them.
struct Bystander {
  const clang::Stmt *statement = nullptr;
  size_t next = 0;
};

struct Region {
  std::vector<ParallelLoop> loops;
  /// Sequential loops that hold just these, the outermost first.
  std::vector<const clang::ForStmt *> parents;
  /// What the host does between them.
  std::vector<Bystander> bystanders;
  /// The statements with which its text begins and ends.
  const clang::Stmt *first = nullptr, *last = nullptr;
  /// The smaller regions that it is made of: what its sequential loop holds, or
  /// regions that follow each other. None for one loop, and for the loops of
  /// one parallel region of OpenMP, which cannot be parted.
  std::vector<Region> parts;

  const clang::FunctionDecl &function() const {
    return *loops.front().function;
  }
  bool isJoined() const { return parts.size() > 1; }
  /// Whether all threads of a team come to it.
  bool isInTeam() const { return loops.front().isInTeam; }
  /// Whether the program offloads its loops itself.
  bool isTarget() const { return loops.front().isTarget; }
  /// Whether data stays on the device between launches.
  bool keepsData() const { return loops.size() > 1 || !parents.empty(); }
};

/// `loop` alone.
Region regionOf(const ParallelLoop &loop);

struct RegionOptions {
  /// Whether to make regions of sequential loops, and of loops that follow
  /// each other.
  bool hoists = true, reuses = true;
  /// Whether it pays to make one of a sequential loop; empty for always.
  std::function<bool(const clang::ForStmt &)> isWorthHoisting;
};

/// `parts`, which follow each other, as one region.
Region joinRegions(llvm::ArrayRef<Region> parts);

/// The regions of `loops` in the statement `root`, but for those in `excluded`
/// statements, in the order of the text: as large as `options` allow.
std::vector<Region> findRegions(const clang::Stmt &root,
                                std::vector<ParallelLoop> loops,
                                const RegionOptions &options,
                                llvm::ArrayRef<const clang::Stmt *> excluded);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_REGION_H
