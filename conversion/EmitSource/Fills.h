//===- Fills.h - what only brings a tile from global memory -----*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_FILLS_H
#define CONVERSION_EMITSOURCE_FILLS_H

#include "conversion/EmitSource/Tree.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace gpuopt::source {

/// Arrays in workgroup memory.
using Tiles = llvm::SmallPtrSet<const Variable *, 4>;

/// Whether `stmt` does nothing but store what it reads of global memory in
/// workgroup memory, all in `tiles` then. Two such statements for different
/// tiles may change places: neither reads what the other writes.
bool isFill(const Stmt &stmt, Tiles &tiles);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_FILLS_H
