//===- SizeCandidates.cpp - sizes that are worth a try --------------------===//

#include "tools/lib/launch/SizeCandidates.h"

#include "dialects/GPUOpt/LargestBlock.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace gpuopt;

/// Bound number `index`: odd, and so near to `base` times a simple fraction
/// that no two of six are the same.
static int64_t distinctBound(int64_t base, size_t index) {
  static constexpr int64_t eighths[] = {8, 4, 12, 6, 10, 7};
  size_t count = std::size(eighths), round = index / count;
  return (base * eighths[index % count] / 8 + 3 + 2 * int64_t(round)) | 1;
}

/// The one of the first `count` of these with `index` less ones.
static int64_t risingBound(int64_t base, size_t index, size_t count) {
  std::vector<int64_t> bounds;
  for (size_t number = 0; number < count; ++number)
    bounds.push_back(distinctBound(base, number));
  llvm::sort(bounds);
  return bounds[index];
}

static int64_t smallestBound(size_t index) {
  static constexpr int64_t bounds[] = {2, 1, 3, 5, 4, 7};
  return bounds[index % std::size(bounds)];
}

static int64_t boundOf(SizePattern pattern, int64_t base, size_t index,
                       size_t count) {
  switch (pattern) {
  case SizePattern::Distinct:
    return distinctBound(base, index);
  case SizePattern::Rising:
    return risingBound(base, index, count);
  case SizePattern::Falling:
    return risingBound(base, count - 1 - index, count);
  case SizePattern::SameOdd:
    return distinctBound(base, 0);
  case SizePattern::Round:
    return base;
  case SizePattern::Smallest:
    return smallestBound(index);
  }
  return base;
}

std::vector<int64_t> gpuopt::sizesOf(SizePattern pattern,
                                     llvm::ArrayRef<SizeRole> roles,
                                     int64_t base, int64_t other,
                                     bool areSteps) {
  size_t count = llvm::count(roles, SizeRole::Bound), index = 0;
  int64_t largest = pattern == SizePattern::Smallest ? 1 : base;
  std::vector<int64_t> sizes(roles.size(), other);
  for (auto [size, role] : llvm::zip(sizes, roles))
    if (role == SizeRole::Bound) {
      size = boundOf(pattern, base, index++, count);
      largest = std::max(largest, size);
    }
  // Not a multiple of anything either, but for round sizes.
  bool isTight =
      pattern == SizePattern::Round || pattern == SizePattern::SameOdd;
  for (auto [size, role] : llvm::zip(sizes, roles))
    if (role == SizeRole::Stride && !areSteps)
      size = isTight ? largest : largest + 4;
  return sizes;
}

/// A block with a thread for each element of a workgroup array, without what
/// pads its rows or lies around a tile, in the dimensions that `usual` has.
static std::optional<Dim3> blockFor(llvm::ArrayRef<uint64_t> extents,
                                    const Dim3 &usual) {
  if (extents.size() > 3)
    return std::nullopt;
  Dim3 block = {1, 1, 1};
  int64_t threads = 1;
  for (auto [dim, extent] : llvm::enumerate(llvm::reverse(extents))) {
    if (usual[dim] == 1)
      continue;
    if (extent > uint64_t(kMostThreadsOfBlock))
      return std::nullopt;
    block[dim] = int64_t(llvm::bit_floor(extent));
    threads *= block[dim];
  }
  if (threads > kMostThreadsOfBlock || threads == 1)
    return std::nullopt;
  return block;
}

std::vector<Dim3> gpuopt::blocksToTry(const SizeUses &uses, const Dim3 &usual) {
  static constexpr Dim3 lines[] = {{256, 1, 1}, {64, 1, 1},   {128, 1, 1},
                                   {32, 1, 1},  {1024, 1, 1}, {16, 1, 1}};
  static constexpr Dim3 planes[] = {
      {16, 16, 1}, {32, 32, 1}, {32, 8, 1}, {8, 8, 1}, {32, 1, 1}};
  static constexpr Dim3 spaces[] = {{8, 8, 8}, {32, 4, 2}, {4, 4, 4}};
  std::vector<Dim3> blocks;
  auto add = [&](const Dim3 &block) {
    if (!llvm::is_contained(blocks, block))
      blocks.push_back(block);
  };
  for (const std::vector<uint64_t> &extents : uses.workgroupArrays)
    if (std::optional<Dim3> block = blockFor(extents, usual))
      add(*block);
  // A plane of threads may well move data through an array that is a line.
  add(usual);
  llvm::ArrayRef<Dim3> others = usual[2] > 1   ? llvm::ArrayRef(spaces)
                                : usual[1] > 1 ? llvm::ArrayRef(planes)
                                               : llvm::ArrayRef(lines);
  llvm::for_each(others, add);
  return blocks;
}
