//===- Launch.cpp - from the original launch to the new one ---------------===//
//
// See Launch.h; the rule is documented at `GeometryAttr`.
//
//===----------------------------------------------------------------------===//

#include "runtime/Launch.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace gpuopt;

/// Index arithmetic of an optimised kernel is only guaranteed not to wrap below
/// this number of work items in a dimension.
static constexpr int64_t maxWorkItems = std::numeric_limits<int32_t>::max();

/// Number of new blocks along one dimension, or nothing where rounding up would
/// run work items that the original launch did not have and no guard stops.
static std::optional<int64_t> coverDimension(int64_t grid, int64_t block,
                                             int64_t itemsPerBlock,
                                             std::optional<int64_t> extent,
                                             std::optional<int64_t> needed) {
  if (grid <= 0 || block <= 0 || itemsPerBlock <= 0)
    return std::nullopt;
  int64_t items;
  if (llvm::MulOverflow(grid, block, items) || items > maxWorkItems)
    return std::nullopt;
  bool exact = items % itemsPerBlock == 0;
  bool guarded = extent && *extent <= items;
  if (!exact && !guarded)
    return std::nullopt;
  if (needed)
    items = std::clamp<int64_t>(*needed, 1, items);
  int64_t blocks = llvm::divideCeil(items, itemsPerBlock);
  // The ids of the rounded-up launch must not wrap either.
  int64_t covered;
  if (llvm::MulOverflow(blocks, itemsPerBlock, covered) ||
      covered > maxWorkItems)
    return std::nullopt;
  return blocks;
}

std::optional<unsigned> gpuopt::findWrongBlock(const LaunchGeometry &geometry,
                                               const LaunchConfig &original) {
  for (unsigned dim = 0; dim < 3; ++dim)
    if (std::optional<int64_t> size = geometry.originalBlock[dim])
      if (*size != original.block[dim])
        return dim;
  return std::nullopt;
}

std::optional<LaunchConfig>
gpuopt::computeLaunch(const LaunchGeometry &geometry,
                      const LaunchConfig &original) {
  if (findWrongBlock(geometry, original))
    return std::nullopt;
  LaunchConfig launch;
  launch.block = geometry.block;
  launch.dynamicSharedBytes =
      original.dynamicSharedBytes + geometry.dynamicSharedBytes;
  for (size_t dim = 0; dim < 3; ++dim) {
    std::optional<int64_t> blocks = coverDimension(
        original.grid[dim], original.block[dim], geometry.itemsPerBlock[dim],
        geometry.extents[dim], geometry.needed[dim]);
    if (!blocks || geometry.block[dim] <= 0)
      return std::nullopt;
    launch.grid[dim] = *blocks;
  }
  return launch;
}
