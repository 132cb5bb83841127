//===- CPUDriver.cpp - a CUDA and HIP driver that runs on the CPU ---------===//
//
// The functions of DriverFunctions.def, by both names, on top of the CPU
// executor, so that the runner of the benchmarks can be tried end to end where
// no GPU is. A module is a file of LLVM IR. Everything is done when a call
// returns; the times that events tell are those of the host and say nothing of
// a GPU.
//
// An access that the executor finds wrong makes the launch, and all calls after
// it, fail, as an illegal address does on a GPU.
//
//===----------------------------------------------------------------------===//

#include "bench/runner/Attributes.h"
#include "runtime/CPUExecutor.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace gpuopt;

namespace {

using bench::DevicePointer;
enum Status {
  Success = 0,
  InvalidValue = 1,
  InvalidImage = 200,
  NotFound = 500,
  Fault = 700
};

struct Module {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> ir;
  std::unique_ptr<CPUExecutor> executor;
};

struct Function {
  Module *module;
  llvm::Function *ir;
};

struct State {
  std::map<DevicePointer, size_t> allocations;
  std::vector<std::unique_ptr<Function>> functions;
  bool isBroken = false;
};

State &state() {
  static State instance;
  return instance;
}

int complain(const llvm::Twine &text, Status status) {
  llvm::errs() << "gpuopt-cpu-driver: " << text << "\n";
  return status;
}

void *hostPointer(DevicePointer pointer) {
  return reinterpret_cast<void *>(pointer);
}

/// Bytes from `pointer` to the end of its allocation; 0 where it has none.
size_t bytesBehind(DevicePointer pointer) {
  auto next = state().allocations.upper_bound(pointer);
  if (next == state().allocations.begin())
    return 0;
  auto [begin, bytes] = *std::prev(next);
  return pointer < begin + bytes ? begin + bytes - pointer : 0;
}

bool holds(DevicePointer pointer, size_t bytes) {
  return !bytes || bytesBehind(pointer) >= bytes;
}

/// The IR does not tell; GPUOPT_CPU_DRIVER_SUBGROUP does, 32 where it is not set.
unsigned subgroupSize() {
  const char *text = std::getenv("GPUOPT_CPU_DRIVER_SUBGROUP");
  return text ? unsigned(std::strtoul(text, nullptr, 10)) : 32;
}

} // namespace

extern "C" {

int cuInit(unsigned) { return Success; }

int cuDriverGetVersion(int *version) {
  *version = 0;
  return Success;
}

int cuGetErrorString(int error, const char **text) {
  *text = error == Fault          ? "a kernel did something wrong"
          : error == InvalidImage ? "not LLVM IR that the executor can run"
          : error == NotFound     ? "no such kernel"
                                  : "invalid value";
  return Success;
}

int cuDeviceGet(int *device, int) {
  *device = 0;
  return Success;
}

int cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "gpuopt CPU executor (dry run)", size);
  return Success;
}

/// All 0 but the size of the L2 cache, which makes more than one set of arrays.
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == bench::L2Bytes.cuda ? 1 << 14 : 0;
  return Success;
}
int hipDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == bench::L2Bytes.hip ? 1 << 14 : 0;
  return Success;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &state();
  return Success;
}

int cuCtxSetCurrent(void *) { return Success; }

int cuCtxSynchronize() { return state().isBroken ? Fault : Success; }

int cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory)
    return InvalidValue;
  *pointer = reinterpret_cast<DevicePointer>(memory);
  state().allocations[*pointer] = bytes;
  return Success;
}

int cuMemFree_v2(DevicePointer pointer) {
  if (!state().allocations.erase(pointer))
    return InvalidValue;
  std::free(hostPointer(pointer));
  return Success;
}

int cuMemsetD8_v2(DevicePointer pointer, unsigned char value, size_t bytes) {
  if (!holds(pointer, bytes))
    return InvalidValue;
  std::memset(hostPointer(pointer), value, bytes);
  return Success;
}

int cuMemcpyHtoD_v2(DevicePointer to, const void *from, size_t bytes) {
  if (!holds(to, bytes))
    return InvalidValue;
  std::memcpy(hostPointer(to), from, bytes);
  return Success;
}

int cuMemcpyDtoH_v2(void *to, DevicePointer from, size_t bytes) {
  if (!holds(from, bytes))
    return InvalidValue;
  std::memcpy(to, hostPointer(from), bytes);
  return Success;
}

int cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes,
                         void *) {
  if (!holds(to, bytes) || !holds(from, bytes))
    return InvalidValue;
  std::memmove(hostPointer(to), hostPointer(from), bytes);
  return Success;
}

int cuModuleLoad(void **handle, const char *path) {
  auto module = std::make_unique<Module>();
  llvm::SMDiagnostic diagnostic;
  module->ir = llvm::parseIRFile(path, diagnostic, module->context);
  if (!module->ir)
    return complain(llvm::Twine(path) + ": " + diagnostic.getMessage(),
                    InvalidImage);
  CPUExecutorOptions options;
  options.subgroupSize = subgroupSize();
  auto executor = CPUExecutor::create(*module->ir, options);
  if (!executor)
    return complain(llvm::toString(executor.takeError()), InvalidImage);
  module->executor = std::move(*executor);
  *handle = module.release();
  return Success;
}

