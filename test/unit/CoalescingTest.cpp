//===- CoalescingTest.cpp - sectors of requests, computed by hand ---------===//

#include "test/unit/AccessBuilder.h"

#include "passes/Analysis/AccessCosts.h"
#include "passes/Analysis/Requests.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

class Coalescing : public ::testing::Test, protected AccessBuilder {
protected:
  struct Expected {
    Verdict verdict;
    int64_t strideBytes;
    int64_t sectors;
    int64_t requests = 1;
  };

  void expect(const AccessFunction &access, llvm::StringRef targetName,
              const BlockShape &block, const Expected &expected,
              const SizeMap &sizes = {}) {
    CoalescingFact fact =
        computeCoalescing(access, table, target(targetName), block, sizes);
    EXPECT_EQ(stringifyVerdict(fact.verdict),
              stringifyVerdict(expected.verdict));
    EXPECT_EQ(fact.strideBytes, expected.strideBytes);
    EXPECT_EQ(fact.sectors, expected.sectors);
    EXPECT_EQ(fact.requests, expected.requests);
  }

  const BlockShape row = {32, 1, 1}, square = {16, 16, 1};
};

TEST_F(Coalescing, Copy) {
  // 32 floats, 128 bytes: 4 sectors of 32, one line.
  expect(at(idx), "sm_90", row, {Verdict::Coalesced, 4, 4});
  // Lanes in the opposite order touch the same bytes; block b ends at byte
  // 4 * (32 * b), so the lowest is -124 + 128 * b: sectors start at multiples
  // of 32, bytes at 4 more than one: 5 sectors.
  expect(at(-idx), "sm_90", row, {Verdict::Misaligned, -4, 5});
  expect(at(31 - idx), "sm_90", row, {Verdict::Coalesced, -4, 4});
  // Subgroups of 64: 256 bytes, 4 sectors of 64.
  expect(at(idx), "gfx942", {64, 1, 1}, {Verdict::Coalesced, 4, 4});
  // Half-warp rule: each half fetches 64 of its 128-byte segment: 2 * 64 / 32.
  expect(at(idx), "nvidia-gtx285", row, {Verdict::Coalesced, 4, 4});
}

TEST_F(Coalescing, Strides) {
  // 32 lanes span 32 * 8 bytes without a free sector: 256 / 32.
  expect(at(2 * idx), "sm_90", row, {Verdict::Strided, 8, 8});
  // 32 * 12 = 384 bytes, every sector is touched (12 < 32): 384 / 32.
  expect(at(3 * idx), "sm_90", row, {Verdict::Strided, 12, 12});
  // 32 bytes apart: a sector per lane; farther apart too.
  expect(at(8 * idx), "sm_90", row, {Verdict::Strided, 32, 32});
  expect(at(32 * idx), "sm_90", row, {Verdict::Strided, 128, 32});
  // Half-warp rule, stride 8: a half spans 128 bytes, one segment, all of it:
  // 4 sectors; two halves. Stride 32: a half spans 512 bytes in 4 segments of
  // 128, each with 4 lanes at 0, 32, 64, 96: whole: 4 * 4; two halves.
  expect(at(2 * idx), "nvidia-gtx285", row, {Verdict::Strided, 8, 8});
  expect(at(8 * idx), "nvidia-gtx285", row, {Verdict::Strided, 32, 32});
  // Stride 128: each lane its own segment, reduced to 32 bytes.
  expect(at(32 * idx), "nvidia-gtx285", row, {Verdict::Strided, 128, 32});
}

TEST_F(Coalescing, StructuresOfFloats) {
  // The second of 3 floats: bytes 4 to 4 + 31*12 + 4 = 380 of 384: all of the
  // 12 sectors (gaps of 8 bytes skip none). Blocks lie 384 bytes apart.
  expect(at(3 * idx + 1), "sm_90", row, {Verdict::Strided, 12, 12});
  // The last of 4 floats: 16 bytes apart, two per sector.
  expect(at(4 * idx + 3), "sm_90", row, {Verdict::Strided, 16, 16});
}

