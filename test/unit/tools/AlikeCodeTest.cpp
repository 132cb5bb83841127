//===- AlikeCodeTest.cpp - code that differs in names and positions -------===//

#include "tools/lib/compile/AlikeCode.h"

#include "tools/lib/compile/CompilerSteps.h"
#include "tools/lib/compile/Steps.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace gpuopt;
using namespace mlir;

namespace {

/// A kernel that adds `number` to what it loads in `line`, and stores it in the
/// line `behind`.
std::string kernelText(StringRef name, int number, int line, int behind) {
  return llvm::formatv(R"(
    gpu.func @{0}(%a: memref<?xi32>) kernel
        attributes {{gpuopt.source_name = "{0}", other = @{0}} {{
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<?xi32> loc("k.cu":{2}:7)
      %c = arith.constant {1} : i32
      %y = arith.addi %x, %c : i32 loc("k.cu":{2}:9)
      memref.store %y, %a[%i] : memref<?xi32> loc("k.cu":{3}:7)
      gpu.return
    })",
                       name, number, line, behind)
      .str();
}

class AlikeCodeTest : public ::testing::Test {
protected:
  std::optional<AlikeCode> find(const std::string &one,
                                const std::string &other) {
    module = parseSourceString<ModuleOp>(
        "gpu.module @m {" + one + other + "\n}", context.get());
    SmallVector<Operation *> kernels;
    module->walk([&](gpu::GPUFuncOp kernel) { kernels.push_back(kernel); });
    isLikely = fingerprintOf(kernels[0]) == fingerprintOf(kernels[1]);
    return AlikeCode::find(kernels[0], kernels[1]);
  }

  std::unique_ptr<MLIRContext> context = createCompilerContext();
  OwningOpRef<ModuleOp> module;
  bool isLikely = false;
};

SourcePosition inLine(unsigned line) {
  SourcePosition position;
  position.file = "k.cu";
  position.line = line;
  position.column = 7;
  return position;
}

TEST_F(AlikeCodeTest, NamesAndLinesMayDiffer) {
  auto alike = find(kernelText("_Z1fPi", 1, 103, 104),
                    kernelText("_Z1gPi", 1, 130, 150));
  ASSERT_TRUE(alike);
  EXPECT_TRUE(isLikely);
  EXPECT_EQ(alike->rename(inLine(104))->line, 150u);
  EXPECT_EQ(alike->rename(inLine(104))->column, 7u);
  EXPECT_FALSE(alike->rename(inLine(105)));
  EXPECT_EQ(alike->renameLines("103, 104"), "130, 150");
  EXPECT_TRUE(alike->isNamedIn("say _Z1fPi"));

  // What passes make of the first has its name in other symbols, too.
  auto made = parseSourceString<ModuleOp>(
      "gpu.module @m {" + kernelText("_Z1fPi", 2, 103, 104) +
          kernelText("_Z1fPi__original", 1, 103, 104) + "\n}",
      context.get());
  auto expected = parseSourceString<ModuleOp>(
      "gpu.module @m {" + kernelText("_Z1gPi", 2, 130, 150) +
          kernelText("_Z1gPi__original", 1, 130, 150) + "\n}",
      context.get());
  alike->rename(*made);
  auto textOf = [](ModuleOp code) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    code->print(stream);
    code->walk([&](Operation *op) {
      SourcePosition position = sourcePosition(op->getLoc());
      if (position.file == "k.cu")
        stream << position.line << ':' << position.column << '\n';
    });
    return text;
  };
  EXPECT_EQ(textOf(*made), textOf(*expected));
  EXPECT_TRUE(findKernel(*made, "_Z1gPi__original"));
}

TEST_F(AlikeCodeTest, CodeMustNotDiffer) {
  EXPECT_FALSE(find(kernelText("f", 1, 3, 4), kernelText("g", 2, 3, 4)));
  EXPECT_FALSE(find(kernelText("f", 1, 3, 4),
                    "gpu.func @g(%a: memref<?xi32>) kernel { gpu.return }"));
  EXPECT_FALSE(isLikely);
}

TEST_F(AlikeCodeTest, LinesAreOnesOfTheOther) {
  // One line is two, and the other way round.
  EXPECT_FALSE(find(kernelText("f", 1, 3, 3), kernelText("g", 1, 30, 31)));
  EXPECT_FALSE(find(kernelText("f", 1, 3, 4), kernelText("g", 1, 30, 30)));
}

TEST_F(AlikeCodeTest, TextIsRenamed) {
  auto alike =
      find(kernelText("_Z1fPi", 1, 3, 4), kernelText("_Z1gPi", 1, 30, 50));
  ASSERT_TRUE(alike);
  EXPECT_EQ(alike->renamePTX(".entry _Z1fPi(\n.param .u64 _Z1fPi_param_0\n"
                             "\t.loc\t1 3 7\n\tld [_Z1fPi_param_0];\n"
                             "\t.loc\t1 0 0\n"),
            ".entry _Z1gPi(\n.param .u64 _Z1gPi_param_0\n"
            "\t.loc\t1 30 7\n\tld [_Z1gPi_param_0];\n"
            "\t.loc\t1 0 0\n");
  // A line that none of the code is in.
  EXPECT_FALSE(alike->renamePTX("\t.loc\t1 5 7\n"));
  EXPECT_FALSE(alike->renamePTX("\t.file\t1 \"a\"\n\t.file\t2 \"b\"\n"));
}

TEST_F(AlikeCodeTest, NamesThatMayBePartsOfWordsAreNoneOfText) {
  auto alike = find(kernelText("f", 1, 3, 4), kernelText("g", 1, 30, 50));
  ASSERT_TRUE(alike);
  EXPECT_FALSE(alike->hasMangledNames());
  EXPECT_FALSE(alike->renamePTX(".entry f(\n"));
}

} // namespace
