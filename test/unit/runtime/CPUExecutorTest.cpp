//===- CPUExecutorTest.cpp - the executor's interface ---------------------===//

#include "runtime/CPUExecutor.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

constexpr const char *kernels = R"(
target triple = "nvptx64-nvidia-cuda"
@factor = addrspace(4) externally_initialized global i32 2
declare i32 @__gpuopt_thread_id_x()
define ptx_kernel void @scale(ptr %a, i64 %n) {
  %t = call i32 @__gpuopt_thread_id_x()
  %id = zext i32 %t to i64
  %in = icmp ult i64 %id, %n
  br i1 %in, label %do, label %end
do:
  %at = getelementptr i32, ptr %a, i64 %id
  %x = load i32, ptr %at
  %f = load i32, ptr addrspace(4) @factor
  %y = mul i32 %x, %f
  store i32 %y, ptr %at
  br label %end
end:
  ret void
}
define ptx_kernel void @other(ptr %a) {
  %f = load i32, ptr addrspace(4) @factor
  store i32 %f, ptr %a
  ret void
}
)";

struct ExecutorTest : testing::Test {
  llvm::LLVMContext context;
  std::unique_ptr<CPUExecutor> executor;
  std::vector<int32_t> data = {1, 2, 3, 4};

  void create(CPUExecutorOptions options = {}) {
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(kernels, diagnostic, context);
    ASSERT_TRUE(module);
    auto created = CPUExecutor::create(*module, options);
    ASSERT_TRUE(bool(created));
    executor = std::move(*created);
  }
  KernelArgument buffer() {
    return {KernelArgument::Kind::Buffer, data.data(), data.size() * 4, "a"};
  }
  template <typename T>
  KernelArgument scalar(T &value) {
    return {KernelArgument::Kind::Scalar, &value, sizeof value, "n"};
  }
  std::string launchError(llvm::StringRef kernel, LaunchConfig config,
                          llvm::ArrayRef<KernelArgument> arguments) {
    auto result = executor->launch(kernel, config, arguments);
    return result ? "" : llvm::toString(result.takeError());
  }
};

TEST_F(ExecutorTest, VariablesAreSetAndKeptBetweenLaunches) {
  create();
  int64_t n = 4;
  LaunchConfig config{{1, 1, 1}, {32, 1, 1}};
  auto result = executor->launch("scale", config, {buffer(), scalar(n)});
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(data, (std::vector<int32_t>{2, 4, 6, 8}));

  auto factor = executor->global("factor");
  ASSERT_TRUE(bool(factor));
  ASSERT_EQ(factor->size(), 4u);
  (*factor)[0] = 10;
  ASSERT_TRUE(bool(executor->launch("scale", config, {buffer(), scalar(n)})));
  EXPECT_EQ(data, (std::vector<int32_t>{20, 40, 60, 80}));
  // Another kernel of the module sees the same variable.
  ASSERT_TRUE(bool(executor->launch("other", {}, {buffer()})));
  EXPECT_EQ(data[0], 10);
}

TEST_F(ExecutorTest, FaultsNameTheArgument) {
  create();
  int64_t n = 5;
  auto result =
      executor->launch("scale", {{1, 1, 1}, {32, 1, 1}}, {buffer(), scalar(n)});
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->faultCount, 2u);
  ASSERT_EQ(result->faults.size(), 2u);
  EXPECT_EQ(result->faults[0].message,
            "thread (4,0,0) of block (0,0,0) reads 4 bytes at a[4], which has "
            "4 elements");
}

TEST_F(ExecutorTest, FaultsAreTheSameWhereItIsCompiledQuickly) {
  // Without checks of races the code checks bounds; with them, the host.
  for (bool checkRaces : {false, true}) {
    CPUExecutorOptions options;
    options.compileQuickly = true;
    options.checkRaces = checkRaces;
    data = {1, 2, 3, 4};
    create(options);
    int64_t n = 5;
    auto result = executor->launch("scale", {{1, 1, 1}, {32, 1, 1}},
                                   {buffer(), scalar(n)});
    ASSERT_TRUE(bool(result));
    EXPECT_EQ(result->faultCount, 2u);
    ASSERT_EQ(result->faults.size(), 2u);
    EXPECT_EQ(result->faults[0].message,
              "thread (4,0,0) of block (0,0,0) reads 4 bytes at a[4], which "
              "has 4 elements");
    EXPECT_EQ(data, (std::vector<int32_t>{2, 4, 6, 8}));
    // All threads write one element.
    result = executor->launch("other", {{1, 1, 1}, {2, 1, 1}}, {buffer()});
    ASSERT_TRUE(bool(result));
    EXPECT_EQ(llvm::any_of(result->faults,
                           [](const ExecutionFault &fault) {
                             return fault.kind ==
                                    ExecutionFault::Kind::DataRace;
                           }),
              checkRaces);
  }
}

