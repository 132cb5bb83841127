//===- BankConflictsTest.cpp - bank conflicts, computed by hand -----------===//

#include "test/unit/AccessBuilder.h"

#include "passes/Analysis/BankConflicts.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace gpuopt;

namespace {

class BankConflicts : public ::testing::Test, protected AccessBuilder {
protected:
  int64_t degree(const AccessFunction &access, llvm::StringRef targetName,
                 const BlockShape &block = {32, 1, 1}) {
    return computeBankConflicts(access, table, target(targetName), block)
        .degree;
  }
};

TEST_F(BankConflicts, Words) {
  EXPECT_EQ(degree(at(tx), "sm_90"), 1);
  // One word for all.
  EXPECT_EQ(degree(at(Polynomial(0)), "sm_90"), 1);
  // Even banks only, 2 words each; every fourth bank, 4 words.
  EXPECT_EQ(degree(at(2 * tx), "sm_90"), 2);
  EXPECT_EQ(degree(at(4 * tx), "sm_90"), 4);
  EXPECT_EQ(degree(at(3 * tx), "sm_90"), 1);
  // A column of [32][32]: bank 0 only; of [32][33]: bank t.
  EXPECT_EQ(degree(at(32 * tx), "sm_90"), 32);
  EXPECT_EQ(degree(at(33 * tx), "sm_90"), 1);
}

/// Equations 20 and 21 of Li et al. 2016, for strides of whole words: where
/// they are smaller, lanes share words, and nothing conflicts on chips that
/// broadcast them.
TEST_F(BankConflicts, ConstantStridesByFormula) {
  for (int64_t stride = 1; stride <= 130; ++stride) {
    EXPECT_EQ(degree(at(stride * tx), "sm_90"), std::gcd(stride, 32));
    EXPECT_EQ(degree(at(stride * tx), "nvidia-gtx285"), std::gcd(stride, 16));
  }
}

TEST_F(BankConflicts, Rows) {
  BlockShape square = {16, 16, 1};
  // s[ty][tx] of [16][16]: 32 consecutive words.
  EXPECT_EQ(degree(at(16 * ty + tx), "sm_90", square), 1);
  // s[tx][ty] of [16][16]: words 16*tx and 16*tx + 1: banks 0, 16, 1, 17, each
  // with 8 words. Of [16][17]: words 17*tx + {0, 1}: 0, 17, … 255 and one
  // more. Banks 17*tx mod 32 are different for all tx < 16, and so are those
  // one further; the two sets meet, so up to 2.
  EXPECT_EQ(degree(at(16 * tx + ty), "sm_90", square), 8);
  EXPECT_EQ(degree(at(17 * tx + ty), "sm_90", square), 2);
}

TEST_F(BankConflicts, SixteenBanks) {
  // Half a warp at a time: [16][16] columns meet in one bank, [16][17] do not.
  BlockShape square = {16, 16, 1};
  EXPECT_EQ(degree(at(16 * tx + ty), "nvidia-gtx285", square), 16);
  EXPECT_EQ(degree(at(17 * tx + ty), "nvidia-gtx285", square), 1);
}

TEST_F(BankConflicts, WideAccesses) {
  // 16 lanes of 8 bytes fill 32 banks.
  EXPECT_EQ(degree(at(tx, 8), "sm_90"), 1);
  EXPECT_EQ(degree(at(2 * tx, 8), "sm_90"), 2);
  // 8 lanes of 16 bytes.
  EXPECT_EQ(degree(at(tx, 16), "sm_90"), 1);
}

TEST_F(BankConflicts, Bytes) {
  // Four lanes share a word.
  EXPECT_EQ(degree(at(tx, 1), "sm_90"), 1);
  // Two lanes share a word; a stride of 64 halves is 32 words.
  EXPECT_EQ(degree(at(tx, 2), "sm_90"), 1);
  EXPECT_EQ(degree(at(64 * tx, 2), "sm_90"), 32);
}

TEST_F(BankConflicts, SubgroupsOf64) {
  // 32 lanes at a time.
  EXPECT_EQ(degree(at(tx), "gfx942", {64, 1, 1}), 1);
  EXPECT_EQ(degree(at(2 * tx), "gfx942", {64, 1, 1}), 2);
}

TEST_F(BankConflicts, Columns) {
  // s[tx][0..3] of [32][16]: 8 lanes at a time, 16 words apart: two rows fill
  // the banks, 4 lanes meet.
  AccessFunction access = at(16 * tx);
  access.accessBytes = 16;
  EXPECT_EQ(degree(access, "sm_90"), 4);
  // Four groups of 4 wavefronts where 4 would do.
  BankConflictFact fact =
      computeBankConflicts(access, table, target("sm_90"), {32, 1, 1});
  EXPECT_EQ(fact.wavefronts, 16);
  EXPECT_EQ(fact.neededWavefronts, 4);
}

TEST_F(BankConflicts, WordsAreShared) {
  // Rows of 16 floats, read in fours by 16 x 2 threads: two words of four, at
  // banks 0 and 16.
  AccessFunction access = at(16 * ty);
  access.accessBytes = 16;
  EXPECT_EQ(degree(access, "sm_90", {16, 2, 1}), 1);
}

TEST_F(BankConflicts, OneBroadcastAtATime) {
  // Compute capability 1.3: 8 words for two lanes each take two turns, later
  // chips share all words.
  Polynomial half = table.addDerived(Variable::Operator::FloorDiv, tx, 2);
  EXPECT_EQ(degree(at(half), "nvidia-gtx285"), 2);
  EXPECT_EQ(degree(at(half), "sm_90"), 1);
  EXPECT_EQ(degree(at(Polynomial(0)), "nvidia-gtx285"), 1);
  // Four chars of a word, for four lanes each.
  EXPECT_EQ(degree(at(tx, 1), "nvidia-gtx285"), 4);
  // Doubles are two accesses of every other word.
  EXPECT_EQ(degree(at(tx, 8), "nvidia-gtx285"), 2);
}

TEST_F(BankConflicts, FoursOfLanesOnGfx9) {
  // 16-byte loads pair lanes 0-3 with 20-23. Lane t takes row t mod 16 of 16
  // words, column t / 16 * 4: rows 0-3 start at banks 0 and 16, rows 4-7 with
  // column 4 at banks 4 and 20; two words for each bank. Stores take lanes 0-7
  // together, which all start at banks 0 and 16.
  Polynomial column = table.addDerived(Variable::Operator::FloorDiv, tx, 16);
  AccessFunction access = at(16 * (tx - 16 * column) + 4 * column);
  access.accessBytes = 16;
  EXPECT_EQ(degree(access, "gfx942", {64, 1, 1}), 2);
  access.kind = AccessKind::Store;
  EXPECT_EQ(degree(access, "gfx942", {64, 1, 1}), 4);
}

TEST_F(BankConflicts, UniformPartsRenameBanks) {
  // Which stage of a buffer is used is the same for all lanes.
  Polynomial stage = table.addDerived(Variable::Operator::FloorDiv, i, 16);
  EXPECT_EQ(degree(at(tx + 512 * stage), "sm_90"), 1);
  // Halves from an odd position on: word 0 half, 15 whole, half.
  EXPECT_EQ(degree(at(tx + i, 2), "sm_90"), 1);
}

TEST_F(BankConflicts, Swizzle) {
  // Columns of [32][32] with the column xor the row.
  Polynomial column = table.addDerived(Variable::Operator::Xor, i, tx);
  EXPECT_EQ(degree(at(32 * tx + column), "sm_90"), 1);
}

TEST_F(BankConflicts, Unresolved) {
  AccessFunction access;
  access.unresolved = "unknown";
  EXPECT_EQ(degree(access, "sm_90"), 0);
}

} // namespace
