//===- BankLayoutTest.cpp - layouts of tiles, computed by hand ------------===//

#include "test/unit/AccessBuilder.h"

#include "passes/Transforms/Banks/BankLayout.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

class BankLayouts : public ::testing::Test, protected AccessBuilder {
protected:
  /// An access of `elements` elements of 4 bytes.
  TileAccess access(std::vector<Polynomial> subscripts, int64_t elements = 1,
                    AccessKind kind = AccessKind::Load) {
    TileAccess tile;
    tile.function.kind = kind;
    tile.function.elementBytes = 4;
    tile.function.accessBytes = 4 * elements;
    tile.function.subscripts = std::move(subscripts);
    return tile;
  }

  BankContext context(int64_t otherBytes = 0) {
    BlockResources resources;
    resources.threads = block[0] * block[1] * block[2];
    resources.workgroupMemoryBytes = otherBytes;
    return {target("sm_90"), block, table, resources, 49152};
  }

  BlockShape block = {32, 1, 1};
  Polynomial tz = var(VariableTable::threadId(2));
};

TEST_F(BankLayouts, RowsNeedNothing) {
  TileArray array{{32, 32}, 4, {access({Polynomial(0), tx})}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.layout, BankLayout());
  EXPECT_EQ(plan.before.wavefronts, 1);
  EXPECT_EQ(plan.before.degree, 1);
}

TEST_F(BankLayouts, ColumnsArePaddedByOne) {
  TileArray array{{32, 32}, 4, {access({tx, i}), access({i, tx})}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.layout, (BankLayout{BankLayout::Kind::Padded, 1, 1}));
  EXPECT_EQ(plan.before.degree, 32);
  EXPECT_EQ(plan.before.wavefronts, 33);
  EXPECT_EQ(plan.after.wavefronts, 2);
}

TEST_F(BankLayouts, VectorsArePaddedByTheirWidth) {
  // Quarters of a warp: rows tx of 16 words and 4 words of each; two rows fill
  // the banks, so 8 lanes take 4 wavefronts. In rows of 20 words, banks 20*tx
  // mod 32 = 0, 20, 8, 28, 16, 4, 24, 12.
  TileArray array{{32, 16}, 4, {access({tx, Polynomial(4)}, 4)}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.before.degree, 4);
  EXPECT_EQ(plan.before.wavefronts, 16);
  EXPECT_EQ(plan.layout, (BankLayout{BankLayout::Kind::Padded, 1, 4}));
  EXPECT_EQ(plan.after.wavefronts, 4);
}

TEST_F(BankLayouts, StagesKeepTheirRows) {
  TileArray array{
      {2, 32, 32},
      4,
      {access({Polynomial(1), tx, i}), access({Polynomial(1), i, tx})}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.layout, (BankLayout{BankLayout::Kind::Padded, 2, 1}));
}

TEST_F(BankLayouts, OuterDimensionsArePadded) {
  // The first subscript moves by 32 * C words whatever the row's padding p is,
  // C = 8 + p: rows of 32 lines are all in one bank. 33 lines of 8 words lie 8
  // banks apart, which leaves 8 lanes to each bank; with 9 words both go.
  // Vectors keep the dimensions in their places.
  TileArray array{{32, 32, 8},
                  4,
                  {access({tx, Polynomial(0), Polynomial(0)}),
                   access({Polynomial(0), Polynomial(0), Polynomial(0)}, 2)}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.before.degree, 32);
  EXPECT_EQ(plan.layout.kind, BankLayout::Kind::Padded);
  EXPECT_EQ(plan.layout.dimension, 1u);
  EXPECT_EQ(plan.after.degree, 8);
}