TEST_F(Coalescing, BroadcastAndRows) {
  expect(at(Polynomial(0)), "sm_90", row, {Verdict::Broadcast, 0, 1});
  // b[i]: another element each iteration, always in one sector.
  expect(at(i), "sm_90", row, {Verdict::Broadcast, 0, 1});
  // Half-warp rule: a transaction of 32 bytes for each half.
  expect(at(i), "nvidia-gtx285", row, {Verdict::Broadcast, 0, 2});
  // A row per thread: rows are 4 * 4096 bytes apart.
  expect(at(idx * w + i), "sm_90", row, {Verdict::Strided, 16384, 32});
  // Transposed store of 16x16 blocks: in x rows of h = 4096, in y neighbours:
  // 16 columns of 2 floats, 8 bytes in one sector each.
  expect(at(idx * w + idy), "sm_90", square, {Verdict::Strided, 16384, 16});
}

TEST_F(Coalescing, FigureTwoMatrixProduct) {
  // a[idy][i], 16x16: two rows, one element of each.
  expect(at(idy * w + i), "sm_90", square, {Verdict::Broadcast, 0, 2});
  // The paper's rule, which calls it not coalesced: a half-warp is one row.
  expect(at(idy * w + i), "nvidia-gtx285", square, {Verdict::Broadcast, 0, 2});
  // b[i][idx]: both rows read the same 64 bytes.
  expect(at(i * w + idx), "sm_90", square, {Verdict::Coalesced, 4, 2});
  // One transaction of 64 bytes for each half.
  expect(at(i * w + idx), "nvidia-gtx285", square, {Verdict::Coalesced, 4, 4});
  // c[idy][idx]: two rows of 64 bytes.
  expect(at(idy * w + idx), "sm_90", square, {Verdict::Coalesced, 4, 4});
}

TEST_F(Coalescing, MisalignedByIterator) {
  // b[idx + i]: bytes 4*i to 4*i + 128. 4 sectors for i = 0 and 8, else 5:
  // (2 * 4 + 14 * 5) / 16 = 78 / 16.
  expect(at(idx + i), "sm_90", row, {Verdict::Misaligned, 4, 39, 8});
  // Half-warp rule, first half, bytes 4*i to 4*i + 64 of a segment of 128:
  // i = 0: 64 bytes (2 sectors). i = 1 … 15: both halves of the segment: 128
  // bytes (4). Second half, bytes 64 + 4*i to 128 + 4*i: i = 0: 2 sectors.
  // Else the upper half of the first segment, reduced to 64 or, from i = 8 on,
  // to 32 bytes (lanes from byte 96), and 4*i bytes of the next, reduced to 32
  // (i <= 8) or 64. i = 1 … 7: 2 + 1, i = 8: 1 + 1, i = 9 … 15: 1 + 2.
  // Sum: 2 + 15*4 + 2 + 7*3 + 2 + 7*3 = 108 in 16 requests.
  expect(at(idx + i), "nvidia-gtx285", row, {Verdict::Misaligned, 4, 27, 4});
  // b[idx + 1] alone.
  expect(at(idx + 1), "sm_90", row, {Verdict::Misaligned, 4, 5});
}

TEST_F(Coalescing, MisalignedRows) {
  // i * 1001 floats: rows start at 4004*i, 4 more modulo 32 for each: 4 sectors
  // for i = 0 and 8, else 5.
  expect(at(i * w + idx), "sm_90", row, {Verdict::Misaligned, 4, 39, 8},
         {{"w", 1001}});
  // Three iterations only: 4 + 5 + 5.
  expect(at(i * n + idx), "sm_90", row, {Verdict::Misaligned, 4, 14, 3},
         {{"w", 3}, {"n", 1001}});
}

TEST_F(Coalescing, OtherElementTypes) {
  // 32 doubles: 256 bytes. Half-warp rule: 128 bytes for each half.
  expect(at(idx, 8), "sm_90", row, {Verdict::Coalesced, 8, 8});
  expect(at(idx, 8), "nvidia-gtx285", row, {Verdict::Coalesced, 8, 8});
  // 32 halves: 64 bytes. Half-warp rule: 32 of a 64-byte segment each.
  expect(at(idx, 2), "sm_90", row, {Verdict::Coalesced, 2, 2});
  expect(at(idx, 2), "nvidia-gtx285", row, {Verdict::Coalesced, 2, 2});
  // 32 bytes; half-warp rule: 16 bytes of a 32-byte segment for each half.
  expect(at(idx, 1), "sm_90", row, {Verdict::Coalesced, 1, 1});
  expect(at(idx, 1), "nvidia-gtx285", row, {Verdict::Coalesced, 1, 2});
  // vector<4xf32>: 512 bytes.
  AccessFunction vector = at(4 * idx);
  vector.accessBytes = 16;
  expect(vector, "sm_90", row, {Verdict::Coalesced, 16, 16});
}

