//===- Launches.cpp - kernels are launched --------------------------------===//
//
// A launch takes the tuned kernel where the rules that the compiler has left
// allow it, and the original one else.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/HostPosition.h"
#include "runtime/CUDA/KernelLimits.h"
#include "runtime/CUDA/LaunchProfile.h"
#include "runtime/CUDA/Sanitize.h"
#include "runtime/CUDA/StreamScope.h"
#include "runtime/CUDA/Wishes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace gpuopt;
using namespace gpuopt::cuda;

//===----------------------------------------------------------------------===//
// Behind `<<<…>>>`
//===----------------------------------------------------------------------===//

namespace {
struct CallConfiguration {
  dim3 grid, block;
  size_t bytes;
  void *stream;
};
} // namespace

/// An argument's expression may itself contain a launch. Not destroyed:
/// programs launch in their last functions, too.
static std::vector<CallConfiguration> &configurations() {
  static thread_local auto *all = new std::vector<CallConfiguration>();
  return *all;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes,
                                     void *stream) {
  configurations().push_back({grid, block, bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *bytes,
                                       void *stream) {
  if (configurations().empty())
    return remember(cudaErrorMissingConfiguration);
  CallConfiguration top = configurations().back();
  configurations().pop_back();
  *grid = top.grid;
  *block = top.block;
  *bytes = top.bytes;
  std::memcpy(stream, &top.stream, sizeof top.stream);
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static LaunchConfig configOf(dim3 grid, dim3 block, size_t bytes) {
  LaunchConfig config;
  config.grid = {grid.x, grid.y, grid.z};
  config.block = {block.x, block.y, block.z};
  config.dynamicSharedBytes = bytes;
  return config;
}

/// Whether all blocks of a launch run at the same time. A GPU's driver knows.
static bool runsTogether(const LaunchConfig &config, const LaunchRules &rules,
                         const DeviceDescription &device) {
  int64_t threads = config.block[0] * config.block[1] * config.block[2];
  int64_t blocks = config.grid[0] * config.grid[1] * config.grid[2];
  return blocks <=
         device.multiprocessors *
             residentBlocks(device, threads,
                            config.dynamicSharedBytes + rules.workgroupBytes);
}

/// Whether the device can start such a grid of such blocks at all.
static bool isPossible(const LaunchConfig &config, const Kernel &kernel,
                       const LaunchRules &rules, Program &program) {
  const DeviceDescription &device = program.device();
  int64_t threads = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    int64_t most = dim == 0 ? INT32_MAX : kMostBlocksAlongYOrZ;
    int64_t mostThreads = dim == 2 ? 64 : device.threadsPerWorkgroup;
    if (config.grid[dim] <= 0 || config.grid[dim] > most ||
        config.block[dim] <= 0 || config.block[dim] > mostThreads)
      return false;
    threads *= config.block[dim];
  }
  return threads <= device.threadsPerWorkgroup &&
         config.dynamicSharedBytes <= mostDynamicBytes(kernel, rules) &&
         config.dynamicSharedBytes + rules.workgroupBytes <=
             mostSharedBytes(program);
}

/// Whether the kernel has been compiled for blocks of so many threads.
static bool isWithinBounds(const LaunchConfig &config,
                           const LaunchRules &rules) {
  return !rules.mostThreads ||
         config.block[0] * config.block[1] * config.block[2] <=
             *rules.mostThreads;
}

/// The values of arguments that fit a number, each as its parameter's bytes
/// have it. Rules ask for those that are integers.
static std::vector<std::optional<int64_t>> valuesOf(const LaunchRules &rules,
                                                    void **arguments) {
  std::vector<std::optional<int64_t>> values;
  for (const ParameterRule &parameter : rules.parameters) {
    uint64_t value = 0;
    if (parameter.isPointer || parameter.bytes == 0 ||
        parameter.bytes > sizeof value) {
      values.push_back(std::nullopt);
      continue;
    }
    std::memcpy(&value, parameter.placeIn(arguments), parameter.bytes);
    values.push_back(llvm::SignExtend64(value, 8 * parameter.bytes));
  }
  return values;
}

static std::vector<std::optional<uint64_t>>
addressesOf(const LaunchRules &rules, void **arguments) {
  std::vector<std::optional<uint64_t>> addresses;
  for (const ParameterRule &parameter : rules.parameters) {
    uint64_t address = 0;
    if (parameter.isPointer)
      std::memcpy(&address, parameter.placeIn(arguments), sizeof address);
    addresses.push_back(parameter.isPointer ? std::optional<uint64_t>(address)
                                            : std::nullopt);
  }
  return addresses;
}

static std::vector<ArrayArgument> arraysOf(const LaunchRules &rules,
                                           void **arguments) {
  std::vector<ArrayArgument> arrays;
  for (const ParameterRule &parameter : rules.parameters)
    if (parameter.isPointer) {
      const uint8_t *array = nullptr;
      std::memcpy(&array, parameter.placeIn(arguments), sizeof array);
      arrays.push_back({parameter.name, array, parameter.elementBytes});
    }
  return arrays;
}

/// Runs the kernel that `record` has decided for, and checks it where that is
/// wanted. What goes wrong in it is the program's sticky error.
static llvm::Error run(Program &program, Kernel &kernel,
                       const LaunchRules &rules, void **arguments,
                       LaunchRecord &record) {
  std::vector<KernelArgument> values;
  for (const ParameterRule &parameter : rules.parameters)
    values.push_back({KernelArgument::Kind::Scalar,
                      parameter.placeIn(arguments), parameter.bytes,
                      parameter.name});
  auto runOn = [&](CPUExecutor &executor, llvm::StringRef symbol,
                   const LaunchConfig &config) -> llvm::Expected<cudaError_t> {
    auto result = executor.launch(symbol, config, values);
    if (!result)
      return result.takeError();
    record.faults = std::move(result->faults);
    record.skippedRaces = result->skippedRaces;
    sayFaults(record);
    return errorOf(record.faults);
  };
  const std::optional<LaunchConfig> &tuned = record.decision.tuned;
  auto runOriginal = [&](CPUExecutor &executor) {
    return runOn(executor, rules.symbol, record.original);
  };
  auto runTuned = [&](CPUExecutor &executor) {
    return runOn(executor, tuned ? rules.symbol : rules.fallback,
                 tuned.value_or(record.original));
  };
  auto profileOriginal = [&](CPUExecutor &executor, const ProfileRun &how) {
    return executor.profile(rules.symbol, record.original, values, how);
  };
  auto profileTuned = [&](CPUExecutor &executor, const ProfileRun &how) {
    return executor.profile(tuned ? rules.symbol : rules.fallback,
                            tuned.value_or(record.original), values, how);
  };
  const Wishes &wishes = Wishes::get();
  if (record.isSampled && wishes.profiles) {
    if (llvm::Error error = profileLaunch(program, *kernel.code, record,
                                          profileOriginal, profileTuned))
      return error;
    program.memory.noteAllWritten();
  } else if (record.isSampled && wishes.checks) {
    if (llvm::Error error =
            checkLaunch(program, *kernel.code, record, runOriginal, runTuned))
      return error;
  } else if (record.isSampled) {
    if (llvm::Error error = sanitizeLaunch(*kernel.code, record, runOriginal))
      return error;
  } else {
    auto executor = kernel.code->executor();
    if (!executor)
      return executor.takeError();
    auto fault = runTuned(**executor);
    if (!fault)
      return fault.takeError();
    record.error = *fault;
    program.memory.noteAllWritten();
  }
  program.stickyError = record.error;
  return llvm::Error::success();
}

/// Starts the kernel that `record` has decided for on the GPU.
static cudaError_t runOnGPU(GPU &gpu, Kernel &kernel, const LaunchRules &rules,
                            void **arguments, LaunchRecord &record) {
  auto start = [&](llvm::StringRef symbol, const LaunchConfig &config) {
    auto function = kernel.code->function(gpu, symbol);
    return function
               ? gpu.launch(*function, config, arguments, record.isCooperative)
               : report(function.takeError(), cudaErrorInvalidKernelImage);
  };
  if (const std::optional<LaunchConfig> &tuned = record.decision.tuned) {
    cudaError_t error = start(rules.symbol, *tuned);
    // It may want more of a multiprocessor than the original kernel.
    bool isTooLarge = error == cudaErrorCooperativeLaunchTooLarge ||
                      error == cudaErrorLaunchOutOfResources;
    if (!isTooLarge)
      return error;
    record.isTuned = false;
  }
  return start(rules.fallback, record.original);
}

/// Launches `kernel`, of which `record` has the launch. The error is the
/// launch's own; what goes wrong in the kernel the next call tells.
static cudaError_t launch(Program &program, Kernel &kernel, void **arguments,
                          LaunchRecord &record) {
  if (llvm::Error error = kernel.code->load())
    return report(std::move(error), cudaErrorInvalidKernelImage);
  const LaunchRules *rules = kernel.code->rules(kernel.symbol);
  if (!rules)
    return cudaErrorInvalidDeviceFunction;
  if (!isPossible(record.original, kernel, *rules, program))
    return cudaErrorInvalidConfiguration;
  if (!isWithinBounds(record.original, *rules))
    return cudaErrorInvalidValue;
  if (record.isCooperative && !program.gpu() &&
      !runsTogether(record.original, *rules, program.device()))
    return cudaErrorCooperativeLaunchTooLarge;
  record.decision =
      decideLaunch(*rules, valuesOf(*rules, arguments),
                   addressesOf(*rules, arguments), record.original);
  record.isTuned = rules->isTuned() && record.decision.tuned;
  record.arrays = arraysOf(*rules, arguments);
  if (GPU *gpu = program.gpu())
    return runOnGPU(*gpu, kernel, *rules, arguments, record);
  // A kernel that cannot run here is no launch that a program may pass over:
  // nothing that follows would be right.
  if (llvm::Error error = run(program, kernel, *rules, arguments, record)) {
    program.stickyError = cudaErrorLaunchFailure;
    return report(std::move(error), cudaErrorLaunchFailure);
  }
  return cudaSuccess;
}

static cudaError_t launchNow(const void *stub, dim3 grid, dim3 block,
                             void **arguments, size_t bytes,
                             bool isCooperative) {
  return call([&](Program &program) {
    Kernel *kernel = program.findKernel(stub);
    if (!kernel)
      return cudaErrorInvalidDeviceFunction;
    LaunchRecord record;
    record.kernel = kernel->symbol;
    record.number = ++program.launches;
    record.isSampled = Wishes::get().includes(kernel->launches++);
    if (Wishes::get().sanitizes)
      record.position = hostPosition();
    record.original = configOf(grid, block, bytes);
    record.isCooperative = isCooperative;
    cudaError_t error = launch(program, *kernel, arguments, record);
    if (error != cudaSuccess)
      record.error = error;
    note(record);
    return error;
  });
}

/// Of all parameters of a kernel together, on any device.
static constexpr size_t kMostParameterBytes = 32764;

/// Of each argument as many bytes as the kernel looks at. A driver copies what
/// lies behind them in a structure, too.
static void keepArguments(const LaunchRules &rules, void **arguments,
                          KeptLaunch::Arguments &kept) {
  std::vector<std::vector<uint8_t>> &values = kept.values;
  for (const ParameterRule &parameter : rules.parameters) {
    if (values.size() <= parameter.argument)
      values.resize(parameter.argument + 1);
    uint64_t end = parameter.offset + parameter.bytes;
    auto *argument = static_cast<uint8_t *>(arguments[parameter.argument]);
    if (values[parameter.argument].size() < end)
      values[parameter.argument].assign(argument, argument + end);
  }
  for (std::vector<uint8_t> &value : values) {
    value.reserve(value.size() + kMostParameterBytes);
    kept.places.push_back(value.data());
  }
}

NodeWork gpuopt::cuda::makeLaunch(const void *stub, dim3 grid, dim3 block,
                                  void **arguments, size_t bytes,
                                  bool isCooperative) {
  KeptLaunch kept;
  kept.arguments = std::make_shared<KeptLaunch::Arguments>();
  cudaError_t error = call([&](Program &program) {
    Kernel *kernel = program.findKernel(stub);
    const LaunchRules *rules = kernel ? rulesOf(*kernel) : nullptr;
    if (!rules)
      return cudaErrorInvalidDeviceFunction;
    keepArguments(*rules, arguments, *kept.arguments);
    return cudaSuccess;
  });
  kept.isCooperative = isCooperative;
  kept.launch = {const_cast<void *>(stub),
                 grid,
                 block,
                 unsigned(bytes),
                 kept.arguments->places.data(),
                 /*extra=*/nullptr};
  auto operation = [=] {
    return error == cudaSuccess
               ? launchNow(stub, grid, block, kept.arguments->places.data(),
                           bytes, isCooperative)
               : remember(error);
  };
  return {operation, kept};
}

static cudaError_t launch(const void *stub, dim3 grid, dim3 block,
                          void **arguments, size_t bytes, cudaStream_t stream,
                          bool isCooperative) {
  if (isCaptured(stream)) {
    NodeWork work =
        makeLaunch(stub, grid, block, arguments, bytes, isCooperative);
    return enqueue(stream, cudaGraphNodeTypeKernel, std::move(work.operation),
                   std::move(work.parameters));
  }
  StreamScope scope(stream);
  return launchNow(stub, grid, block, arguments, bytes, isCooperative);
}

cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block,
                             void **arguments, size_t bytes,
                             cudaStream_t stream) {
  return launch(stub, grid, block, arguments, bytes, stream,
                /*isCooperative=*/false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid, dim3 block,
                                        void **arguments, size_t bytes,
                                        cudaStream_t stream) {
  return launch(stub, grid, block, arguments, bytes, stream,
                /*isCooperative=*/true);
}

/// Whether a launch is the same with it: launches are made one after the other.
static bool changesNothing(const cudaLaunchAttribute &attribute) {
  const cudaLaunchAttributeValue &value = attribute.val;
  switch (attribute.id) {
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeCooperative:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeProgrammaticStreamSerialization:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return true;
  case cudaLaunchAttributeClusterDimension:
    return value.clusterDim.x == 1 && value.clusterDim.y == 1 &&
           value.clusterDim.z == 1;
  default:
    return false;
  }
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *stub, void **arguments) {
  if (!config || (config->numAttrs && !config->attrs))
    return remember(cudaErrorInvalidValue);
  llvm::ArrayRef attributes(config->attrs, config->numAttrs);
  if (!llvm::all_of(attributes, changesNothing))
    return remember(cudaErrorNotSupported);
  bool isCooperative =
      llvm::any_of(attributes, [](const cudaLaunchAttribute &attribute) {
        return attribute.id == cudaLaunchAttributeCooperative &&
               attribute.val.cooperative;
      });
  return launch(stub, config->gridDim, config->blockDim, arguments,
                config->dynamicSmemBytes, config->stream, isCooperative);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                               void *data) {
  // It may call the API in other threads, and wait for them.
  cudaError_t error = call([](Program &) { return cudaSuccess; });
  if (error != cudaSuccess)
    return error;
  return enqueue(stream, cudaGraphNodeTypeHost,
                 callLater([=] { function(data); }));
}
