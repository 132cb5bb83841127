//===- LargeBlocks.h - what large blocks are too much for -------*- C++ -*-===//
//
// A few of LLVM's passes compare each instruction of a block with all others of
// its kind. Blocks of some thousand instructions, as unrolled or generated code
// has them, take them minutes: such functions do without.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITBINARY_LARGEBLOCKS_H
#define CONVERSION_EMITBINARY_LARGEBLOCKS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace gpuopt {

/// Whether a pass is one of these, by the name that it has in its pass manager.
bool comparesAllInstructions(llvm::StringRef pass);

/// Whether one of these compares instructions of different blocks, too.
bool comparesAcrossBlocks(llvm::StringRef pass);

/// Blocks of a function that are not too many for those. Kernels that are
/// unrolled, with all their versions, have some hundreds.
inline constexpr unsigned kMostBlocks = 2048;

/// Integer sums and products of a function that are not too many for those.
inline constexpr unsigned kMostSums = 4096;

/// How many integer sums and products `function` computes.
unsigned countSums(const llvm::Function &function);

/// Whether a block of `function` is too large for them.
bool hasLargeBlock(const llvm::Function &function);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_LARGEBLOCKS_H
