//===- LongChainsTest.cpp - integers that come from one another -----------===//

#include "conversion/EmitBinary/LongChains.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {
/// What became of a function.
struct Cut {
  bool isCut = false;
  size_t freezes = 0;
};

Cut cut(const std::string &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  llvm::Function *function = module->getFunction("f");
  Cut result;
  result.isCut = cutLongChains(*function);
  for (llvm::Instruction &instruction : llvm::instructions(function))
    result.freezes += llvm::isa<llvm::FreezeInst>(instruction);
  EXPECT_FALSE(llvm::verifyFunction(*function, &llvm::errs()));
  return result;
}

/// x = x + n, so often.
std::string sums(unsigned count) {
  std::string text = "define i32 @f(i32 %x0, i32 %n) {\n";
  for (unsigned i = 0; i < count; ++i)
    text += "  %x" + std::to_string(i + 1) + " = add i32 %x" +
            std::to_string(i) + ", %n\n";
  return text + "  ret i32 %x" + std::to_string(count) + "\n}\n";
}

/// Loops that go on from where the one before has stopped.
std::string loops(unsigned count) {
  std::string text = "define i32 @f(i32 %x0, i32 %n) {\nl0:\n  br label %l1\n";
  for (unsigned i = 1; i <= count; ++i) {
    std::string now = std::to_string(i), before = std::to_string(i - 1);
    text += "l" + now + ":\n  %x" + now + " = phi i32 [ %x" + before + ", %l" +
            before + " ], [ %y" + now + ", %l" + now + " ]\n  %y" + now +
            " = add i32 %x" + now + ", %n\n  %c" + now + " = icmp eq i32 %y" +
            now + ", " + now + "\n  br i1 %c" + now + ", label %l" +
            std::to_string(i + 1) + ", label %l" + now + "\n";
  }
  std::string last = std::to_string(count);
  return text + "l" + std::to_string(count + 1) + ":\n  ret i32 %x" + last +
         "\n}\n";
}
} // namespace

TEST(LongChainsTest, ChainsOfUnrolledLoopsStay) {
  Cut result = cut(sums(512));
  EXPECT_FALSE(result.isCut);
  EXPECT_EQ(result.freezes, 0u);
}

TEST(LongChainsTest, LongerOnesAreCutIntoPieces) {
  Cut result = cut(sums(640));
  EXPECT_TRUE(result.isCut);
  EXPECT_EQ(result.freezes, 10u);
}

TEST(LongChainsTest, LoopsCountForSeveralLinks) {
  EXPECT_FALSE(cut(loops(63)).isCut);
  Cut result = cut(loops(80));
  EXPECT_TRUE(result.isCut);
  // Each eighth value that a loop goes on from, and nothing else.
  EXPECT_EQ(result.freezes, 10u);
}

TEST(LongChainsTest, DeclarationsHaveNone) {
  EXPECT_FALSE(cut("declare i32 @f(i32)\n").isCut);
}