TEST_F(ExecutorTest, NoMemoryHasNoElements) {
  for (bool checkRaces : {false, true}) {
    CPUExecutorOptions options;
    options.compileQuickly = true;
    options.checkRaces = checkRaces;
    create(options);
    int64_t n = 1;
    KernelArgument none = {KernelArgument::Kind::Buffer, nullptr, 0, "a"};
    auto result =
        executor->launch("scale", {{1, 1, 1}, {32, 1, 1}}, {none, scalar(n)});
    ASSERT_TRUE(bool(result));
    EXPECT_EQ(result->faultCount, 2u);
    ASSERT_EQ(result->faults.size(), 2u);
    EXPECT_EQ(result->faults[0].message,
              "thread (0,0,0) of block (0,0,0) reads 4 bytes at address 0, "
              "which lies in no buffer of the launch");
  }
}

TEST_F(ExecutorTest, TakesAModule) {
  auto own = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(kernels, diagnostic, *own);
  ASSERT_TRUE(module);
  auto created = CPUExecutor::create(std::move(module), std::move(own), {});
  ASSERT_TRUE(bool(created));
  executor = std::move(*created);
  int64_t n = 4;
  ASSERT_TRUE(bool(executor->launch("scale", {{1, 1, 1}, {32, 1, 1}},
                                    {buffer(), scalar(n)})));
  EXPECT_EQ(data, (std::vector<int32_t>{2, 4, 6, 8}));
}

/// Memory of a program, whose kernels get pointers as values.
struct ProgramTest : ExecutorTest {
  std::vector<int32_t> memory = std::vector<int32_t>(128, 1);
  std::vector<uint8_t> isWritten = std::vector<uint8_t>(64, 1);

  /// 16 elements, four more that a device has behind them, and 32 others.
  void SetUp() override {
    CPUExecutorOptions options;
    options.checkUninitialised = true;
    options.reachable = [this]() -> std::vector<ReachableMemory> {
      auto *begin = reinterpret_cast<uint8_t *>(memory.data());
      return {{begin, 64, 16, 0, "the first", isWritten.data()},
              {begin + 256, 128, 0, 32, "the second", nullptr}};
    };
    create(options);
  }
  /// What goes wrong where `scale` gets the element `at` and those behind it.
  std::vector<ExecutionFault> scale(int64_t at, int64_t n) {
    int32_t *pointer = memory.data() + at;
    auto result = executor->launch("scale", {{1, 1, 1}, {32, 1, 1}},
                                   {scalar(pointer), scalar(n)});
    EXPECT_TRUE(bool(result));
    return result->faults;
  }
};

TEST_F(ProgramTest, ArgumentsHaveTheBoundsOfWhatTheyPointInto) {
  EXPECT_TRUE(scale(4, 12).empty());
  EXPECT_EQ(memory[4], 2);
  EXPECT_TRUE(scale(64, 32).empty());
  std::vector<ExecutionFault> faults = scale(80, 17);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[1].kind, ExecutionFault::Kind::OutOfBounds);
  EXPECT_EQ(faults[0].message, "thread (16,0,0) of block (0,0,0) reads 4 bytes "
                               "at n[16], which has 16 elements");
}

TEST_F(ProgramTest, AccessesToSpareBytesAreMade) {
  std::vector<ExecutionFault> faults = scale(4, 16);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].kind, ExecutionFault::Kind::Stray);
  EXPECT_EQ(memory[19], 2);
}

TEST_F(ProgramTest, MarginsCanBeRead) {
  // Reads, and stores to what was read.
  for (int64_t at : {60, 96}) {
    std::vector<ExecutionFault> faults = scale(at, 1);
    ASSERT_EQ(faults.size(), 2u);
    EXPECT_EQ(faults[0].kind, ExecutionFault::Kind::Stray);
    EXPECT_EQ(faults[1].kind, ExecutionFault::Kind::OutOfBounds);
    EXPECT_EQ(memory[at], 1);
  }
}

