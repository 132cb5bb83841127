//===- TileShape.h - how remarks name tiles ---------------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_UTILS_TILESHAPE_H
#define PASSES_TRANSFORMS_UTILS_TILESHAPE_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace gpuopt {

/// The extents of a tile as the source would have them: `[16][32]`.
inline std::string shapeText(llvm::ArrayRef<int64_t> extents) {
  std::string shape;
  for (int64_t extent : extents)
    shape += "[" + std::to_string(extent) + "]";
  return shape;
}

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_TILESHAPE_H