int cuModuleUnload(void *handle) {
  auto *module = static_cast<Module *>(handle);
  llvm::erase_if(state().functions,
                 [&](const auto &entry) { return entry->module == module; });
  delete module;
  return Success;
}

int cuModuleGetFunction(void **handle, void *module, const char *name) {
  auto *owner = static_cast<Module *>(module);
  llvm::Function *ir = owner->ir->getFunction(name);
  if (!ir || ir->isDeclaration())
    return NotFound;
  state().functions.push_back(std::make_unique<Function>(Function{owner, ir}));
  *handle = state().functions.back().get();
  return Success;
}

int cuFuncSetAttribute(void *, int, int) { return Success; }

int cuLaunchKernel(void *handle, unsigned gridX, unsigned gridY, unsigned gridZ,
                   unsigned blockX, unsigned blockY, unsigned blockZ,
                   unsigned sharedBytes, void *, void **values, void **) {
  if (state().isBroken)
    return Fault;
  auto &function = *static_cast<Function *>(handle);
  LaunchConfig config{
      {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes};
  std::vector<KernelArgument> arguments;
  for (llvm::Argument &parameter : function.ir->args()) {
    void *value = values[parameter.getArgNo()];
    KernelArgument argument;
    argument.name = "argument " + std::to_string(parameter.getArgNo());
    if (parameter.getType()->isPointerTy()) {
      DevicePointer pointer;
      std::memcpy(&pointer, value, sizeof(pointer));
      argument.kind = KernelArgument::Kind::Buffer;
      argument.data = hostPointer(pointer);
      argument.size = bytesBehind(pointer);
    } else {
      argument.data = value;
      argument.size = function.module->ir->getDataLayout().getTypeAllocSize(
          parameter.getType());
    }
    arguments.push_back(std::move(argument));
  }
  auto result = function.module->executor->launch(function.ir->getName(),
                                                  config, arguments);
  if (!result)
    return complain(llvm::toString(result.takeError()), InvalidValue);
  for (const ExecutionFault &fault : result->faults)
    complain(fault.message, Fault);
  state().isBroken = !result->faults.empty();
  return state().isBroken ? Fault : Success;
}

using Time = std::chrono::steady_clock::time_point;

int cuEventCreate(void **event, unsigned) {
  *event = new Time();
  return Success;
}

int cuEventRecord(void *event, void *) {
  *static_cast<Time *>(event) = std::chrono::steady_clock::now();
  return Success;
}

int cuEventSynchronize(void *) { return Success; }

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  std::chrono::duration<float, std::milli> time =
      *static_cast<Time *>(end) - *static_cast<Time *>(start);
  *milliseconds = time.count();
  return Success;
}

// HIP's names for the same. The parameters agree (DriverFunctions.def).
#define ALIAS(hip, cuda, parameters)                                           \
  int hip parameters __attribute__((alias(#cuda)));
ALIAS(hipInit, cuInit, (unsigned))
ALIAS(hipDriverGetVersion, cuDriverGetVersion, (int *))
ALIAS(hipDrvGetErrorString, cuGetErrorString, (int, const char **))
ALIAS(hipDeviceGet, cuDeviceGet, (int *, int))
ALIAS(hipDeviceGetName, cuDeviceGetName, (char *, int, int))
ALIAS(hipDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (void **, int))
ALIAS(hipCtxSetCurrent, cuCtxSetCurrent, (void *))
ALIAS(hipDeviceSynchronize, cuCtxSynchronize, ())
ALIAS(hipMalloc, cuMemAlloc_v2, (DevicePointer *, size_t))
ALIAS(hipFree, cuMemFree_v2, (DevicePointer))
ALIAS(hipMemsetD8, cuMemsetD8_v2, (DevicePointer, unsigned char, size_t))
ALIAS(hipMemcpyHtoD, cuMemcpyHtoD_v2, (DevicePointer, const void *, size_t))
ALIAS(hipMemcpyDtoH, cuMemcpyDtoH_v2, (void *, DevicePointer, size_t))
ALIAS(hipMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2,
      (DevicePointer, DevicePointer, size_t, void *))
ALIAS(hipModuleLoad, cuModuleLoad, (void **, const char *))
ALIAS(hipModuleUnload, cuModuleUnload, (void *))
ALIAS(hipModuleGetFunction, cuModuleGetFunction,
      (void **, void *, const char *))
ALIAS(hipFuncSetAttribute, cuFuncSetAttribute, (void *, int, int))
ALIAS(hipModuleLaunchKernel, cuLaunchKernel,
      (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
       unsigned, void *, void **, void **))
ALIAS(hipEventCreateWithFlags, cuEventCreate, (void **, unsigned))
ALIAS(hipEventRecord, cuEventRecord, (void *, void *))
ALIAS(hipEventSynchronize, cuEventSynchronize, (void *))
ALIAS(hipEventElapsedTime, cuEventElapsedTime, (float *, void *, void *))

} // extern "C"
