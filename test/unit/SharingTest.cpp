//===- SharingTest.cpp - what neighbours share, computed by hand ----------===//

#include "test/unit/AccessBuilder.h"

#include "passes/Analysis/Sharing.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

class Sharing : public ::testing::Test, protected AccessBuilder {
protected:
  SharingFact between(Neighbours neighbours, const Polynomial &elements,
                      unsigned dimension, const BlockShape &block,
                      const SizeMap &sizes = {}) {
    return computeSharing(at(elements), table, neighbours, dimension, block, 32,
                          sizes);
  }
  SharingFact blocks(const Polynomial &elements, unsigned dimension,
                     const SizeMap &sizes = {}) {
    return between(Neighbours::Blocks, elements, dimension, square, sizes);
  }
  SharingFact threads(const Polynomial &elements, unsigned dimension,
                      const SizeMap &sizes = {}) {
    return between(Neighbours::Threads, elements, dimension, square, sizes);
  }
  static SharingFact all() { return {SharingKind::Full, 1, 1, 0, 0}; }
  static SharingFact none() { return {SharingKind::None, 1, 0, 0, 0}; }

  const BlockShape square = {16, 16, 1}, row = {256, 1, 1};
};

TEST_F(Sharing, MatrixProduct) {
  // a[idy][i] does not depend on x, b[i][idx] not on y.
  EXPECT_EQ(blocks(idy * w + i, 0), all());
  EXPECT_EQ(blocks(idy * w + i, 1), none());
  EXPECT_EQ(blocks(i * n + idx, 0), none());
  EXPECT_EQ(blocks(i * n + idx, 1), all());
  // The 16 threads of a row read the same element of a.
  EXPECT_EQ(threads(idy * w + i, 0),
            (SharingFact{SharingKind::Full, 1, 1, 16, 1}));
  EXPECT_EQ(threads(idy * w + i, 1), none());
}

TEST_F(Sharing, Halo) {
  Polynomial j = var(table.addLoop("j", {Polynomial(0)}, {Polynomial(32)}));
  Polynomial address = (idy + i) * (n + k - 1) + idx + j;
  // 16 + 31 columns, of which 16 are new from block to block.
  SharingFact x = blocks(address, 0);
  EXPECT_EQ(x, (SharingFact{SharingKind::Partial, 1, 31. / 47, 47, 16}));
  // Rows likewise, for w = 8 iterations of i: 16 + 7 of which 7 are old.
  SharingFact y = blocks(address, 1, {{"w", 8}});
  EXPECT_EQ(y, (SharingFact{SharingKind::Partial, 1, 7. / 23, 23, 16}));
  // Each thread reads 32 columns, all but one of which the next reads too; the
  // 16 threads read 16 + 31 different ones.
  SharingFact between = threads(address, 0);
  EXPECT_EQ(between.kind, SharingKind::Partial);
  EXPECT_DOUBLE_EQ(between.overlap, 31. / 32);
  EXPECT_DOUBLE_EQ(*between.reuse(), 16 * 32 / 47.);
}

TEST_F(Sharing, Strides) {
  // Four blocks cover the 64 elements of one iteration.
  EXPECT_EQ(blocks(idx + 64 * i, 0, {{"w", 10}}),
            (SharingFact{SharingKind::Partial, 4, .9, 10, 1}));
  // Blocks 4 apart read the same.
  Polynomial wrapped =
      table.addDerived(Variable::Operator::And, bx, Polynomial(3));
  EXPECT_EQ(blocks(wrapped * 64 + tx, 0),
            (SharingFact{SharingKind::Full, 4, 1, 0, 0}));
  // Groups of 4 blocks read the same: 3 of 4 what the one before reads.
  Polynomial group =
      table.addDerived(Variable::Operator::FloorDiv, bx, Polynomial(4));
  EXPECT_EQ(blocks(group * 16 + tx, 0),
            (SharingFact{SharingKind::Partial, 1, .75, 4, 1}));
  // Neighbouring threads read the same, blocks do not.
  Polynomial half =
      table.addDerived(Variable::Operator::FloorDiv, idx, Polynomial(2));
  EXPECT_EQ(between(Neighbours::Blocks, half, 0, row), none());
  SharingFact pairs = between(Neighbours::Threads, half, 0, row);
  EXPECT_EQ(pairs.kind, SharingKind::Partial);
  EXPECT_DOUBLE_EQ(*pairs.reuse(), 2);
}

TEST_F(Sharing, Segments) {
  // 256 floats from one further: 33 sectors, the last also the next one's.
  EXPECT_EQ(between(Neighbours::Blocks, idx + 1, 0, row),
            (SharingFact{SharingKind::Segments, 1, 1. / 33, 33, 32}));
  // Blocks of 16 in x are aligned to sectors.
  EXPECT_EQ(blocks(idx, 0), none());
  // a[idx][idy]: a block reads 64 aligned bytes of each row.
  EXPECT_EQ(blocks(idx * n + idy, 1), none());
}

TEST_F(Sharing, LoopsThatDiffer) {
  // for (i = 0; i <= by; ++i) b[i]: not the same data, however often they meet.
  Polynomial by = var(VariableTable::blockId(1));
  unsigned loop = table.addLoop("l", {Polynomial(0)}, {by + 1});
  AccessFunction access = at(var(loop));
  access.loops = {static_cast<int>(loop)};
  SharingFact fact =
      computeSharing(access, table, Neighbours::Blocks, 1, square, 32);
  EXPECT_EQ(fact.kind, SharingKind::Partial);
  EXPECT_EQ(computeSharing(access, table, Neighbours::Blocks, 0, square, 32),
            all());
}

TEST_F(Sharing, Unresolved) {
  AccessFunction access = at(idx);
  access.unresolved = "a subscript is loaded from memory";
  SharingFact fact =
      computeSharing(access, table, Neighbours::Blocks, 0, square, 32);
  EXPECT_EQ(fact.kind, SharingKind::Unknown);
  EXPECT_EQ(fact.reason, access.unresolved);
}

} // namespace
