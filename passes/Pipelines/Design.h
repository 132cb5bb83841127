//===- Design.h - one point of the space of designs -------------*- C++ -*-===//
//
// The choices that a search over designs makes and the optimise pipeline
// otherwise leaves to its passes (Yang et al. 2012, section 4.1 and figure 12).
// In text they are options of `--gpuopt-optimize`, joined by spaces:
//
//   fastest=x block=16,16 blocks=1,1 threads=8,4 contiguous=4,1 stages=3
//   width=16 group=8 resident=2
//
// reads: leave threads along x neighbours, coalesce for blocks of 16 x 16
// threads, let each stay one block, give each thread 8 x 4 work items of which
// 4 along x are neighbours, keep three tiles in flight, access up to 16 bytes
// at once, work on 8 rows of blocks together (1: in the launch's order) and
// have the assembler leave room for two blocks on a multiprocessor. What is
// left out is the passes' own choice, with the exception that `blocks` and
// `threads` count as 1 where only the other one is given.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_PIPELINES_DESIGN_H
#define PASSES_PIPELINES_DESIGN_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuopt {

/// One point of the space. Lists are along x, y, z; an empty list and 0 leave
/// the choice to the pass.
struct Design {
  /// The dimension whose threads become neighbouring lanes: "x", "y" or "z"
  /// (gpuopt-permute-geometry); empty for the pass's own choice.
  std::string fastest;
  /// Threads of a block before merging (gpuopt-assign-geometry).
  std::vector<int64_t> block;
  /// How many blocks and threads become one (gpuopt-merge-for-target).
  std::vector<int64_t> blocks, threads;
  /// How many items of a thread are neighbours; the others are interleaved.
  std::vector<int64_t> contiguous;
  /// Stages of the tiles (gpuopt-prefetch-tiles).
  int64_t stages = 0;
  /// Bytes of the widest access.
  int64_t width = 0;
  /// Rows of blocks that are worked on together (gpuopt-swizzle-blocks); 1 is
  /// the launch's order.
  int64_t group = 0;
  /// Blocks that the assembler leaves a multiprocessor room for.
  int64_t resident = 0;
  /// Work items of a thread along y, in the block and with the arrays in
  /// workgroup memory that gpuopt-share-arrays chooses (the ILP factor of Li et
  /// al. 2016); 0: it chooses nothing.
  int64_t share = 0;
  /// Blocks of the source that take turns with workgroup memory
  /// (gpuopt-multiplex-workgroup-memory); 1: none does.
  int64_t turns = 0;

  bool operator==(const Design &) const = default;

  /// As above; "" where every choice is left to the passes.
  std::string toString() const;
  /// Reads what `toString` writes; fails with what is wrong for a person.
  static llvm::Expected<Design> parse(llvm::StringRef text);
};

} // namespace gpuopt

#endif // PASSES_PIPELINES_DESIGN_H
