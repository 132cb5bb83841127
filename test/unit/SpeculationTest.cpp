//===- SpeculationTest.cpp - what may run where it did not ----------------===//

#include "passes/Analysis/Speculation.h"

#include "passes/Analysis/LoopRange.h"
#include "passes/Analysis/Poison.h"
#include "test/unit/ParsedKernel.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace gpuopt;

namespace {

/// Whether `line`, which has the tag `op`, may run anywhere.
bool isTotalIn(llvm::StringRef line) {
  ParsedKernel kernel("(%a: memref<?xf32>, %x: i32, %n: i32)", line);
  return isTotal(kernel.find("op"));
}

TEST(Speculation, SumsAreDefinedEverywhere) {
  EXPECT_TRUE(isTotalIn(R"(%0 = arith.addi %x, %n {tag = "op"} : i32)"));
  // One that breaks its promise is poison, which is not undefined by itself.
  EXPECT_TRUE(
      isTotalIn(R"(%0 = arith.addi %x, %n overflow<nsw> {tag = "op"} : i32)"));
}

TEST(Speculation, QuotientsNeedADivisor) {
  EXPECT_FALSE(isTotalIn(R"(%0 = arith.remsi %x, %n {tag = "op"} : i32)"));
  EXPECT_TRUE(isTotalIn(R"(
    %c = arith.constant 8 : i32
    %0 = arith.remsi %x, %c {tag = "op"} : i32)"));
  // The least number divided by -1 leaves the type.
  EXPECT_FALSE(isTotalIn(R"(
    %c = arith.constant -1 : i32
    %0 = arith.divsi %x, %c {tag = "op"} : i32)"));
  // Without a sign it is a large number.
  EXPECT_TRUE(isTotalIn(R"(
    %c = arith.constant -1 : i32
    %0 = arith.divui %x, %c {tag = "op"} : i32)"));
}

TEST(Speculation, DivisorsThatAreKnownToBePositive) {
  EXPECT_TRUE(isTotalIn(R"(
    %size = gpu.block_dim x
    %id = gpu.thread_id x
    %0 = arith.divsi %id, %size {tag = "op"} : index)"));
  // The same plus something that may wrap is not.
  EXPECT_FALSE(isTotalIn(R"(
    %size = gpu.block_dim x
    %i = arith.index_cast %size : index to i32
    %sum = arith.addi %i, %n overflow<nsw> : i32
    %0 = arith.divsi %x, %sum {tag = "op"} : i32)"));
}

TEST(Speculation, MemoryAndLoops) {
  EXPECT_FALSE(isTotalIn(R"(
    %c0 = arith.constant 0 : index
    %0 = memref.load %a[%c0] {tag = "op"} : memref<?xf32>)"));
  // Of a loop the number of iterations has to be known: other threads may
  // have 2^64 of them.
  EXPECT_TRUE(isTotalIn(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
    } {tag = "op"})"));
  EXPECT_FALSE(isTotalIn(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = arith.index_cast %n : i32 to index
    scf.for %i = %c0 to %m step %c1 {
    } {tag = "op"})"));
}

TEST(Speculation, LoopsThatRun) {
  auto runs = [](llvm::StringRef loop) {
    ParsedKernel kernel("(%n: index)", loop);
    return runsAtLeastOnce(cast<LoopLikeOpInterface>(kernel.find("op")));
  };
  EXPECT_TRUE(runs(R"(affine.for %i = 3 to 4 { } {tag = "op"})"));
  EXPECT_FALSE(runs(R"(affine.for %i = 4 to 4 { } {tag = "op"})"));
  EXPECT_FALSE(runs(R"(affine.for %i = 0 to %n { } {tag = "op"})"));
}

TEST(Speculation, OnlyTotalOperationsLeaveALoop) {
  // The sum does, the remainder only where the first iteration runs it anyway.
  auto hoisted = [](llvm::StringRef bound) {
    ParsedKernel kernel("(%a: memref<?xf32>, %x: index, %n: index, %v: f32)",
                        ("affine.for %i = 0 to " + bound + R"( {
        %s = arith.addi %x, %n : index
        %r = arith.remsi %x, %n : index
        %at = arith.addi %s, %r : index
        %p = arith.addi %at, %i : index
        memref.store %v, %a[%p] : memref<?xf32>
      } {tag = "op"})")
                            .str());
    return hoistInvariants(cast<LoopLikeOpInterface>(kernel.find("op")));
  };
  EXPECT_EQ(hoisted("%n"), 1u);
  EXPECT_EQ(hoisted("8"), 3u);
}

/// Whether the value with the tag `op` may be poison.
bool mayBePoisonIn(llvm::StringRef lines) {
  ParsedKernel kernel("(%x: i32, %n: i32, %f: f32)", lines);
  return mayBePoison(kernel.value("op"));
}

TEST(Poison, BrokenPromises) {
  EXPECT_FALSE(mayBePoisonIn(R"(%0 = arith.addi %x, %n {tag = "op"} : i32)"));
  EXPECT_TRUE(mayBePoisonIn(
      R"(%0 = arith.addi %x, %n overflow<nsw> {tag = "op"} : i32)"));
  // Poison goes through what is computed of it.
  EXPECT_TRUE(mayBePoisonIn(R"(
    %0 = arith.muli %x, %n overflow<nuw> : i32
    %1 = arith.xori %0, %x {tag = "op"} : i32)"));
  EXPECT_TRUE(
      mayBePoisonIn(R"(%0 = arith.divui %x, %n exact {tag = "op"} : i32)"));
}

TEST(Poison, FastMath) {
  EXPECT_TRUE(mayBePoisonIn(
      R"(%0 = arith.addf %f, %f fastmath<nnan> {tag = "op"} : f32)"));
  // Another rounding is still a number.
  EXPECT_FALSE(mayBePoisonIn(
      R"(%0 = arith.addf %f, %f fastmath<reassoc> {tag = "op"} : f32)"));
}

TEST(Poison, WithoutAPromise) {
  // A shift by as many bits as there are, a number that no integer can hold.
  EXPECT_TRUE(mayBePoisonIn(R"(%0 = arith.shli %x, %n {tag = "op"} : i32)"));
  EXPECT_FALSE(mayBePoisonIn(R"(
    %c = arith.constant 31 : i32
    %0 = arith.shli %x, %c {tag = "op"} : i32)"));
  EXPECT_TRUE(mayBePoisonIn(R"(
    %c = arith.constant 32 : i32
    %0 = arith.shli %x, %c {tag = "op"} : i32)"));
  EXPECT_TRUE(
      mayBePoisonIn(R"(%0 = arith.fptosi %f {tag = "op"} : f32 to i32)"));
}

TEST(Poison, WhatRegionsYield) {
  EXPECT_TRUE(mayBePoisonIn(R"(
    %is = arith.cmpi slt, %x, %n : i32
    %0 = scf.if %is -> i32 {
      %1 = arith.addi %x, %n overflow<nsw> : i32
      scf.yield %1 : i32
    } else {
      scf.yield %x : i32
    } {tag = "op"})"));
}

TEST(LoopRange, LengthsAndDeficits) {
  constexpr int64_t least = Interval::minusInfinity;
  constexpr int64_t most = Interval::plusInfinity;
  // From zero up to any number there are at most 2^63 - 1 steps.
  EXPECT_TRUE(isLengthFinite({0, 0}, {least, most}));
  EXPECT_FALSE(isLengthFinite({least, 0}, {0, most}));
  // From -5 on there may be more by five.
  EXPECT_FALSE(isLengthFinite({-5, -5}, {least, most}));
  EXPECT_TRUE(isLengthFinite({-5, -5}, {0, 1000}));
  // Where the loop does not run the difference is negative.
  EXPECT_TRUE(isDeficitFinite({0, 0}, {least, most}));
  EXPECT_FALSE(isDeficitFinite({5, 5}, {least, most}));
}

TEST(LoopRange, RoomToStep) {
  auto hasRoom = [](llvm::StringRef loop) {
    ParsedKernel kernel("(%n: i32, %m: i64, %o: index)", loop);
    return hasRoomToStep(kernel.find("op"));
  };
  // Whatever the end is: to come near the ends of 64 bits by ones takes years.
  EXPECT_TRUE(hasRoom(R"(affine.for %i = 0 to %o { } {tag = "op"})"));
  // From there it is a step.
  EXPECT_FALSE(hasRoom(R"(affine.for %i = %o to %o { } {tag = "op"})"));
  EXPECT_TRUE(hasRoom(R"(
    %first = arith.index_cast %n : i32 to index
    affine.for %i = %first to %o { } {tag = "op"})"));
  // Large steps get there soon, unless the end is near.
  EXPECT_FALSE(
      hasRoom(R"(affine.for %i = 0 to %o step 1048576 { } {tag = "op"})"));
  EXPECT_TRUE(hasRoom(R"(
    %last = arith.index_cast %n : i32 to index
    affine.for %i = 0 to %last step 1048576 { } {tag = "op"})"));
}

} // namespace
