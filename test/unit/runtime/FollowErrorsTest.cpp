//===- FollowErrorsTest.cpp - bounds of rounding errors -------------------===//

#include "runtime/CPUExecutor.h"
#include "runtime/ErrorShadow.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
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
declare float @llvm.exp.f32(float)
declare float @llvm.log.f32(float)
declare float @llvm.cos.f32(float)
declare float @llvm.sin.f32(float)
; out[0] = cos(in[0]), out[1] = sin(in[0]), out[2] = cos(in[0] + 1).
define ptx_kernel void @cosines(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %cosine = call float @llvm.cos.f32(float %x)
  store float %cosine, ptr %out
  %sine = call float @llvm.sin.f32(float %x)
  %outB = getelementptr float, ptr %out, i64 1
  store float %sine, ptr %outB
  %sum = fadd float %x, 1.0
  %other = call float @llvm.cos.f32(float %sum)
  %outC = getelementptr float, ptr %out, i64 2
  store float %other, ptr %outC
  ret void
}
; Adds ((in[0] + 1) ^ 3 + 2) * 3 + 4 to out[0], twice.
define ptx_kernel void @unknown_sum(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %sum = fadd float %x, 1.0
  %power = call float @llvm.pow.f32(float %sum, float 3.0)
  %more = fadd float %power, 2.0
  %again = fadd float %more, 4.0
  %product = fmul float %again, 3.0
  %old = atomicrmw fadd ptr %out, float %product monotonic
  %older = atomicrmw fadd ptr %out, float %product monotonic
  ret void
}
; in[0] + in[1] by way of memory, and that plus in[2] + in[3].
define ptx_kernel void @in_memory(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %inB = getelementptr float, ptr %in, i64 1
  %y = load float, ptr %inB
  %first = fadd float %x, %y
  store float %first, ptr %out
  %again = load float, ptr %out
  %inC = getelementptr float, ptr %in, i64 2
  %z = load float, ptr %inC
  %inD = getelementptr float, ptr %in, i64 3
  %w = load float, ptr %inD
  %second = fadd float %z, %w
  %sum = fadd float %again, %second
  store float %sum, ptr %out
  ret void
}
declare float @llvm.pow.f32(float, float)
; out[0] = (in[0] + 1) ^ 3, out[1] = ln(in[0] + 1).
define ptx_kernel void @power(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %sum = fadd float %x, 1.0
  %power = call float @llvm.pow.f32(float %sum, float 3.0)
  store float %power, ptr %out
  %logarithm = call float @llvm.log.f32(float %sum)
  %outB = getelementptr float, ptr %out, i64 1
  store float %logarithm, ptr %outB
  ret void
}
; out[0] = the sum of (x - s / n)^2 over the n numbers x of in, whose sum s is.
define ptx_kernel void @squares(ptr %in, ptr %out, i64 %n) {
entry:
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %iNext, %first ]
  %sum = phi float [ 0.0, %entry ], [ %more, %first ]
  %at = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %at
  %more = fadd float %sum, %x
  %iNext = add i64 %i, 1
  %iEnd = icmp uge i64 %iNext, %n
  br i1 %iEnd, label %mean, label %first
mean:
  %count = uitofp i64 %n to float
  %average = fdiv float %more, %count
  br label %second
second:
  %j = phi i64 [ 0, %mean ], [ %jNext, %second ]
  %squares = phi float [ 0.0, %mean ], [ %moreSquares, %second ]
  %again = getelementptr float, ptr %in, i64 %j
  %y = load float, ptr %again
  %off = fsub float %y, %average
  %square = fmul float %off, %off
  %moreSquares = fadd float %squares, %square
  %jNext = add i64 %j, 1
  %jEnd = icmp uge i64 %jNext, %n
  br i1 %jEnd, label %done, label %second
