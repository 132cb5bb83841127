//===- SwizzlePlan.h - how many rows of blocks to group ---------*- C++ -*-===//
//
// Which order of the blocks moves the fewest bytes from DRAM to the last cache.
// A block of a matrix product reads a *panel* of a, which all blocks of its row
// of the grid read, and a panel of b, which all of its column read. The blocks
// that are active together get each panel once, and it stays in the cache for
// the next ones where there is room. In the launch's order, active blocks lie
// in one or a few rows and have as many panels of b as there are columns; in
// groups of G rows, column by column, they form a rectangle: G panels of a and
// active / G of b.
//
//   8192 x 8192 floats, tiles of 128 x 128, 132 active blocks, panels of 4 MiB
//   order        panels at a time    bytes from DRAM, cache of 50 MB
//   launch       3 + 64              4096 / 132 * (67 panels)    8.1 GiB
//   groups of 8  8 + 17              4096 / 132 * (25 panels)    3.0 GiB
//   16           16 + 9              the same, the other way round
//
// Where the cache has room for the panels of all rows of a group, they stay
// while blocks go down its columns, and each is fetched once; where it holds
// both arrays, no order can do better than the launch's.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BLOCKORDER_SWIZZLEPLAN_H
#define PASSES_TRANSFORMS_BLOCKORDER_SWIZZLEPLAN_H

#include <cstdint>
#include <string>

namespace gpuopt {

/// What the plan depends on.
struct SwizzleSummary {
  /// Blocks of the launch along x and y.
  int64_t columns = 1, rows = 1;
  /// Bytes that a block reads of what all blocks of its row read as well (its
  /// address has blockIdx.y alone), and of what all of its column do.
  double rowPanelBytes = 0, columnPanelBytes = 0;
  /// Blocks that are active at once.
  int64_t activeBlocks = 1;
  /// Bytes of the last cache.
  int64_t cacheBytes = 0;
};

struct SwizzlePlan {
  /// Rows of blocks in a group; 0 for the order of the launch.
  int64_t group = 0;
  /// From DRAM, in the launch's order and in the planned one.
  double bytesBefore = 0, bytesAfter = 0;
  /// Why there is no better order.
  std::string reason = {};
};

/// Bytes from DRAM in groups of `group` rows, 0 for the launch's order.
double estimateBytes(const SwizzleSummary &kernel, int64_t group);

/// The smallest group, a power of two up to 64, that moves nearly the fewest
/// bytes; none where that is not a tenth less than in the launch's order.
SwizzlePlan computeSwizzlePlan(const SwizzleSummary &kernel);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BLOCKORDER_SWIZZLEPLAN_H
