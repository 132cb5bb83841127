//===- SourceRacesTest.cpp - what races of the source explain -------------===//
//
// Breaks kernels that race, and asks whether the races are to blame.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "tools/lib/check/Check.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <gtest/gtest.h>

using namespace gpuopt;
using namespace mlir;

namespace {

constexpr char source[] = R"(
// All write the same to `flag`; which number is left in `last`?
extern "C" __global__ void writes(float *b, int *flag, int *last,
                                  const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  *flag = 1;
  *last = i;
  b[i] = a[i] * 2;
}

// Nobody knows whether a neighbour's element is 0 yet.
extern "C" __global__ void reads(float *b, float *d, float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[(i + 1) % n] + 1;
  d[i] = i;
  a[i] = 0;
}

// The same in workgroup memory, where a barrier is missing.
extern "C" __global__ void shares(float *b, float *d, const float *a, int n) {
  __shared__ float tile[64];
  int i = threadIdx.x;
  tile[i] = a[i];
  b[i] = tile[(i + 1) % 64];
  __syncthreads();
  d[i] = tile[i];
}

// An increment that is not atomic, and what comes of it.
extern "C" __global__ void counts(int *count, float *b, const float *a, int n) {
  __shared__ int number;
  if (threadIdx.x == 0)
    number = 0;
  __syncthreads();
  number += a[threadIdx.x] > 0;
  __syncthreads();
  if (threadIdx.x == 0)
    *count = number;
  b[threadIdx.x] = a[threadIdx.x];
}
)";

/// The name of the parameter that `memref` is, or is a view of.
llvm::StringRef nameOf(gpu::GPUFuncOp kernel, Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (op->getNumOperands() == 0)
      return "";
    memref = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(memref);
  if (argument.getOwner() != &kernel.getBody().front() ||
      argument.getArgNumber() >= kernel.getNumArguments())
    return "";
  auto name = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  kNameAttrName);
  return name ? name.getValue() : "";
}

/// Adds 1 to what `kernel` stores in the array called `name`.
unsigned breakStores(gpu::GPUFuncOp kernel, llvm::StringRef name) {
  unsigned broken = 0;
  kernel.walk([&](Operation *op) {
    Value memref;
    if (auto store = dyn_cast<affine::AffineStoreOp>(op))
      memref = store.getMemRef();
    else if (auto plain = dyn_cast<memref::StoreOp>(op))
      memref = plain.getMemRef();
    if (!memref || nameOf(kernel, memref) != name)
      return;
    OpBuilder builder(op);
    Value value = op->getOperand(0);
    Location loc = op->getLoc();
    Value one = arith::ConstantOp::create(builder, loc,
                                          builder.getOneAttr(value.getType()));
    Value wrong;
    if (isa<FloatType>(value.getType()))
      wrong = arith::AddFOp::create(builder, loc, value, one);
    else
      wrong = arith::AddIOp::create(builder, loc, value, one);
    op->setOperand(0, wrong);
    ++broken;
  });
  return broken;
}

/// Checks `kernel` with wrong results in `array`.
CheckVerdict checkBroken(llvm::StringRef kernel, llvm::StringRef array) {
  CompileOptions options;
  options.target = "sm_70";
  options.inputKind = InputKind::CUDA;
  options.text = source;
  options.kernels = {kernel.str()};
  options.optimize = false;
  std::unique_ptr<Compilation> compilation =
      Compilation::create("races.cu", options);
  if (!compilation) {
    ADD_FAILURE();
    return {};
  }
  const KernelInfo &info = compilation->kernels().front();
  EXPECT_EQ(breakStores(compilation->tunedKernel(info), array), 1u);
  CheckOptions checks;
  checks.inputs = CheckInputs::Ordinary;
  RunOptions &run = checks.runs.emplace_back();
  for (const KernelParameter &parameter : info.parameters)
    run.sizes[parameter.name] = 64;
  run.grid = Dim3{1, 1, 1};
  run.block = Dim3{64, 1, 1};
  llvm::Expected<KernelCheck> check =
      KernelChecker(*compilation, info, checks).check(run);
  if (!check) {
    ADD_FAILURE() << toString(check.takeError());
    return CheckVerdict::Passed;
  }
  EXPECT_FALSE(check->passed());
  EXPECT_FALSE(check->sourceRaces.empty());
  return check->verdict();
}

TEST(SourceRaces, ExplainWhatTheyDecide) {
  EXPECT_EQ(checkBroken("writes", "last"), CheckVerdict::Undefined);
}

TEST(SourceRaces, ExplainNothingElse) {
  EXPECT_EQ(checkBroken("writes", "b"), CheckVerdict::Failed);
}

TEST(SourceRaces, DecideNothingWhereAllWriteTheSame) {
  EXPECT_EQ(checkBroken("writes", "flag"), CheckVerdict::Failed);
}

TEST(SourceRaces, ExplainWhatIsComputedFromThem) {
  EXPECT_EQ(checkBroken("reads", "b"), CheckVerdict::Undefined);
  EXPECT_EQ(checkBroken("reads", "d"), CheckVerdict::Failed);
}

TEST(SourceRaces, AreFollowedThroughWorkgroupMemory) {
  EXPECT_EQ(checkBroken("shares", "b"), CheckVerdict::Undefined);
  EXPECT_EQ(checkBroken("counts", "count"), CheckVerdict::Undefined);
  EXPECT_EQ(checkBroken("counts", "b"), CheckVerdict::Failed);
}

} // namespace