done:
  store float %moreSquares, ptr %out
  ret void
}
define ptx_kernel void @exponential(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %sum = fadd float %x, 1.0
  %power = call float @llvm.exp.f32(float %sum)
  store float %power, ptr %out
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
; out[0] is an inexact sum; then an integer of the same bits goes there.
define ptx_kernel void @overwrite(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %sum = fadd float %x, 1.0
  store float %sum, ptr %out
  store i32 1073741824, ptr %out
  ret void
}
; out[0] takes an atomic sum and is cleared.
define ptx_kernel void @clear(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %old = atomicrmw fadd ptr %out, float %x monotonic
  call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 %n, i1 false)
  ret void
}
; The first half of an inexact double is overwritten.
define ptx_kernel void @overwrite_half(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %sum = fadd float %x, 1.0
  %wide = fpext float %sum to double
  store double %wide, ptr %out
  store i32 0, ptr %out
  ret void
}
; Two inexact floats are read as one double.
define ptx_kernel void @widen(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %sum = fadd float %x, 1.0
  store float %sum, ptr %out
  %outB = getelementptr float, ptr %out, i64 1
  store float %sum, ptr %outB
  %wide = load double, ptr %out
  %outC = getelementptr float, ptr %out, i64 2
  store double %wide, ptr %outC
  ret void
}
; out[0] = in[0] + 1 and its exponent, which the function writes.
define ptx_kernel void @exponent(ptr %in, ptr %out, i64 %n) {
  %x = load float, ptr %in
  %sum = fadd float %x, 1.0
  %outB = getelementptr float, ptr %out, i64 1
  %mantissa = call float @__nv_modff(float %sum, ptr %outB)
  store float %mantissa, ptr %out
  ret void
}
; An exchange puts an exact number where a sum was.
define ptx_kernel void @exchange(ptr %in, ptr %out, i64 %n) {
  %old = atomicrmw xchg ptr %out, float 2.0 monotonic
  ret void
}
declare float @llvm.sqrt.f32(float)
declare float @__nv_modff(float, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
)";

struct FollowErrors : testing::Test {
  llvm::LLVMContext context;
  ErrorShadow all;
  ErrorShadow sums{LooseOperations::SumsInLoops};
  ErrorShadow atomics{LooseOperations::AtomicSums};
  std::vector<float> in, out = std::vector<float>(8);

  void run(llvm::StringRef kernel, ErrorShadow &errors, int64_t threads = 1) {
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
  RoundingError errorOf(size_t index, const ErrorShadow &errors) {
    return errors.find(&out[index], sizeof(float), out[index]);
  }
};

TEST_F(FollowErrors, AProductAndASumRoundOnceEach) {
  in = {3, -4, 5, 6};
  run("dot", all);
  EXPECT_EQ(out[0], 18);
  EXPECT_NEAR(errorOf(0, all).magnitude, 42, 1e-6);
  // The worse product and two sums, the first with zero.
  EXPECT_EQ(errorOf(0, all).roundings, 3 * 0x1p-24);
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
    run("dot", all);
    double bound = errorOf(0, all).bound();
    EXPECT_FALSE(all.isLost());
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
  run("various", all);
  EXPECT_EQ(errorOf(0, all).bound(), 0);
  EXPECT_NEAR(errorOf(1, all).bound(), 2 * 3 * 0x1p-24, 1e-12);
  // A sum and a quotient, which counts twice.
  EXPECT_NEAR(errorOf(2, all).bound(), 2 * 0.75 * 3 * 0x1p-24, 1e-12);
}

TEST_F(FollowErrors, RootsAreOffByNoMoreThanWhatTheyAreOf) {
  in = {1, 2, 4, 100};
  run("various", all);
  // The sum's relative error, doubled for safety, and two more roundings.
  double bound = errorOf(3, all).bound();
  EXPECT_GE(bound, 2 * std::sqrt(3) * (0.5 + 1) * 0x1p-24);
  EXPECT_LE(bound, 2 * std::sqrt(3) * 8 * 0x1p-24);
}

TEST_F(FollowErrors, UnknownFunctionsHaveNoBound) {
  in = {1, 2};
  run("power", all);
  EXPECT_EQ(errorOf(0, all).bound(), std::numeric_limits<double>::infinity());
}

/// What 2^(x log2 e) and a function of another library may give.
TEST_F(FollowErrors, ExponentialsAndLogarithmsAreOffByWhatTheirArgumentsAre) {
  in = {19, 2};
  run("exponential", all);
  double bound = errorOf(0, all).bound(), unit = 0x1p-24;
  EXPECT_GE(bound, 2 * std::exp(20) * (20 + 20) * unit);
  EXPECT_LE(bound, 2 * std::exp(20) * 200 * unit);
  run("power", all);
  EXPECT_GE(errorOf(1, all).bound(), 2 * unit);
  EXPECT_LE(errorOf(1, all).bound(), 2 * 80 * unit);
}

/// However large the argument is.
TEST_F(FollowErrors, CosinesAreOffByNoMoreThanTheirArguments) {
  in = {10000, 2};
  run("cosines", all);
  double unit = 0x1p-24;
  for (size_t i : {0, 1}) {
    EXPECT_GE(errorOf(i, all).bound(), 2 * unit);
    EXPECT_LE(errorOf(i, all).bound(), 2 * 8 * unit);
  }
  EXPECT_GE(errorOf(2, all).bound(), 2 * 10001 * unit);
  EXPECT_LE(errorOf(2, all).bound(), 2 * 20010 * unit);
}

TEST_F(FollowErrors, SumsOfUnknownsAreUnknown) {
  in = {1, 2};
  run("unknown_sum", all);
  EXPECT_EQ(errorOf(0, all).bound(), std::numeric_limits<double>::infinity());
}

/// All three additions count, since they may come one after the other.
TEST_F(FollowErrors, AdditionsCountByWayOfMemory) {
  in = {1, 2, 3, 4};
  run("in_memory", all);
  EXPECT_EQ(errorOf(0, all).roundings, 3 * 0x1p-24);
  EXPECT_EQ(errorOf(0, all).additions, 3 * 0x1p-24);
}

/// Each term is off by what the mean is, their sum by no more.
TEST_F(FollowErrors, RoundingsOfTermsDoNotAddUp) {
  in.assign(1000, 0);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i % 7);
  run("squares", all);
  double magnitude = errorOf(0, all).magnitude;
  EXPECT_GE(errorOf(0, all).bound(), 2 * magnitude * 1000 * 0x1p-24);
  EXPECT_LE(errorOf(0, all).bound(), 2 * magnitude * 4000 * 0x1p-24);
}

