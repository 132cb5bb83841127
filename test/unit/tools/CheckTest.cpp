//===- CheckTest.cpp - faults that a wrong pass would leave ---------------===//
//
// Breaks optimised kernels as a wrong pass might, and asks `gpuopt check`'s
// library what is wrong with them.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/check/Check.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <gtest/gtest.h>

using namespace gpuopt;
using namespace mlir;
using Kind = ExecutionFault::Kind;

namespace {

class CheckTest : public ::testing::Test {
protected:
  void compile(llvm::StringRef kernel, llvm::StringRef path = GPUOPT_EXAMPLE,
               bool optimize = true) {
    CompileOptions options;
    options.target = "sm_70";
    options.kernels = {kernel.str()};
    options.optimize = optimize;
    compilation = Compilation::create(path, options);
    ASSERT_TRUE(compilation);
  }
  gpu::GPUFuncOp kernel() const {
    return compilation->tunedKernel(compilation->kernels().front());
  }
  template <typename OpTy>
  std::vector<OpTy> operations() const {
    std::vector<OpTy> found;
    kernel().walk([&](OpTy op) { found.push_back(op); });
    return found;
  }

  KernelCheck check(const NumberMap &sizes, bool detectRaces = true) {
    CheckOptions options;
    options.runs.emplace_back().sizes = sizes;
    options.detectRaces = detectRaces;
    return check(options);
  }
  KernelCheck check(const CheckOptions &options) {
    KernelChecker checker(*compilation, compilation->kernels().front(),
                          options);
    llvm::Expected<KernelCheck> check = checker.check(options.runs.front());
    if (!check) {
      ADD_FAILURE() << toString(check.takeError());
      return {};
    }
    EXPECT_TRUE(check->originalFaults.empty());
    EXPECT_FALSE(check->usedFallback());
    return *check;
  }

  std::unique_ptr<Compilation> compilation;
};

bool has(const KernelCheck &check, Kind kind) {
  return llvm::any_of(check.tunedFaults, [&](const ExecutionFault &fault) {
    return fault.kind == kind;
  });
}

bool isInWorkgroupMemory(Value memref) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(memref.getType()));
}

TEST_F(CheckTest, FindsNothingInWhatIsRight) {
  compile("tp");
  KernelCheck found = check({{"h", 37}, {"w", 50}});
  EXPECT_TRUE(found.passed());
  EXPECT_EQ(found.idleReads, 0u);
}

TEST_F(CheckTest, FindsRaces) {
  compile("tp");
  std::vector<gpu::BarrierOp> barriers = operations<gpu::BarrierOp>();
  ASSERT_EQ(barriers.size(), 1u);
  barriers.front().erase();
  KernelCheck found = check({{"h", 64}, {"w", 64}});
  EXPECT_TRUE(has(found, Kind::DataRace));
  EXPECT_FALSE(found.passed());
}

// The original kernel races with itself where it stores, but not with a load.
TEST_F(CheckTest, TellsRacesFromThoseOfTheSource) {
  compile("announce", GPUOPT_TOOL_INPUTS "/mlir/racing.mlir",
          /*optimize=*/false);
  CheckOptions options;
  RunOptions &run = options.runs.emplace_back();
  run.sizes = {{"a", 64}, {"b", 64}};
  run.grid = Dim3{1, 1, 1};
  run.block = Dim3{64, 1, 1};
  KernelCheck right = check(options);
  EXPECT_TRUE(right.passed());
  EXPECT_EQ(right.originalRaces, 1u);
  std::vector<gpu::BarrierOp> barriers = operations<gpu::BarrierOp>();
  ASSERT_EQ(barriers.size(), 3u);
  barriers[1].erase();
  KernelCheck found = check(options);
  EXPECT_TRUE(has(found, Kind::DataRace));
  EXPECT_FALSE(found.passed());
  EXPECT_EQ(found.originalRaces, 1u);
}

