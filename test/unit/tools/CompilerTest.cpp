//===- CompilerTest.cpp - the library as programs use it ------------------===//

#include "tools/lib/compile/Compiler.h"

#include "passes/Analysis/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

/// The steps of `compilation` that are about `kernel` and say `code`.
std::vector<Step> stepsOf(const Compilation &compilation,
                          const KernelInfo &kernel, RemarkCode code) {
  std::vector<Step> found;
  for (const Step &step : compilation.steps())
    if (step.isAbout(kernel) && step.code == code)
      found.push_back(step);
  return found;
}

/// A pass fails for the first kernel, as it has no vectors of three bytes. The
/// other one is tuned as if it stood in a file of its own.
TEST(Compiler, KeepsTheFailureOfOneKernelToItself) {
  CompileOptions options;
  options.target = "sm_70";
  options.kernels = {"mm", "mv"};
  std::unique_ptr<Compilation> whole =
      Compilation::create(GPUOPT_EXAMPLE, options);
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->kernels().size(), 2u);
  const KernelInfo failing = whole->kernels()[0], other = whole->kernels()[1];
  ASSERT_FALSE(stepsOf(*whole, failing, RemarkCode::LoadStaged).empty());
  ASSERT_FALSE(stepsOf(*whole, other, RemarkCode::LoadStaged).empty());

  options.designs[failing.symbol].width = 3;
  std::unique_ptr<Compilation> apart =
      Compilation::create(GPUOPT_EXAMPLE, options);
  ASSERT_TRUE(apart);
  std::vector<Step> failures = stepsOf(*apart, failing, RemarkCode::PassFailed);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures.front().outcome, Step::Outcome::Failed);
  EXPECT_EQ(failures.front().pass, "MergeForTarget");
  EXPECT_TRUE(stepsOf(*apart, failing, RemarkCode::LoadStaged).empty())
      << "what a pass did before another one failed is undone";
  EXPECT_TRUE(stepsOf(*apart, other, RemarkCode::PassFailed).empty());
  EXPECT_EQ(stepsOf(*apart, other, RemarkCode::LoadStaged).size(),
            stepsOf(*whole, other, RemarkCode::LoadStaged).size());

  options.strict = true;
  EXPECT_FALSE(Compilation::create(GPUOPT_EXAMPLE, options));
}

TEST(Compiler, LeavesKernelsAloneWhosePassesTakeTooLong) {
  CompileOptions options;
  options.kernels = {"mm", "mv"};
  options.timeBudget = 1e-9;
  std::unique_ptr<Compilation> compilation =
      Compilation::create(GPUOPT_EXAMPLE, options);
  ASSERT_TRUE(compilation);
  for (const KernelInfo &kernel : compilation->kernels()) {
    std::vector<Step> failures =
        stepsOf(*compilation, kernel, RemarkCode::PassFailed);
    ASSERT_EQ(failures.size(), 1u);
    EXPECT_EQ(failures.front().pass, "RaiseFunctions");
    EXPECT_FALSE(compilation->tunedKernel(kernel));
  }
}

TEST(Compiler, TakesTheSourceItself) {
  CompileOptions options;
  options.optimize = false;
  options.text = "\n__global__ void set(float *a) { a[threadIdx.x] = 1; }\n";
  options.inputKind = InputKind::CUDA;
  auto compilation = Compilation::create("of a program", options);
  ASSERT_TRUE(compilation);
  ASSERT_EQ(compilation->kernels().size(), 1u);
  const KernelInfo &kernel = compilation->kernels().front();
  EXPECT_EQ(kernel.displayName, "set");
  EXPECT_EQ(kernel.position.file, "of a program");
  EXPECT_EQ(kernel.position.line, 2u);
}

TEST(Compiler, TakesMLIRItselfByTheEndingOfItsName) {
  CompileOptions options;
  options.optimize = false;
  options.text = "gpu.module @m { gpu.func @k(%a: memref<?xf32>) kernel { "
                 "gpu.return } }";
  auto compilation = Compilation::create("text.mlir", options);
  ASSERT_TRUE(compilation);
  ASSERT_EQ(compilation->kernels().size(), 1u);
  EXPECT_EQ(compilation->kernels().front().name, "k");
}

TEST(Compiler, MakesEachOutputOnce) {
  CompileOptions options;
  options.kernels = {"mv"};
  auto compilation = Compilation::create(GPUOPT_EXAMPLE, options);
  ASSERT_TRUE(compilation);
  for (OutputKind kind : {OutputKind::PTX, OutputKind::CUDA}) {
    std::string first = llvm::cantFail(compilation->emit(kind));
    EXPECT_FALSE(first.empty());
    mlir::gpu::GPUFuncOp tuned =
        compilation->tunedKernel(compilation->kernels().front());
    // What it was made from is not asked again.
    mlir::StringAttr name = tuned.getNameAttr();
    tuned.setName("other");
    EXPECT_EQ(llvm::cantFail(compilation->emit(kind)), first);
    tuned.setName(name);
  }
}

} // namespace
