//===- TileAssignmentTest.cpp - every element of a tile is loaded once ----===//

#include "passes/Transforms/Tiles/TileAssignment.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace gpuopt;

namespace {

/// The value of `expr` for a thread and a round.
int64_t evaluate(AffineExpr expr, int64_t x, int64_t y, int64_t z,
                 int64_t round) {
  auto constant = [&](int64_t value) {
    return getAffineConstantExpr(value, expr.getContext());
  };
  AffineExpr value = expr.replaceDims(
      {constant(x), constant(y), constant(z), constant(round)});
  return cast<AffineConstantExpr>(simplifyAffineExpr(value, 0, 0)).getValue();
}

/// Checks that the threads of `block` load each element of a tile of `extents`
/// exactly once, and nothing outside.
void expectPartition(ArrayRef<int64_t> extents, const BlockShape &block) {
  MLIRContext context;
  TileAssignment assignment = assignTile(extents, block, &context);
  std::set<SmallVector<int64_t>> loaded;
  for (int64_t round = 0; round < assignment.rounds; ++round)
    for (int64_t z = 0; z < block[2]; ++z)
      for (int64_t y = 0; y < block[1]; ++y)
        for (int64_t x = 0; x < block[0]; ++x) {
          bool isIdle = llvm::any_of(assignment.limits, [&](auto limit) {
            return evaluate(limit.first, x, y, z, round) >= limit.second;
          });
          if (isIdle)
            continue;
          SmallVector<int64_t> element;
          for (AffineExpr index : assignment.indices)
            element.push_back(evaluate(index, x, y, z, round));
          for (auto [index, extent] : llvm::zip_equal(element, extents)) {
            EXPECT_GE(index, 0);
            EXPECT_LT(index, extent);
          }
          EXPECT_TRUE(loaded.insert(element).second);
        }
  int64_t elements = 1;
  for (int64_t extent : extents)
    elements *= extent;
  EXPECT_EQ(loaded.size(), static_cast<size_t>(elements));
}

TEST(TileAssignment, CoversEveryElementOnce) {
  const BlockShape blocks[] = {{16, 16, 1}, {16, 1, 1}, {32, 1, 1}, {8, 4, 2},
                               {6, 5, 1},   {1, 16, 1}, {64, 1, 1}};
  const SmallVector<int64_t> tiles[] = {
      {16, 16}, {16},  {16, 32},  {32, 32}, {7},
      {5, 3},   {100}, {8, 4, 2}, {64, 8},  {2, 3, 5, 7}};
  for (const BlockShape &block : blocks)
    for (const SmallVector<int64_t> &tile : tiles)
      expectPartition(tile, block);
}

TEST(TileAssignment, GivesConsecutiveThreadsConsecutiveElements) {
  MLIRContext context;
  TileAssignment assignment = assignTile({16, 32}, {16, 16, 1}, &context);
  ASSERT_EQ(assignment.rounds, 2);
  EXPECT_EQ(evaluate(assignment.indices[1], 15, 0, 0, 0), 15);
  EXPECT_EQ(evaluate(assignment.indices[1], 0, 1, 0, 0), 16);
  EXPECT_EQ(evaluate(assignment.indices[0], 0, 1, 0, 0), 0);
  EXPECT_EQ(evaluate(assignment.indices[0], 0, 2, 0, 0), 1);
  EXPECT_EQ(evaluate(assignment.indices[0], 0, 0, 0, 1), 8);
}

} // namespace