TEST_F(FollowErrors, CloseComparisonsLoseEverything) {
  in = {1, 2, 4, 3.5f};
  run("various", all);
  EXPECT_FALSE(all.isLost());
  in[3] = 3;
  run("various", all);
  EXPECT_TRUE(all.isLost());
}

TEST_F(FollowErrors, NumbersReadAsBitsAreLost) {
  in = {1};
  run("as_bits", all);
  EXPECT_TRUE(all.isLost());
}

TEST_F(FollowErrors, AtomicSumsAdd) {
  in.assign(64, -0.5f);
  out[0] = 1;
  run("atomic", all, 64);
  EXPECT_EQ(out[0], -31);
  EXPECT_NEAR(errorOf(0, all).magnitude, 33, 1e-9);
  EXPECT_NEAR(errorOf(0, all).roundings, 64 * 0x1p-24, 1e-12);
}

// What is no number replaces one, even where it has the same bits.
TEST_F(FollowErrors, OverwrittenNumbersAreExact) {
  in = {1};
  run("overwrite", all);
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(errorOf(0, all).bound(), 0);
  in = {1, 1, 1, 1};
  run("clear", all);
  EXPECT_EQ(errorOf(0, all).bound(), 0);
  EXPECT_FALSE(all.isLost());
}

TEST_F(FollowErrors, HalvesOfNumbersAreLost) {
  in = {1};
  run("overwrite_half", all);
  EXPECT_TRUE(all.isLost());
}

TEST_F(FollowErrors, PartsOfNumbersHaveNoBound) {
  in = {0x1p-24f};
  run("widen", all);
  double value;
  std::memcpy(&value, &out[2], sizeof value);
  RoundingError error = all.find(&out[2], sizeof(double), value);
  EXPECT_EQ(error.bound(), std::numeric_limits<double>::infinity());
  // Nor have numbers that begin elsewhere.
  EXPECT_EQ(all.find(&out[3], sizeof(float), out[3]).bound(),
            std::numeric_limits<double>::infinity());
}

TEST_F(FollowErrors, WhatFunctionsWriteIsLost) {
  in = {1};
  run("exponent", all);
  EXPECT_TRUE(all.isLost());
}

TEST_F(FollowErrors, ExchangesLookAtWhatTheyReplace) {
  in = {1};
  run("exchange", all);
  EXPECT_FALSE(all.isLost());
  run("atomic", all);
  run("exchange", all);
  EXPECT_TRUE(all.isLost());
  EXPECT_EQ(errorOf(0, all).bound(), 0);
}

// Where only some operations may be others, the rest are exact.
TEST_F(FollowErrors, OnlyLooseOperationsRound) {
  in = {1, 2, 4, 100};
  run("various", sums);
  EXPECT_EQ(errorOf(1, sums).bound(), 0);
  EXPECT_EQ(errorOf(2, sums).bound(), 0);
  EXPECT_EQ(errorOf(3, sums).bound(), 0);
  in = {3, -4, 5, 6};
  run("dot", sums);
  EXPECT_NEAR(errorOf(0, sums).magnitude, 42, 1e-6);
  // The products are the same in any order.
  EXPECT_EQ(errorOf(0, sums).roundings, 2 * 0x1p-24);
  run("dot", atomics);
  EXPECT_EQ(errorOf(0, atomics).bound(), 0);
  run("atomic", atomics);
  EXPECT_GT(errorOf(0, atomics).bound(), 0);
}

} // namespace
