//===- Launch.h - from the original launch to the new one -------*- C++ -*-===//
//
// A kernel optimised for geometry G is a drop-in for the original. This header
// is the arithmetic that takes an original launch to the new one; the report,
// the C++ API and the executor all use it. See `GeometryAttr`.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_LAUNCH_H
#define RUNTIME_LAUNCH_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuopt {

/// x, y, z of a grid or a block.
using Dim3 = std::array<int64_t, 3>;

/// The most blocks of a launch along y, and along z: NVIDIA's limit, which is
/// the lower one.
inline constexpr int64_t kMostBlocksAlongYOrZ = 65535;

struct LaunchConfig {
  Dim3 grid = {1, 1, 1};
  Dim3 block = {1, 1, 1};
  int64_t dynamicSharedBytes = 0;
};

/// A `GeometryAttr` with the extents already evaluated for the arguments at
/// hand: no MLIR is needed to launch.
struct LaunchGeometry {
  Dim3 block = {1, 1, 1};
  Dim3 itemsPerThread = {1, 1, 1};
  Dim3 itemsPerBlock = {1, 1, 1};
  std::array<std::optional<int64_t>, 3> extents;
  /// The block size that the original launch must have, where it matters.
  std::array<std::optional<int64_t>, 3> originalBlock;
  /// Work items that have anything to do, where blocks without any may be left
  /// out.
  std::array<std::optional<int64_t>, 3> needed;
  /// Bytes of workgroup memory whose size the launch gives, beside those that
  /// the original one asks for.
  int64_t dynamicSharedBytes = 0;
};

/// The first dimension in which the block of `original` is not the one that
/// `geometry` is for.
std::optional<unsigned> findWrongBlock(const LaunchGeometry &geometry,
                                       const LaunchConfig &original);

/// The launch that replaces `original`, or nothing where the geometry cannot
/// cover it and the fallback kernel must run with `original` itself. Blocks
/// that lie behind an extent are left out, but for the first one. Launches of
/// 2^31 work items or more in a dimension are not covered: kernels are
/// optimised on the promise that an id fits 32 bits.
std::optional<LaunchConfig> computeLaunch(const LaunchGeometry &geometry,
                                          const LaunchConfig &original);

} // namespace gpuopt

#endif // RUNTIME_LAUNCH_H