TEST_F(Coalescing, BlockShapes) {
  // Rows of 8 floats are a sector each: 4 rows in a subgroup.
  expect(at(idy * w + idx), "sm_90", {8, 8, 1}, {Verdict::Coalesced, 4, 4});
  // Rows of 4 floats: 8 half sectors.
  expect(at(idy * w + idx), "sm_90", {4, 8, 1}, {Verdict::Misaligned, 4, 8});
  // Two subgroups of a block of 48: 32 lanes (4 sectors) and 16 (2).
  expect(at(idx), "sm_90", {48, 1, 1}, {Verdict::Coalesced, 4, 3});
  // One thread in x: neighbours are in y.
  expect(at(idy), "sm_90", {1, 32, 1}, {Verdict::Coalesced, 4, 4});
}

TEST_F(Coalescing, QuotientsOfThreadIds) {
  // A tile of 32 columns read by 16x16 threads as 8 rows: thread number t =
  // 16*ty + tx reads row t / 32, column t % 32: one row for each subgroup.
  Polynomial t = ty * 16 + tx;
  Polynomial tileRow =
      table.addDerived(Variable::Operator::FloorDiv, t, Polynomial(32));
  Polynomial tileColumn = t - tileRow * 32;
  expect(at(tileRow * w + tileColumn), "sm_90", square,
         {Verdict::Coalesced, 4, 4});
  // idx / w of a flattened image: the row of 4096 pixels.
  Polynomial imageRow = table.addDerived(Variable::Operator::FloorDiv, idx, w);
  expect(at(imageRow), "sm_90", row, {Verdict::Broadcast, 0, 1});
}

TEST_F(Coalescing, Guards) {
  // if (tx < 8): one sector; only one of the eight subgroups has ty == 0.
  AccessFunction access = at(tx);
  access.guards.push_back({{{tx - 8, Comparison::Relation::Less},
                            {ty, Comparison::Relation::Equal}}});
  CoalescingFact fact =
      computeCoalescing(access, table, target("sm_90"), square);
  EXPECT_EQ(fact.sectors, 1);
  EXPECT_EQ(fact.requestsPerBlock, 1);
  // Its else region: 8 lanes of the first row and all of the second. In the
  // first subgroup bytes 0 to 64; in all others too: 2 sectors.
  access.guards[0].negated = true;
  fact = computeCoalescing(access, table, target("sm_90"), square);
  EXPECT_EQ(fact.sectors, 2);
  EXPECT_EQ(fact.requestsPerBlock, 8);
  // The general version beside a fast one: else of 16*bx + 15 < n.
  access.guards = {{{{bx * 16 + 15 - n, Comparison::Relation::Less}}, true}};
  fact = computeCoalescing(access, table, target("sm_90"), square);
  EXPECT_EQ(fact.requestsPerBlock, 0);
  EXPECT_EQ(stringifyVerdict(fact.verdict), "coalesced");
}

TEST_F(Coalescing, PermutedBlockIds) {
  // Blocks in groups of four rows: block b of all, in rows of gdx, is in row
  // b % 4 and column b / 4 of its group. Which blocks those are only shifts.
  Polynomial by = var(VariableTable::blockId(1));
  Polynomial number = bx + by * var(VariableTable::gridDim(0));
  Polynomial column =
      table.addDerived(Variable::Operator::FloorDiv, number, Polynomial(4));
  Polynomial row = number - column * 4;
  AccessFunction access = at((row * 16 + ty) * w + column * 16 + tx);
  expect(access, "sm_90", square, {Verdict::Coalesced, 4, 4});
  auto requestsOf = [&](const AccessFunction &of) {
    return enumerateRequests(of, table, square, 32, 128, {});
  };
  // One block's requests: the first one's, of all 16 x 16 that are tried.
  BlockRequests requests = requestsOf(access);
  EXPECT_EQ(requests.requests.size(), 8u);
  EXPECT_EQ(requests.combinations, 1);
  int64_t tried = 0;
  for (auto [shift, count] : requests.shifts)
    tried += count;
  EXPECT_EQ(tried, 256);
  // gdx and w = 4096: a step in x moves a quarter of a column of 64 bytes.
  EXPECT_EQ(requests.shifts, (std::map<int64_t, int64_t>{{0, 128}, {64, 128}}));
  EXPECT_EQ(requests.assumptions,
            (std::vector<std::string>{"gdx = 4096", "w = 4096"}));
  // A guard is looked at in the first block.
  access.guards.push_back(
      {{{column * 16 + tx - 8, Comparison::Relation::Less}}});
  EXPECT_EQ(requestsOf(access).requests.size(), 8u);
}