TEST_F(BankLayouts, NoRoomForPadding) {
  // 48 KiB are full. Columns of [32][32] without another byte.
  TileArray array{{32, 32}, 4, {access({tx, i}), access({i, tx})}};
  BankPlan plan = planBankLayout(array, context(49152));
  EXPECT_EQ(plan.layout.kind, BankLayout::Kind::Swizzled);
  EXPECT_EQ(plan.layout.rows, 1);
  EXPECT_EQ(plan.layout.steps, 32);
  EXPECT_EQ(plan.layout.chunk, 1);
  EXPECT_EQ(plan.after.wavefronts, 2);
}

TEST_F(BankLayouts, SwizzledVectorsStayInTheirChunk) {
  // Four chunks in a row, two rows in a line of banks.
  TileArray array{{32, 16}, 4, {access({tx, Polynomial(4)}, 4)}};
  BankPlan plan = planBankLayout(array, context(49152));
  EXPECT_EQ(plan.layout.kind, BankLayout::Kind::Swizzled);
  EXPECT_EQ(plan.layout.rows, 2);
  EXPECT_EQ(plan.layout.steps, 4);
  EXPECT_EQ(plan.layout.chunk, 4);
  EXPECT_EQ(plan.after.degree, 1);
}

TEST_F(BankLayouts, UnalignedVectorsAreNotSwizzled) {
  TileArray array{{32, 16}, 4, {access({tx, 2 * i}, 4)}};
  BankPlan plan = planBankLayout(array, context(49152));
  EXPECT_EQ(plan.layout, BankLayout());
}

TEST_F(BankLayouts, ExecutionsCount) {
  // 32 for the column once, 1 for the row a thousand times.
  TileArray array{{32, 32}, 4, {access({tx, i}), access({i, tx})}};
  array.accesses[1].executions = 1000;
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.before.wavefronts, 1032);
  EXPECT_EQ(plan.after.wavefronts, 1001);
}

TEST_F(BankLayouts, StructuresOfArrays) {
  // Structures of four words: a member of all threads' is in eight banks.
  TileArray array{{32, 4}, 4, {access({tx, Polynomial(1)})}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.before.degree, 4);
  EXPECT_EQ(plan.layout.kind, BankLayout::Kind::Permuted);
  EXPECT_EQ(plan.layout.order, (llvm::SmallVector<unsigned>{1, 0}));
  EXPECT_EQ(plan.after.degree, 1);
  EXPECT_EQ(array.bytes(plan.layout), array.bytes());
}

TEST_F(BankLayouts, VectorsKeepTheirRows) {
  TileArray array{{32, 4}, 4, {access({tx, Polynomial(0)}, 2)}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_NE(plan.layout.kind, BankLayout::Kind::Permuted);
}

TEST_F(BankLayouts, FlatStructures) {
  TileArray array{{128}, 4, {access({4 * tx}), access({4 * tx + 3})}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.before.degree, 4);
  EXPECT_EQ(plan.layout.kind, BankLayout::Kind::Interleaved);
  EXPECT_EQ(plan.layout.chunk, 4);
  EXPECT_EQ(plan.after.degree, 1);
}

TEST_F(BankLayouts, StridesThatDouble) {
  // A tree: strides of 2, 4, 8 and 16, none of which is the structure.
  TileArray array{{512},
                  4,
                  {access({2 * tx}), access({4 * tx}), access({8 * tx}),
                   access({16 * tx})}};
  BankPlan plan = planBankLayout(array, context());
  EXPECT_EQ(plan.before.degree, 16);
  EXPECT_EQ(plan.layout.kind, BankLayout::Kind::Skewed);
  EXPECT_EQ(plan.layout.chunk, 32);
  EXPECT_EQ(array.bytes(plan.layout), (512 + 15) * 4);
  EXPECT_EQ(plan.after.degree, 1);
}

TEST_F(BankLayouts, WhatTakesDivisionsSavesAFifth) {
  // Rows are what is mostly accessed.
  TileArray array{{64}, 4, {access({2 * tx}), access({tx})}};
  array.accesses[1].executions = 100;
  EXPECT_EQ(planBankLayout(array, context()).layout, BankLayout());
}

} // namespace
