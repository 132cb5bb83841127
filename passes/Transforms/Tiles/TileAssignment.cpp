//===- TileAssignment.cpp - which thread loads what of a tile -------------===//

#include "passes/Transforms/Tiles/TileAssignment.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// A number that counts from 0 to `extent` - 1 over the threads or rounds.
struct Digit {
  AffineExpr value;
  int64_t extent;
};
} // namespace

/// Takes an index of `extent` values from the fastest of `digits`, or nothing
/// where they do not divide evenly.
static std::optional<AffineExpr> takeIndex(int64_t extent,
                                           SmallVectorImpl<Digit> &digits,
                                           MLIRContext *context) {
  AffineExpr index = getAffineConstantExpr(0, context);
  int64_t scale = 1;
  while (scale < extent) {
    if (digits.empty())
      return std::nullopt;
    Digit &fastest = digits.front();
    int64_t missing = extent / scale;
    if (fastest.extent <= missing) {
      if (missing % fastest.extent != 0)
        return std::nullopt;
      index = index + fastest.value * scale;
      scale *= fastest.extent;
      digits.erase(digits.begin());
      continue;
    }
    if (fastest.extent % missing != 0)
      return std::nullopt;
    index = index + (fastest.value % missing) * scale;
    fastest.value = fastest.value.floorDiv(missing);
    fastest.extent /= missing;
    scale = extent;
  }
  return index;
}

/// Assigns by whole digits: no division by anything but what the shapes share.
static bool assignByDigits(ArrayRef<int64_t> extents, const BlockShape &block,
                           TileAssignment &assignment, MLIRContext *context) {
  SmallVector<Digit> digits;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (block[dim] > 1)
      digits.push_back({getAffineDimExpr(dim, context), block[dim]});
  if (assignment.rounds > 1)
    digits.push_back({getAffineDimExpr(3, context), assignment.rounds});
  for (int64_t extent : llvm::reverse(extents)) {
    std::optional<AffineExpr> index = takeIndex(extent, digits, context);
    if (!index)
      return false;
    assignment.indices.push_back(*index);
  }
  std::reverse(assignment.indices.begin(), assignment.indices.end());
  for (const Digit &digit : digits)
    assignment.limits.push_back({digit.value, 1});
  return true;
}

TileAssignment gpuopt::assignTile(ArrayRef<int64_t> extents,
                                  const BlockShape &block,
                                  MLIRContext *context) {
  int64_t elements = 1;
  for (int64_t extent : extents)
    elements *= extent;
  int64_t threads = block[0] * block[1] * block[2];
  TileAssignment assignment;
  assignment.rounds = llvm::divideCeil(elements, threads);
  bool isEven = elements % threads == 0 || elements < threads;
  if (isEven && assignByDigits(extents, block, assignment, context))
    return assignment;

  assignment.indices.clear();
  assignment.limits.clear();
  AffineExpr element = getAffineConstantExpr(0, context);
  int64_t stride = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (block[dim] > 1)
      element = element + getAffineDimExpr(dim, context) * stride;
    stride *= block[dim];
  }
  if (assignment.rounds > 1)
    element = element + getAffineDimExpr(3, context) * threads;
  if (assignment.rounds * threads != elements)
    assignment.limits.push_back({element, elements});
  int64_t below = 1;
  for (auto [number, extent] : llvm::enumerate(llvm::reverse(extents))) {
    AffineExpr index = element.floorDiv(below);
    if (number + 1 < extents.size())
      index = index % extent;
    assignment.indices.push_back(index);
    below *= extent;
  }
  std::reverse(assignment.indices.begin(), assignment.indices.end());
  return assignment;
}
