//===- HostRunner.cpp - run tuned kernels on a program's arrays -----------===//

#include "tools/lib/launch/HostRunner.h"

#include "tools/lib/launch/HostVariables.h"
#include "tools/lib/launch/LaunchArguments.h"
#include "tools/lib/launch/LaunchLimits.h"
#include "tools/lib/launch/MissingOptions.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/Support/MathExtras.h"

#include <chrono>
#include <cstring>

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

/// A program that launches with ever other sizes must not fill the memory.
static constexpr size_t kMostDecisions = 1024;

HostRunner::HostRunner(const Compilation &compilation,
                       std::function<void()> poll)
    : compilation(compilation), poll(std::move(poll)) {}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// An integer argument, sign-extended from its type where that has a sign.
static int64_t integerOf(const ElementType &type, const void *data) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, type.bytes);
  return type.kind == ElementKind::SignedInt && type.bytes < 8
             ? llvm::SignExtend64(bits, 8 * type.bytes)
             : static_cast<int64_t>(bits);
}

/// The arguments that are integers, by the parameters' names.
static SizeMap scalarsOf(const KernelInfo &kernel,
                         llvm::ArrayRef<KernelArgument> arguments) {
  SizeMap scalars;
  for (auto [parameter, argument] :
       llvm::zip_equal(kernel.parameters, arguments))
    if (!parameter.isPointer && isInteger(parameter.element) &&
        parameter.element.lanes == 1)
      scalars[parameter.name] = integerOf(parameter.element, argument.data);
  return scalars;
}

static AddressMap addressesOf(const KernelInfo &kernel,
                              llvm::ArrayRef<KernelArgument> arguments) {
  AddressMap addresses;
  for (auto [parameter, argument] :
       llvm::zip_equal(kernel.parameters, arguments))
    if (parameter.isPointer && argument.kind == KernelArgument::Kind::Scalar)
      std::memcpy(&addresses[parameter.name], argument.data, sizeof(uint64_t));
    else if (parameter.isPointer)
      addresses[parameter.name] = reinterpret_cast<uintptr_t>(argument.data);
  return addresses;
}

static Error checkPositive(const char *what, const Dim3 &shape) {
  if (llvm::all_of(shape, [](int64_t extent) { return extent > 0; }))
    return Error::success();
  return llvm::createStringError(
      "the " + llvm::Twine(what) + " is " + llvm::Twine(shape[0]) + "x" +
      llvm::Twine(shape[1]) + "x" + llvm::Twine(shape[2]) +
      ": there is nothing to launch");
}

/// The launch of the kernel as it is written.
static Expected<LaunchConfig> completeLaunch(const Compilation &compilation,
                                             const KernelInfo &kernel,
                                             const WantedLaunch &wanted,
                                             const SizeMap &scalars) {
  LaunchConfig config;
  config.dynamicSharedBytes = wanted.dynamicSharedBytes;
  config.block = wanted.block.value_or(compilation.defaultBlock(kernel));
  if (Error error = checkPositive("block", config.block))
    return error;
  if (wanted.grid) {
    config.grid = *wanted.grid;
    if (Error error = checkPositive("grid", config.grid))
      return error;
    return config;
  }
  auto domain = launchDomain(compilation, kernel, scalars);
  if (!domain)
    return domain.takeError();
  if (domain->empty())
    return llvm::createStringError(
        "kernel '" + kernel.displayName +
        "' does not say how many work items it is for: give it a grid");
  config.grid = gridOver(*domain, config.block);
  return config;
}

Expected<HostRunner::Decision>
HostRunner::computeDecision(const KernelInfo &kernel,
                            const WantedLaunch &wanted, const SizeMap &scalars,
                            const AddressMap &addresses) const {
  auto config = completeLaunch(compilation, kernel, wanted, scalars);
  if (!config)
    return config.takeError();
  if (Error error = checkLaunch(compilation, kernel, *config))
    return error;
  return compilation.launches(kernel, scalars, *config, addresses);
}