TEST_F(Coalescing, FewCombinationsOfPermutedBlockIds) {
  // The lanes take part in the permutation: combinations of both ids are
  // enumerated, 64 of 256 lanes at most, and it is said that these are not all.
  Polynomial by = var(VariableTable::blockId(1));
  Polynomial number = bx * 16 + tx + by * 16 * var(VariableTable::gridDim(0));
  Polynomial position =
      table.addDerived(Variable::Operator::FloorDiv, number, Polynomial(64));
  BlockRequests requests =
      enumerateRequests(at(position), table, square, 32, 128, {});
  EXPECT_EQ(requests.combinations, 64);
  EXPECT_EQ(requests.requests.size(), 64u * 8);
  EXPECT_EQ(requests.assumptions,
            (std::vector<std::string>{"gdx = 4096", "bx at its first 8 values",
                                      "by at its first 8 values"}));
  expect(at(position), "sm_90", square, {Verdict::Broadcast, 0, 1});
  // In blocks of 1024 threads 16 of them, four of each.
  requests = enumerateRequests(at(position), table, {32, 32, 1}, 32, 128, {});
  EXPECT_EQ(requests.combinations, 16);
  // One id alone takes all of its values.
  position = table.addDerived(Variable::Operator::FloorDiv, bx * 16 + tx,
                              Polynomial(64));
  requests = enumerateRequests(at(position), table, {32, 32, 1}, 32, 128, {});
  EXPECT_EQ(requests.combinations, 16);
  EXPECT_TRUE(requests.assumptions.empty());
}

// Whether a block makes an access at all is told without counting.
TEST_F(Coalescing, IsReached) {
  using Relation = Comparison::Relation;
  AccessFunction access = at(idx);
  auto isReachedUnder = [&](const Comparison &comparison) {
    access.guards = {{{comparison}}};
    bool isFound = isReached(access, table, square);
    CoalescingFact fact =
        computeCoalescing(access, table, target("sm_90"), square);
    EXPECT_EQ(isFound, fact.requestsPerBlock != 0);
    return isFound;
  };
  EXPECT_TRUE(isReachedUnder({idx - w, Relation::Less}));
  EXPECT_TRUE(isReachedUnder({15 - tx, Relation::LessEqual}));
  EXPECT_FALSE(isReachedUnder({16 - tx, Relation::LessEqual}));
  // Only beyond the offset that is assumed to be 4096.
  EXPECT_TRUE(isReachedUnder({idx + k - w, Relation::Less}));
  // Whatever the address is.
  access.unresolved = "a subscript is loaded from memory";
  EXPECT_TRUE(isReached(access, table, square));
  access.guards = {{{Comparison{16 - tx, Relation::LessEqual}}}};
  EXPECT_FALSE(isReached(access, table, square));
}

TEST_F(Coalescing, ReachedInSomeIteration) {
  // Lanes of three iterators; the guards are about one of them and about none.
  AccessFunction access = at(idx * (var(iNumber) + idy));
  auto isReachedUnder = [&](const Comparison &comparison) {
    access.guards = {{{comparison}}};
    return isReached(access, table, square);
  };
  EXPECT_TRUE(isReachedUnder({i - 3, Comparison::Relation::Equal}));
  EXPECT_FALSE(isReachedUnder({i + 1, Comparison::Relation::Equal}));
  EXPECT_FALSE(isReachedUnder({tx - 16, Comparison::Relation::Equal}));
}

TEST_F(Coalescing, ReachedUnderTheSameGuards) {
  SizeMap sizes;
  ReachedAccesses reached(table, square, sizes);
  AccessFunction never = at(idx), copy = at(idx + 1), other = at(idx);
  never.guards =
      copy.guards = {{{Comparison{16 - tx, Comparison::Relation::LessEqual}}}};
  other.guards = {{{Comparison{15 - tx, Comparison::Relation::LessEqual}}}};
  EXPECT_FALSE(reached.contains(never));
  EXPECT_FALSE(reached.contains(copy));
  EXPECT_TRUE(reached.contains(other));
  // The guard is about an iterator that shifts the lanes of one access, which
  // stays at its first value, and that lanes of the other notice.
  AccessFunction shifted = at(idx + i), noticed = at(idx * i);
  shifted.guards =
      noticed.guards = {{{Comparison{i - 3, Comparison::Relation::Equal}}}};
  EXPECT_EQ(reached.contains(shifted), isReached(shifted, table, square));
  EXPECT_EQ(reached.contains(noticed), isReached(noticed, table, square));
  EXPECT_TRUE(reached.contains(noticed));
}

