//===- CPUExecutor.cpp - run target LLVM IR on the host -------------------===//
//
// The interface; the work is in runtime/CPU.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPUExecutor.h"
#include "runtime/CPU/KernelCompiler.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

struct CPUExecutor::Impl {
  std::unique_ptr<KernelCompiler> compiler;
};

CPUExecutor::CPUExecutor(std::unique_ptr<Impl> implementation)
    : impl(std::move(implementation)) {}

CPUExecutor::~CPUExecutor() = default;

static Error checkSubgroups(const CPUExecutorOptions &options) {
  if (isPowerOf2_32(options.subgroupSize) && options.subgroupSize <= 64)
    return Error::success();
  return createStringError("a subgroup of %u threads is not supported",
                           options.subgroupSize);
}

Expected<std::unique_ptr<CPUExecutor>>
CPUExecutor::create(const Module &module, const CPUExecutorOptions &options) {
  auto context = std::make_unique<LLVMContext>();
  auto copy = KernelCompiler::copyInto(*context, module);
  if (!copy)
    return copy.takeError();
  return create(std::move(*copy), std::move(context), options);
}

Expected<std::unique_ptr<CPUExecutor>>
CPUExecutor::create(std::unique_ptr<Module> module,
                    std::unique_ptr<LLVMContext> context,
                    const CPUExecutorOptions &options) {
  if (Error error = checkSubgroups(options))
    return error;
  auto compiler =
      KernelCompiler::create(std::move(module), std::move(context), options);
  if (!compiler)
    return compiler.takeError();
  auto impl = std::make_unique<Impl>();
  impl->compiler = std::move(*compiler);
  return std::unique_ptr<CPUExecutor>(new CPUExecutor(std::move(impl)));
}

/// The race check tells blocks apart by 32 bits, and no machine gets to the end
/// of more. A sample of them may be from any grid whose blocks can be counted.
static Error checkBlocks(const KernelFacts &facts, const Dim3 &grid,
                         const ProfileRun *profile) {
  constexpr int64_t maxBlocks = std::numeric_limits<uint32_t>::max() - 1;
  bool isSampled = profile && profile->sampledBlocks && !facts.usesGridBarrier;
  int64_t blocks = 1;
  bool isTooLarge = false;
  for (int64_t extent : grid)
    isTooLarge |= MulOverflow(blocks, extent, blocks);
  if (!isTooLarge && (isSampled || blocks <= maxBlocks))
    return Error::success();
  return createStringError(
      "kernel '%s': %lldx%lldx%lld blocks are more than the CPU executor can "
      "ever run; at most %lld are possible",
      facts.name.c_str(), (long long)grid[0], (long long)grid[1],
      (long long)grid[2], (long long)maxBlocks);
}

/// What a launch must satisfy before anything runs.
static Error checkLaunch(const KernelFacts &facts, const LaunchConfig &config,
                         ArrayRef<KernelArgument> arguments,
                         const ProfileRun *profile = nullptr) {
  const char *name = facts.name.c_str();
  constexpr int64_t maxThreads = 1024;
  int64_t threads = 1;
  for (size_t dim = 0; dim < 3; ++dim) {
    if (config.grid[dim] <= 0 || config.block[dim] <= 0)
      return createStringError("kernel '%s': the launch is empty", name);
    if (config.grid[dim] > INT32_MAX || config.block[dim] > maxThreads)
      return createStringError("kernel '%s': the launch is too large", name);
    threads *= config.block[dim];
  }
  if (threads > maxThreads)
    return createStringError("kernel '%s': a block has %lld threads; at most "
                             "%lld are possible",
                             name, (long long)threads, (long long)maxThreads);
  if (Error error = checkBlocks(facts, config.grid, profile))
    return error;
  if (auto violation = facts.blocks.findViolation(config.block))
    return createStringError("kernel '%s' cannot be launched: %s", name,
                             violation->c_str());
  if (config.dynamicSharedBytes < 0)
    return createStringError("kernel '%s': negative workgroup memory", name);
  if (arguments.size() != facts.parameters.size())
    return createStringError("kernel '%s' takes %zu arguments, not %zu", name,
                             facts.parameters.size(), arguments.size());
  for (auto [argument, parameter] : zip(arguments, facts.parameters)) {
    bool isBuffer = argument.kind == KernelArgument::Kind::Buffer;
    if (isBuffer && !parameter.isPointer)
      return createStringError("kernel '%s': parameter '%s' is not a pointer",
                               name, parameter.name.c_str());
    if (!isBuffer && argument.size != parameter.bytes)
      return createStringError(
          "kernel '%s': parameter '%s' has %llu bytes, the argument %zu", name,
          parameter.name.c_str(), (unsigned long long)parameter.bytes,
          argument.size);
  }
  return Error::success();
}

Expected<ExecutionResult>
CPUExecutor::launch(StringRef symbol, const LaunchConfig &config,
                    ArrayRef<KernelArgument> arguments) {
  auto kernel = impl->compiler->find(symbol);
  if (!kernel)
    return kernel.takeError();
  if (Error error = checkLaunch((*kernel)->facts, config, arguments))
    return error;
  LaunchRun run(**kernel, impl->compiler->options, config, arguments,
                impl->compiler->globals());
  return run.run();
}

Expected<ExecutionResult>
CPUExecutor::profile(StringRef symbol, const LaunchConfig &config,
                     ArrayRef<KernelArgument> arguments,
                     const ProfileRun &profile) {
  if (!impl->compiler->options.profile)
    return createStringError("the executor was not made to profile");
  auto kernel = impl->compiler->find(symbol);
  if (!kernel)
    return kernel.takeError();
  if (Error error = checkLaunch((*kernel)->facts, config, arguments, &profile))
    return error;
  LaunchRun run(**kernel, impl->compiler->options, config, arguments,
                impl->compiler->globals(), &profile);
  return run.run();
}

std::vector<ModuleVariable> CPUExecutor::globals() {
  std::vector<ModuleVariable> variables;
  for (const MemoryRange &variable : impl->compiler->globals())
    variables.push_back({variable.name,
                         {variable.begin, variable.bytes},
                         impl->compiler->holdsAddress(variable.name)});
  return variables;
}

void CPUExecutor::fillWorkgroupMemory(uint8_t byte) {
  impl->compiler->options.workgroupFill = byte;
}

void CPUExecutor::limitSeconds(double seconds) {
  impl->compiler->options.maxSeconds = seconds;
}

void CPUExecutor::limitSteps(uint64_t steps) {
  impl->compiler->options.maxSteps = steps;
}

Expected<MutableArrayRef<uint8_t>> CPUExecutor::global(StringRef symbol) {
  for (const MemoryRange &variable : impl->compiler->globals())
    if (variable.name == symbol)
      return MutableArrayRef<uint8_t>(variable.begin, variable.bytes);
  return createStringError("no variable '%s' in the module",
                           symbol.str().c_str());
}