/// All that a decision depends on, as bytes.
static std::string keyOf(const KernelInfo &kernel, const WantedLaunch &wanted,
                         const SizeMap &scalars, const AddressMap &addresses) {
  std::string key;
  auto append = [&](const auto &value) {
    key.append(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  auto appendShape = [&](const std::optional<Dim3> &shape) {
    append(shape.has_value());
    append(shape.value_or(Dim3()));
  };
  append(&kernel);
  appendShape(wanted.grid);
  appendShape(wanted.block);
  append(wanted.dynamicSharedBytes);
  for (const KernelParameter &parameter : kernel.parameters)
    append(parameter.isPointer ? addresses.lookup(parameter.name)
                               : uint64_t(scalars.lookup(parameter.name)));
  return key;
}

Expected<const HostRunner::Decision *>
HostRunner::find(const KernelInfo &kernel, const WantedLaunch &wanted,
                 llvm::ArrayRef<KernelArgument> arguments) {
  SizeMap scalars = scalarsOf(kernel, arguments);
  AddressMap addresses = addressesOf(kernel, arguments);
  std::string key = keyOf(kernel, wanted, scalars, addresses);
  if (auto known = decisions.find(key); known != decisions.end())
    return &known->second;
  auto decision = computeDecision(kernel, wanted, scalars, addresses);
  if (!decision)
    return decision.takeError();
  if (decisions.size() >= kMostDecisions)
    decisions.clear();
  return &decisions.emplace(std::move(key), std::move(*decision)).first->second;
}

/// Whether `scalars` has a value for each integer of the kernel.
static Error checkScalars(const KernelInfo &kernel, const SizeMap &scalars) {
  for (const KernelParameter &parameter : kernel.parameters)
    if (!parameter.isPointer && isInteger(parameter.element) &&
        parameter.element.lanes == 1 && !scalars.count(parameter.name))
      return llvm::createStringError("there is no value for '" +
                                     parameter.name + "'");
  return Error::success();
}

Expected<std::vector<KernelLaunch>>
HostRunner::decide(const KernelInfo &kernel, const WantedLaunch &wanted,
                   const SizeMap &scalars) const {
  if (Error error = checkScalars(kernel, scalars))
    return error;
  return computeDecision(kernel, wanted, scalars, AddressMap());
}

Expected<std::vector<KernelLaunch>>
HostRunner::decide(const KernelInfo &kernel, const WantedLaunch &wanted,
                   llvm::ArrayRef<KernelArgument> arguments) {
  auto decision = find(kernel, wanted, arguments);
  if (!decision)
    return decision.takeError();
  return **decision;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

Expected<CPUExecutor *> HostRunner::executor() {
  if (made)
    return made.get();
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = compilation.lowered(*context);
  if (!module)
    return module.takeError();
  CPUExecutorOptions options;
  options.subgroupSize = compilation.target().getSubgroupSize();
  options.printsOutput = true;
  options.stop = &stop;
  // Whoever calls waits as long as it likes, and may interrupt.
  options.maxSeconds = 0;
  options.maxSteps = 0;
  if (poll)
    options.progress = [this](int64_t, int64_t) { poll(); };
  auto created =
      CPUExecutor::create(std::move(*module), std::move(context), options);
  if (!created)
    return created.takeError();
  made = std::move(*created);
  return made.get();
}

Expected<ExecutionResult>
HostRunner::launch(const KernelInfo &kernel, const WantedLaunch &wanted,
                   llvm::ArrayRef<KernelArgument> arguments) {
  auto decision = find(kernel, wanted, arguments);
  if (!decision)
    return decision.takeError();
  Expected<CPUExecutor *> runner = executor();
  if (!runner)
    return runner.takeError();
  stop = false;
  ExecutionResult result;
  for (const KernelLaunch &launch : **decision) {
    std::vector<KernelArgument> own = argumentsOf(launch, arguments);
    auto begin = std::chrono::steady_clock::now();
    auto run = (*runner)->launch(launch.symbol, launch.config, own);
    kernelSeconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    if (!run)
      return run.takeError();
    result = std::move(*run);
    if (!result.faults.empty())
      break;
  }
  return result;
}

Expected<llvm::MutableArrayRef<uint8_t>>
HostRunner::variable(llvm::StringRef name) {
  Expected<CPUExecutor *> runner = executor();
  if (!runner)
    return runner.takeError();
  for (const HostVariable &variable : findHostVariables(compilation))
    if (variable.name == name)
      return (*runner)->global(variable.symbol);
  return llvm::createStringError("no variable '" + name +
                                 "' that the host can set");
}
