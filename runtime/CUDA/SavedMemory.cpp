//===- SavedMemory.cpp - what kernels can reach, kept ---------------------===//

#include "runtime/CUDA/SavedMemory.h"

#include <algorithm>

using namespace gpuopt;
using namespace gpuopt::cuda;

std::vector<MemoryPiece> cuda::piecesOf(Program &program) {
  std::vector<MemoryPiece> pieces;
  for (const auto &[place, allocation] : program.memory.allocations())
    pieces.push_back(
        {allocation.name(),
         {allocation.begin, allocation.bytes + allocation.spareBytes()}});
  for (const ModuleVariable &variable : program.variablesInUse())
    pieces.push_back({"'" + variable.name.str() + "'", variable.bytes});
  return pieces;
}

SavedContents cuda::save(llvm::ArrayRef<MemoryPiece> pieces) {
  SavedContents contents;
  for (const MemoryPiece &piece : pieces)
    contents.emplace_back(piece.bytes.begin(), piece.bytes.end());
  return contents;
}

void cuda::swapContents(llvm::ArrayRef<MemoryPiece> pieces,
                        SavedContents &contents) {
  for (auto [piece, saved] : llvm::zip(pieces, contents))
    std::swap_ranges(saved.begin(), saved.end(), piece.bytes.begin());
}