// Found once for accesses that are whole segments apart, and as for each alone.
TEST_F(Coalescing, OfAllAccessesTogether) {
  using Relation = Comparison::Relation;
  Polynomial half =
      table.addDerived(Variable::Operator::FloorDiv, tx, Polynomial(2));
  std::vector<AccessFunction> accesses = {
      at(idy * w + i),           at((idy + 1) * w + i),
      at((idy + 1) * n + i),     at(idy * w + i + 32),
      at(idy * w + i + 1),       at(idy * w + i, 16),
      at(half + 8 * k),          at(half + 32 * k),
      at(half + 32 * k + 3, 1),  at(half + 32 * n + 3, 1),
      at(half + 64 * bx + 3, 1), at(idx * i),
  };
  for (size_t number = accesses.size(); number-- > 0;) {
    accesses.push_back(accesses[number]);
    accesses.back().guards = {{{Comparison{idx + k - w, Relation::Less}}}};
    accesses.push_back(accesses[number]);
    accesses.back().guards = {{{Comparison{13 - tx, Relation::LessEqual}}}};
  }
  accesses.push_back(at(idx));
  accesses.back().unresolved = "a subscript is loaded from memory";
  for (const SizeMap &sizes : {SizeMap{}, SizeMap{{"w", 100}, {"n", 33}}})
    for (llvm::StringRef name : {"sm_90", "gfx942", "nvidia-gtx285"}) {
      AccessCosts costs(table, target(name), square, sizes);
      for (const AccessFunction &access : accesses) {
        CoalescingFact alone =
            computeCoalescing(access, table, target(name), square, sizes);
        const CoalescingFact &fact = costs.coalescingOf(access);
        std::string expected, found;
        llvm::raw_string_ostream expectedStream(expected), stream(found);
        alone.print(expectedStream);
        fact.print(stream);
        EXPECT_EQ(found, expected) << access.toString(table);
        EXPECT_EQ(fact.requestsPerBlock, alone.requestsPerBlock);
        EXPECT_EQ(fact.linesPerRequest, alone.linesPerRequest);
        EXPECT_EQ(fact.neededSectorsPerRequest, alone.neededSectorsPerRequest);
        EXPECT_EQ(costs.isReached(access),
                  isReached(access, table, square, sizes));
      }
    }
  // Of rows that are 4096 apart one is computed: its copy has the same fact.
  SizeMap sizes;
  AccessCosts costs(table, target("sm_90"), square, sizes);
  EXPECT_EQ(&costs.coalescingOf(accesses[0]), &costs.coalescingOf(accesses[3]));
  EXPECT_NE(&costs.coalescingOf(accesses[0]), &costs.coalescingOf(accesses[4]));
  EXPECT_EQ(&costs.coalescingOf(accesses[1]),
            &costs.coalescingOf(at((idy + 1) * w + i)));
}

TEST_F(Coalescing, SaysWhatItAssumes) {
  CoalescingFact fact =
      computeCoalescing(at(idy * w + i), table, target("sm_90"), square);
  EXPECT_EQ(fact.assumptions, std::vector<std::string>{"w = 4096"});
  fact = computeCoalescing(at(idy * w + i), table, target("sm_90"), square,
                           {{"w", 64}});
  EXPECT_TRUE(fact.assumptions.empty());
}

TEST_F(Coalescing, Unresolved) {
  AccessFunction access;
  access.unresolved = "a subscript is loaded from memory";
  CoalescingFact fact =
      computeCoalescing(access, table, target("sm_90"), square);
  EXPECT_EQ(stringifyVerdict(fact.verdict), "unresolved");
  EXPECT_EQ(fact.reason, "a subscript is loaded from memory");
  // A division by a parameter that is 0.
  Polynomial quotient = table.addDerived(Variable::Operator::FloorDiv, idx, n);
  fact = computeCoalescing(at(quotient), table, target("sm_90"), square,
                           {{"n", 0}});
  EXPECT_EQ(stringifyVerdict(fact.verdict), "unresolved");
}

} // namespace
