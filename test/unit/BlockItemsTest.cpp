//===- BlockItemsTest.cpp - where a block is a work item ------------------===//

#include "passes/Analysis/BlockItems.h"

#include "test/unit/ParsedKernel.h"

#include "gtest/gtest.h"

using namespace gpuopt;

namespace {

/// Whether a block is a work item along z of a kernel with these lines.
bool isItemAlongZ(llvm::StringRef lines) {
  ParsedKernel kernel("()", lines);
  return findBlockItems(kernel.function())[2];
}

TEST(BlockItems, TheBlockAlone) {
  EXPECT_TRUE(isItemAlongZ("%b = gpu.block_id z"));
  EXPECT_TRUE(isItemAlongZ("%b = gpu.block_id z\n%g = gpu.grid_dim z"));
  // What happens along other dimensions does not matter.
  EXPECT_TRUE(isItemAlongZ("%b = gpu.block_id z\n%t = gpu.thread_id x"));
}

TEST(BlockItems, WhatTellsThreadsApart) {
  EXPECT_FALSE(isItemAlongZ("%b = gpu.block_id z\n%t = gpu.thread_id z"));
  EXPECT_FALSE(isItemAlongZ("%b = gpu.block_id z\n%d = gpu.block_dim z"));
  EXPECT_FALSE(isItemAlongZ("%b = gpu.block_id z\n%i = gpu.global_id z"));
  EXPECT_FALSE(isItemAlongZ("%i = gpu.global_id z"));
}

TEST(BlockItems, NothingIsRead) {
  EXPECT_FALSE(isItemAlongZ("%b = gpu.block_id x"));
}

} // namespace