// x + 0.0 is x, but for -0.0.
TEST_F(CheckTest, ExtremeInputsFindWhatOrdinaryOnesDoNot) {
  compile("tp");
  size_t changed = 0;
  for (auto store : operations<affine::AffineStoreOp>()) {
    if (isInWorkgroupMemory(store.getMemRef()))
      continue;
    OpBuilder builder(store);
    Location loc = store.getLoc();
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    store.setOperand(
        0, arith::AddFOp::create(builder, loc, store.getValueToStore(), zero));
    ++changed;
  }
  ASSERT_GT(changed, 0u);
  CheckOptions options;
  options.runs.emplace_back().sizes = {{"h", 64}, {"w", 64}};
  options.inputs = CheckInputs::Ordinary;
  EXPECT_TRUE(check(options).passed());
  options.inputs = CheckInputs::Both;
  KernelCheck found = check(options);
  EXPECT_FALSE(found.passed());
  ASSERT_EQ(found.withExtremes.size(), 1u);
  ASSERT_EQ(found.withExtremes[0].arrays.size(), 1u);
  EXPECT_GT(found.withExtremes[0].arrays[0].mismatches, 0);
  EXPECT_EQ(found.withExtremes[0].arrays[0].original, "-0");
  EXPECT_EQ(found.withExtremes[0].arrays[0].tuned, "0");
}

/// Stores 7 to an element of an argument, behind all else that `function` does.
void storeSeven(gpu::GPUFuncOp function, unsigned argument, int64_t element) {
  OpBuilder builder(function.getBody().back().getTerminator());
  Location loc = function.getLoc();
  Value array = function.getArgument(argument);
  Type type = cast<MemRefType>(array.getType()).getElementType();
  TypedAttr seven = isa<FloatType>(type)
                        ? TypedAttr(builder.getFloatAttr(type, 7.0))
                        : builder.getIntegerAttr(type, 7);
  memref::StoreOp::create(
      builder, loc, arith::ConstantOp::create(builder, loc, seven), array,
      arith::ConstantIndexOp::create(builder, loc, element).getResult());
}

TEST_F(CheckTest, FindsWritesToInputs) {
  compile("tp");
  storeSeven(kernel(), 0, 64 * 64 - 1);
  KernelCheck found = check({{"h", 64}, {"w", 64}}, /*detectRaces=*/false);
  EXPECT_FALSE(found.passed());
  auto input = llvm::find_if(found.arrays, [](const ArrayComparison &array) {
    return array.name == "a";
  });
  ASSERT_NE(input, found.arrays.end());
  EXPECT_EQ(input->strayWrites, 1);
  EXPECT_EQ(input->firstElement, 64 * 64 - 1);
  EXPECT_EQ(input->tuned, "7");
}

// Behind what counts of an output, only what the original stores to is scratch:
// the kernel stores what is there already.
TEST_F(CheckTest, FindsStoresBehindTheOutput) {
  constexpr unsigned output = 1;
  CheckOptions options;
  options.runs.emplace_back().sizes = {{"n", 64}};
  options.inputs = CheckInputs::Ordinary;
  options.detectRaces = false;
  compile("half", GPUOPT_TOOL_INPUTS "/scratch.cu");
  EXPECT_TRUE(check(options).passed());
  storeSeven(kernel(), output, 40);
  EXPECT_TRUE(check(options).passed());
  storeSeven(kernel(), output, 48);
  KernelCheck found = check(options);
  EXPECT_FALSE(found.passed());
  ASSERT_EQ(found.arrays.size(), 1u);
  EXPECT_EQ(found.arrays[0].elements, 32);
  EXPECT_EQ(found.arrays[0].mismatches, 0);
  EXPECT_EQ(found.arrays[0].strayWrites, 1);
  EXPECT_EQ(found.arrays[0].firstElement, 48);
  storeSeven(kernel(), output, 31);
  EXPECT_EQ(check(options).arrays[0].mismatches, 1);
}

