//===- SavedMemory.h - what kernels can reach, kept -------------*- C++ -*-===//
//
// For launches that run twice on the same data.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_SAVEDMEMORY_H
#define RUNTIME_CUDA_SAVEDMEMORY_H

#include "runtime/CUDA/Program.h"

namespace gpuopt::cuda {

/// A piece of memory that kernels can reach.
struct MemoryPiece {
  std::string name;
  llvm::MutableArrayRef<uint8_t> bytes;
};

/// The contents of pieces at one time.
using SavedContents = std::vector<std::vector<uint8_t>>;

/// All that a kernel can reach, with what is behind an allocation in its last
/// piece.
std::vector<MemoryPiece> piecesOf(Program &program);

SavedContents save(llvm::ArrayRef<MemoryPiece> pieces);

/// Puts into the pieces what `contents` has, and what they have into it.
void swapContents(llvm::ArrayRef<MemoryPiece> pieces, SavedContents &contents);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_SAVEDMEMORY_H
