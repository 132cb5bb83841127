//===- SizeUsesTest.cpp - what a kernel does with its sizes ---------------===//

#include "tools/lib/launch/SizeUses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

/// The uses in a kernel with the parameters `n`, `m` and an array.
SizeUses usesIn(llvm::StringRef body, llvm::StringRef globals = "") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(
      (globals +
       "declare i32 @__gpuopt_block_id_x()\n"
       "declare i32 @__gpuopt_block_id_z()\n"
       "define void @k(ptr %a, i32 %n, i32 %m, i32 %id) {\n" +
       body + "\n}")
          .str(),
      diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module ? findSizeUses(*module, "k") : SizeUses();
}

TEST(SizeUses, WhatIdsAreComparedWithIsABound) {
  SizeUses uses = usesIn(R"(
    %last = add i32 %n, -1
    %inside = icmp slt i32 %id, %last
    ret void)");
  ASSERT_EQ(uses.roles.size(), 4u);
  EXPECT_EQ(uses.roles[1], SizeRole::Bound);
  EXPECT_EQ(uses.roles[2], SizeRole::Other);
}

TEST(SizeUses, AFlagIsNoBound) {
  SizeUses uses = usesIn(R"(
    %isSet = icmp ne i32 %n, 0
    ret void)");
  EXPECT_EQ(uses.roles[1], SizeRole::Other);
}

TEST(SizeUses, FactorsOfSubscriptsAreStridesAndSummandsAreNot) {
  SizeUses uses = usesIn(R"(
    %row = mul i32 %id, %n
    %element = add i32 %row, %m
    %wide = sext i32 %element to i64
    %place = getelementptr float, ptr %a, i64 %wide
    ret void)");
  EXPECT_EQ(uses.roles[1], SizeRole::Stride);
  EXPECT_EQ(uses.roles[2], SizeRole::Other);
}

TEST(SizeUses, ALoopThatCountsDownFromASizeIsBoundByIt) {
  SizeUses uses = usesIn(R"(
  entry:
    br label %loop
  loop:
    %left = phi i32 [ %n, %entry ], [ %next, %loop ]
    %next = add i32 %left, -1
    %done = icmp eq i32 %next, 0
    br i1 %done, label %end, label %loop
  end:
    ret void)");
  EXPECT_EQ(uses.roles[1], SizeRole::Bound);
}

TEST(SizeUses, TellsWhichBlockIdsAreRead) {
  SizeUses uses = usesIn(R"(
    %b = call i32 @__gpuopt_block_id_z()
    ret void)");
  EXPECT_EQ(uses.readsBlockId, (std::array<bool, 3>{false, false, true}));
}

TEST(SizeUses, FindsArraysInWorkgroupMemory) {
  SizeUses uses = usesIn(R"(
    store float 0.0, ptr addrspace(3) @tile
    store float 0.0, ptr addrspace(3) @dynamic
    ret void)",
                         "@tile = internal addrspace(3) global "
                         "[16 x [17 x float]] undef\n"
                         "@dynamic = external addrspace(3) global "
                         "[0 x float]\n"
                         "@other = internal addrspace(3) global "
                         "[4 x float] undef\n");
  EXPECT_TRUE(uses.usesDynamicMemory);
  ASSERT_EQ(uses.workgroupArrays.size(), 1u);
  EXPECT_EQ(uses.workgroupArrays[0], (std::vector<uint64_t>{16, 17}));
}

} // namespace