// A race at the places of one that the source has, but in another array.
TEST_F(CheckTest, RacesInOtherArraysAreNew) {
  compile("mark", GPUOPT_TOOL_INPUTS "/mlir/racing.mlir",
          /*optimize=*/false);
  CheckOptions options;
  RunOptions &run = options.runs.emplace_back();
  run.sizes = {{"a", 64}, {"b", 64}};
  run.grid = Dim3{1, 1, 1};
  run.block = Dim3{64, 1, 1};
  ASSERT_EQ(check(options).originalRaces, 1u);
  gpu::GPUFuncOp function = kernel();
  auto stores = operations<affine::AffineStoreOp>();
  ASSERT_EQ(stores.size(), 1u);
  stores.front().getMemrefMutable().assign(function.getArgument(0));
  KernelCheck found = check(options);
  EXPECT_TRUE(has(found, Kind::DataRace));
  EXPECT_EQ(found.originalRaces, 0u);
}

// Variables of the module are outputs where the kernel writes them.
TEST_F(CheckTest, ComparesVariables) {
  compile("count", GPUOPT_TOOL_INPUTS "/variables.cu");
  CheckOptions options;
  RunOptions &run = options.runs.emplace_back();
  run.sizes = {{"a", 50}, {"b", 50}, {"n", 50}};
  run.grid = Dim3{1, 1, 1};
  run.block = Dim3{64, 1, 1};
  KernelCheck right = check(options);
  EXPECT_TRUE(right.passed());
  ASSERT_EQ(right.arrays.size(), 2u);
  EXPECT_EQ(right.arrays[1].name, "total");
  size_t erased = 0;
  compilation->tuned()->walk([&](memref::AtomicRMWOp atomic) {
    atomic.erase();
    ++erased;
  });
  ASSERT_GT(erased, 0u);
  KernelCheck found = check(options);
  EXPECT_FALSE(found.passed());
  ASSERT_EQ(found.arrays.size(), 2u);
  EXPECT_EQ(found.arrays[0].mismatches, 0);
  EXPECT_EQ(found.arrays[1].mismatches, 1);
  EXPECT_EQ(found.arrays[1].tuned, "0");
}

TEST_F(CheckTest, FindsUninitialisedReads) {
  compile("tp");
  size_t erased = 0;
  for (memref::StoreOp store : operations<memref::StoreOp>())
    if (isInWorkgroupMemory(store.getMemRef())) {
      store.erase();
      ++erased;
    }
  ASSERT_EQ(erased, 1u);
  KernelCheck found = check({{"h", 64}, {"w", 64}});
  EXPECT_TRUE(has(found, Kind::Uninitialised));
  EXPECT_FALSE(found.passed());
  EXPECT_EQ(found.idleReads, 0u);
  EXPECT_FALSE(has(check({{"h", 64}, {"w", 64}}, /*detectRaces=*/false),
                   Kind::Uninitialised));
}

TEST_F(CheckTest, FindsAccessesOutOfBounds) {
  compile("tp");
  for (scf::IfOp guard : operations<scf::IfOp>()) {
    OpBuilder builder(guard);
    guard.getConditionMutable().assign(
        arith::ConstantIntOp::create(builder, guard.getLoc(), 1, 1));
  }
  EXPECT_TRUE(check({{"h", 64}, {"w", 64}}).passed());
  EXPECT_TRUE(has(check({{"h", 37}, {"w", 50}}), Kind::OutOfBounds));
}

TEST_F(CheckTest, FindsDivergingBarriers) {
  compile("tp");
  gpu::BarrierOp barrier = operations<gpu::BarrierOp>().front();
  OpBuilder builder(barrier);
  Location loc = barrier.getLoc();
  Value x = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value five = arith::ConstantIndexOp::create(builder, loc, 5);
  Value some =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, x, five);
  auto guard = scf::IfOp::create(builder, loc, some);
  barrier->moveBefore(guard.thenYield());
  EXPECT_TRUE(has(check({{"h", 64}, {"w", 64}}), Kind::BarrierDivergence));
}

// Threads beyond the bounds multiply what nobody has put into their part of the
// tiles, and nobody looks at their sums.
TEST_F(CheckTest, LeavesIdleReadsAlone) {
  compile("mm");
  KernelCheck found = check({{"m", 40}, {"n", 33}, {"k", 19}});
  EXPECT_TRUE(found.passed());
  EXPECT_GT(found.idleReads, 0u);
}

} // namespace
