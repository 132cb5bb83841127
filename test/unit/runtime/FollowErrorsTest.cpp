//===- FollowErrorsTest.cpp - bounds of rounding errors -------------------===//

#include "runtime/CPUExecutor.h"
#include "runtime/ErrorShadow.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace gpuopt;

namespace {

constexpr const char *kernels = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @__gpuopt_thread_id_x()
; out[0] = in[0] * in[1] + in[2] * in[3] + …, in order.
define ptx_kernel void @dot(ptr %in, ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %aAt = getelementptr float, ptr %in, i64 %i
  %bAt = getelementptr float, ptr %aAt, i64 1
  %a = load float, ptr %aAt
  %b = load float, ptr %bAt
  %product = fmul float %a, %b
  %more = fadd float %sum, %product
  %next = add i64 %i, 2
  %end = icmp uge i64 %next, %n
  br i1 %end, label %done, label %loop
done:
  store float %more, ptr %out
  ret void
}
; By way of memory: out[0] = in[0], out[1] = in[0] + in[1], out[2] = out[1] / in[2],
; out[3] = sqrt(out[1]), out[4] = 1 where out[1] > in[3].
define ptx_kernel void @various(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  store float %x, ptr %out
  %inB = getelementptr float, ptr %in, i64 1
  %y = load float, ptr %inB
  %sum = fadd float %x, %y
  %outB = getelementptr float, ptr %out, i64 1
  store float %sum, ptr %outB
  %again = load float, ptr %outB
  %inC = getelementptr float, ptr %in, i64 2
  %z = load float, ptr %inC
  %quotient = fdiv float %again, %z
  %outC = getelementptr float, ptr %out, i64 2
  store float %quotient, ptr %outC
  %root = call float @llvm.sqrt.f32(float %again)
  %outD = getelementptr float, ptr %out, i64 3
  store float %root, ptr %outD
  %inD = getelementptr float, ptr %in, i64 3
  %w = load float, ptr %inD
  %greater = fcmp ogt float %again, %w
  %one = uitofp i1 %greater to float
  %outE = getelementptr float, ptr %out, i64 4
  store float %one, ptr %outE
  ret void
}
define ptx_kernel void @as_bits(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %sum = fadd float %x, 1.0
  store float %sum, ptr %out
  %bits = load i32, ptr %out
  %outB = getelementptr i32, ptr %out, i64 1
  store i32 %bits, ptr %outB
  ret void
}
define ptx_kernel void @atomic(ptr %in, ptr %out, i64 %n) {
  %t = call i32 @__gpuopt_thread_id_x()
  %at = getelementptr float, ptr %in, i32 %t
  %x = load float, ptr %at
  %old = atomicrmw fadd ptr %out, float %x monotonic
  ret void
}
declare float @llvm.sqrt.f32(float)
)";

struct FollowErrors : testing::Test {
  llvm::LLVMContext context;
  ErrorShadow errors;
  std::vector<float> in, out = std::vector<float>(8);

  void run(llvm::StringRef kernel, int64_t threads = 1) {
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(kernels, diagnostic, context);
    ASSERT_TRUE(module);
    CPUExecutorOptions options;
    options.errors = &errors;
    auto executor = CPUExecutor::create(*module, options);
    ASSERT_TRUE(bool(executor));
    auto n = int64_t(in.size());
    auto buffer = [](std::vector<float> &data) {
      return KernelArgument{KernelArgument::Kind::Buffer, data.data(),
                            data.size() * 4, ""};
    };
    auto result = (*executor)->launch(
        kernel, {{1, 1, 1}, {threads, 1, 1}},
        {buffer(in),
         buffer(out),
         {KernelArgument::Kind::Scalar, &n, sizeof n, "n"}});
    ASSERT_TRUE(bool(result));
    EXPECT_TRUE(result->faults.empty());
  }
  RoundingError errorOf(size_t index) {
    return errors.find(&out[index], out[index]);
  }
};

TEST_F(FollowErrors, AProductAndASumRoundOnceEach) {
  in = {3, -4, 5, 6};
  run("dot");
  EXPECT_EQ(out[0], 18);
  EXPECT_NEAR(errorOf(0).magnitude, 42, 1e-6);
  // Two products and two sums, the first with zero.
  EXPECT_EQ(errorOf(0).roundings, 4 * 0x1p-24);
}

// Any order of a sum with cancellation is within the bound of any other, and
// the bound is of use.
TEST_F(FollowErrors, OrdersOfSumsAreWithinTheBound) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int round = 0; round < 5; ++round) {
    in.resize(200);
    for (float &x : in)
      x = std::ldexp(uniform(random), int(random() % 20));
    run("dot");
    double bound = errorOf(0).bound();
    EXPECT_FALSE(errors.isLost());
    std::vector<float> terms;
    double magnitude = 0;
    for (size_t i = 0; i < in.size(); i += 2) {
      terms.push_back(in[i] * in[i + 1]);
      magnitude += std::fabs(terms.back());
    }
    EXPECT_LT(bound, 1e-4 * magnitude);
    for (int order = 0; order < 20; ++order) {
      std::shuffle(terms.begin(), terms.end(), random);
      float sum = 0;
      for (float term : terms)
        sum += term;
      EXPECT_LE(std::fabs(double(sum) - out[0]), bound);
    }
  }
}

TEST_F(FollowErrors, ExactNumbersStayExact) {
  in = {1, 2, 4, 100};
  run("various");
  EXPECT_EQ(errorOf(0).bound(), 0);
  EXPECT_NEAR(errorOf(1).bound(), 2 * 3 * 0x1p-24, 1e-12);
  // A sum and a quotient, which counts twice.
  EXPECT_NEAR(errorOf(2).bound(), 2 * 0.75 * 3 * 0x1p-24, 1e-12);
}

TEST_F(FollowErrors, UnknownFunctionsHaveNoBound) {
  in = {1, 2, 4, 100};
  run("various");
  EXPECT_EQ(errorOf(3).bound(), std::numeric_limits<double>::infinity());
}

TEST_F(FollowErrors, CloseComparisonsLoseEverything) {
  in = {1, 2, 4, 3.5f};
  run("various");
  EXPECT_FALSE(errors.isLost());
  in[3] = 3;
  run("various");
  EXPECT_TRUE(errors.isLost());
}

TEST_F(FollowErrors, NumbersReadAsBitsAreLost) {
  in = {1};
  run("as_bits");
  EXPECT_TRUE(errors.isLost());
}

TEST_F(FollowErrors, AtomicSumsAdd) {
  in.assign(64, -0.5f);
  out[0] = 1;
  run("atomic", 64);
  EXPECT_EQ(out[0], -31);
  EXPECT_NEAR(errorOf(0).magnitude, 33, 1e-9);
  EXPECT_NEAR(errorOf(0).roundings, 64 * 0x1p-24, 1e-12);
}

} // namespace
