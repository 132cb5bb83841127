//===- Sharing.h - data that neighbouring blocks both read ------*- C++ -*-===//
//
// Which data neighbours read in common (section 3.4 of Yang et al. 2012): the
// blocks b and b + k along x, y or z, and likewise the threads of a block. It
// decides which blocks and threads are worth merging. Blocks of 16x16 threads:
//
//   load                         between blocks along x     along y
//   a[idy][i]                    full                       none
//   b[i][idx]                    none                       full
//   image[idy + i][idx + j],     partial, 31 of 47 columns  partial, 31 of 47
//     32x32 iterations             each read 47/16 times      rows
//   a[idx + 64*i]                partial at distance 4      full
//   a[idx % 64]                  full at distance 4         full
//   a[idx + 1]                   segments: the last one     full
//
// Full: the same data. Partial: some of it, in a halo or in another iteration.
// Segments: different elements of the same memory transactions.
//
// Addresses alone decide: guards are taken to hold, and whether the memory is
// written in between is not asked. Pure: from an access function to a fact.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_SHARING_H
#define PASSES_ANALYSIS_SHARING_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/AccessFunction.h"

namespace gpuopt {

/// What neighbours along one dimension share of what one load reads.
struct SharingFact {
  SharingKind kind = SharingKind::Unknown;
  /// The least distance of neighbours that share anything: 4 where block b
  /// shares with block b + 4 but not with those between.
  int64_t distance = 1;
  /// The part of a neighbour's elements (segments for `segments`) that the one
  /// at `distance` reads as well: 31/47.
  double overlap = 0;
  /// Of `reads` elements read by one neighbour after the other `elements` are
  /// different ones, in lowest terms: 47 and 16. 0 and 0 where all neighbours
  /// read the same.
  int64_t reads = 0;
  int64_t elements = 0;
  /// Why the kind is `unknown`.
  std::string reason = {};

  bool isShared() const {
    return kind != SharingKind::None && kind != SharingKind::Unknown;
  }
  /// How many neighbours read each element, on average; nothing where it is
  /// all of them.
  std::optional<double> reuse() const {
    if (elements == 0)
      return std::nullopt;
    return static_cast<double>(reads) / elements;
  }
  bool operator==(const SharingFact &) const = default;
  /// Prints like `full` or `partial at distance 4, 66 % in common, …`.
  void print(llvm::raw_ostream &os) const;
};

/// Determines what the `between` of a launch with blocks of shape `block` share
/// along `dimension` (0, 1, 2) of what `access` reads. Segments have
/// `segmentBytes` bytes; `sizes` gives parameters by name.
SharingFact computeSharing(const AccessFunction &access,
                           const VariableTable &variables, Neighbours between,
                           unsigned dimension, const BlockShape &block,
                           int64_t segmentBytes, const SizeMap &sizes = {});

/// Where the value of a global load goes: to workgroup memory (G2S) when stores
/// to it are its only uses, else to registers (G2R).
Staging stagingOf(mlir::Operation *load);

/// All sharing of one global load.
struct LoadSharing {
  const AccessFunction *access = nullptr;
  /// Blocks along x, y, z. `none` where the kernel reads no id of the
  /// dimension: there is one block then.
  std::array<SharingFact, 3> blocks;
  /// Threads of one block along x, y, z.
  std::array<SharingFact, 3> threads;
  Staging staging = Staging::Registers;

  /// What neighbouring blocks along `dimension` share.
  const SharingFact &sharedAlong(unsigned dimension) const {
    return blocks[dimension];
  }
  /// A sentence for users about that: "load of 'a' is shared by all blocks
  /// along x (g2s): merging blocks lets them fill one tile".
  std::string describe(unsigned dimension) const;
};

/// The sharing of every global load of a kernel.
class SharingAnalysis {
public:
  /// `kernel` is a gpu.func; `functions` are its access functions, which have
  /// to outlive this.
  SharingAnalysis(mlir::Operation *kernel, const AccessFunctions &functions,
                  TargetAttr target, const BlockShape &block,
                  const SizeMap &sizes = {});

  /// In the order of the operations.
  llvm::ArrayRef<LoadSharing> loads() const { return facts; }
  /// Null for what is no load from global memory.
  const LoadSharing *lookup(mlir::Operation *op) const;

private:
  std::vector<LoadSharing> facts;
  llvm::DenseMap<mlir::Operation *, unsigned> indexByOp;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_SHARING_H