TEST_F(ProgramTest, ABadAccessEndsTheKernel) {
  std::vector<ExecutionFault> faults = scale(112, 16);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].message,
            "thread (0,0,0) of block (0,0,0) reads 4 bytes "
            "at address 0x" +
                llvm::utohexstr(reinterpret_cast<uint64_t>(&memory[112]),
                                /*LowerCase=*/true) +
                ", which is no memory of the device");
  EXPECT_EQ(memory[113], 1);
}

TEST_F(ProgramTest, FindsReadsOfWhatNobodyHasWritten) {
  std::fill(isWritten.begin() + 8, isWritten.begin() + 16, 0);
  std::vector<ExecutionFault> faults = scale(1, 6);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, ExecutionFault::Kind::Uninitialised);
  EXPECT_EQ(faults[0].message,
            "thread (1,0,0) of block (0,0,0) reads 4 bytes at n[1], in the "
            "first, which nobody has written (and 1 more times at this place)");
  // The kernel has.
  EXPECT_TRUE(scale(1, 6).empty());
}

TEST_F(ExecutorTest, CountsSectors) {
  CPUExecutorOptions options;
  options.countSectorBytes = 32;
  create(options);
  data.assign(64, 1);
  int64_t n = 64;
  auto result =
      executor->launch("scale", {{1, 1, 1}, {64, 1, 1}}, {buffer(), scalar(n)});
  ASSERT_TRUE(bool(result));
  // Two subgroups load and store 128 bytes each and read one variable.
  EXPECT_EQ(result->globalSectors, 2u * (4 + 4 + 1));
  ASSERT_EQ(result->accesses.size(), 3u);
  EXPECT_EQ(result->accesses[0].array, "a");
  EXPECT_EQ(result->accesses[0].requests, 2u);
}

TEST_F(ExecutorTest, CountsByHalfSubgroups) {
  CPUExecutorOptions options;
  options.countSectorBytes = 32;
  options.coalescedThreads = 16;
  create(options);
  data.assign(64, 1);
  int64_t n = 64;
  auto result =
      executor->launch("scale", {{1, 1, 1}, {64, 1, 1}}, {buffer(), scalar(n)});
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->accesses[0].requests, 4u);
  EXPECT_EQ(result->accesses[0].sectors, 8u);
}

TEST_F(ExecutorTest, NotesStoresOfWhateverValue) {
  CPUExecutorOptions options;
  options.noteStores = true;
  create(options);
  int64_t n = 2;
  data = {0, 1, 2, 3};
  auto result =
      executor->launch("scale", {{1, 1, 1}, {32, 1, 1}}, {buffer(), scalar(n)});
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(data, (std::vector<int32_t>{0, 2, 2, 3}));
  ASSERT_EQ(result->stored.size(), 2u);
  std::vector<uint8_t> expected(16);
  std::fill_n(expected.begin(), 8, 1);
  EXPECT_EQ(result->stored[0], expected);
  EXPECT_TRUE(result->stored[1].empty());
}

TEST_F(ExecutorTest, RefusesWhatCannotRun) {
  create();
  int64_t n = 4;
  int32_t narrow = 4;
  LaunchConfig config{{1, 1, 1}, {32, 1, 1}};
  EXPECT_EQ(launchError("gone", config, {}), "no kernel 'gone' in the module");
  EXPECT_EQ(launchError("scale", config, {buffer()}),
            "kernel 'scale' takes 2 arguments, not 1");
  EXPECT_EQ(launchError("scale", config, {buffer(), scalar(narrow)}),
            "kernel 'scale': parameter 'n' has 8 bytes, the argument 4");
  EXPECT_EQ(launchError("scale", config, {buffer(), buffer()}),
            "kernel 'scale': parameter 'n' is not a pointer");
  EXPECT_EQ(
      launchError("scale", {{0, 1, 1}, {32, 1, 1}}, {buffer(), scalar(n)}),
      "kernel 'scale': the launch is empty");
  EXPECT_EQ(
      launchError("scale", {{1, 1, 1}, {64, 32, 1}}, {buffer(), scalar(n)}),
      "kernel 'scale': a block has 2048 threads; at most 1024 are possible");
}

TEST_F(ExecutorTest, OneExecutorCanFailAndGoOn) {
  create();
  EXPECT_NE(launchError("gone", {}, {}), "");
  EXPECT_NE(launchError("gone", {}, {}), "");
  EXPECT_EQ(launchError("other", {}, {buffer()}), "");
}

} // namespace
