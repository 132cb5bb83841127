//===- PTXDriver.cpp - a CUDA driver that runs on the CPU -----------------===//
//
// The functions of runtime/CUDA/DriverFunctions.def for tests of programs where
// there is no GPU: PTX is read again and run by the CPU executor. It is as
// strict as a GPU where a program, or the runtime, may be wrong about one:
//
// * memory of the device cannot be touched but by this driver;
// * nothing that is put on a stream happens before somebody has to wait for it.
//
// GPUOPT_PTX_DRIVER_CAPABILITY is the compute capability, 90 where it is not
// set.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportPTX/ImportPTX.h"
#include "dialects/GPUOpt/GPUOptDialect.h"
#include "dialects/GPUOpt/KnownTargets.h"
#include "runtime/CPUExecutor.h"

#include "mlir/IR/MLIRContext.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <sys/mman.h>

using namespace gpuopt;

namespace {

using Address = unsigned long long;
using Clock = std::chrono::steady_clock;

enum Status {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidImage = 200,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  Assert = 710,
  MisalignedAddress = 716,
  LaunchFailed = 719
};

constexpr uint64_t kPage = 4096;
constexpr uint64_t kDeviceBytes = uint64_t(4) << 30;

enum class Kind { Device, Managed, Host, Registered };

struct Allocation {
  uint64_t bytes = 0;
  Kind kind = Kind::Device;
};

struct Module {
  std::unique_ptr<ImportedSource> source;
  std::unique_ptr<CPUExecutor> executor;
};

struct Function {
  Module *module = nullptr;
  llvm::Function *ir = nullptr;
};

struct Event {
  std::optional<Clock::time_point> time;
  bool isPending = false;
};

struct State {
  std::map<Address, Allocation> allocations;
  std::deque<Function> functions;
  std::set<void *> streams;
  std::set<Event *> events;
  /// What streams have to do, in the order in which they were asked to.
  std::deque<std::function<void()>> work;
  /// What a kernel has done wrong ends everything.
  int error = Success;
};

State &state() {
  static State &instance = *new State();
  return instance;
}

uint64_t pagesOf(uint64_t bytes) {
  return std::max<uint64_t>((bytes + kPage - 1) / kPage, 1) * kPage;
}

uint8_t *pointerTo(Address address) {
  return reinterpret_cast<uint8_t *>(address);
}

/// While one lives, the device's memory can be touched.
class DeviceAccess {
public:
  DeviceAccess() { protect(PROT_READ | PROT_WRITE); }
  ~DeviceAccess() { protect(PROT_NONE); }

private:
  static void protect(int how) {
    for (auto [address, allocation] : state().allocations)
      if (allocation.kind == Kind::Device)
        mprotect(pointerTo(address), pagesOf(allocation.bytes), how);
  }
};

/// The allocation that `address` lies in.
const Allocation *find(Address address, uint64_t *offset = nullptr) {
  auto next = state().allocations.upper_bound(address);
  if (next == state().allocations.begin())
    return nullptr;
  const auto &[begin, allocation] = *std::prev(next);
  if (address >= begin + allocation.bytes)
    return nullptr;
  if (offset)
    *offset = address - begin;
  return &allocation;
}

/// Whether a range does not leave the allocation that it begins in.
bool fits(Address address, uint64_t bytes) {
  uint64_t offset = 0;
  const Allocation *allocation = find(address, &offset);
  return !allocation || bytes <= allocation->bytes - offset;
}

int complain(const llvm::Twine &text, int status) {
  llvm::errs() << "gpuopt-ptx-driver: " << text << '\n';
  return status;
}

/// Does all that streams have to do.
int finish() {
  while (!state().work.empty()) {
    std::function<void()> next = std::move(state().work.front());
    state().work.pop_front();
    next();
  }
  return state().error;
}

int enqueue(void *stream, std::function<void()> work) {
  if (state().error)
    return state().error;
  // The two streams that there are without being made have small numbers.
  if (reinterpret_cast<uintptr_t>(stream) > 2 &&
      !state().streams.contains(stream))
    return InvalidHandle;
  state().work.push_back(std::move(work));
  return Success;
}

uint8_t *mapPages(uint64_t bytes, int protection) {
  void *pages = mmap(nullptr, pagesOf(bytes), protection,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<uint8_t *>(pages);
}

int allocate(Address *address, uint64_t bytes, Kind kind) {
  if (state().error)
    return state().error;
  uint64_t used = 0;
  for (auto [place, allocation] : state().allocations)
    used += allocation.kind == Kind::Device ? allocation.bytes : 0;
  if (bytes == 0)
    return InvalidValue;
  uint8_t *pages = bytes > kDeviceBytes - used
                       ? nullptr
                       : mapPages(bytes, PROT_READ | PROT_WRITE);
  if (!pages)
    return OutOfMemory;
  // What nobody has written is nothing in particular.
  std::memset(pages, 0xcd, bytes);
  *address = reinterpret_cast<Address>(pages);
  state().allocations[*address] = {bytes, kind};
  DeviceAccess();
  return Success;
}

int release(Address address, std::initializer_list<Kind> kinds) {
  // As the API has it, freeing waits.
  if (int error = finish())
    return error;
  auto found = state().allocations.find(address);
  if (found == state().allocations.end() ||
      !llvm::is_contained(kinds, found->second.kind))
    return InvalidValue;
  if (found->second.kind != Kind::Registered)
    munmap(pointerTo(address), pagesOf(found->second.bytes));
  state().allocations.erase(found);
  return Success;
}

/// A copy of rows. What is read from memory that the driver does not know is
/// read at once, and what is written there is there when the call returns.
int copyRows(Address to, size_t toPitch, Address from, size_t fromPitch,
             size_t width, size_t height, void *stream) {
  for (size_t row = 0; row < height; ++row)
    if (!fits(to + row * toPitch, width) ||
        !fits(from + row * fromPitch, width))
      return InvalidValue;
  std::vector<uint8_t> staged;
  if (!find(from)) {
    for (size_t row = 0; row < height; ++row) {
      const uint8_t *begin = pointerTo(from) + row * fromPitch;
      staged.insert(staged.end(), begin, begin + width);
    }
    fromPitch = width;
  }
  int error = enqueue(stream, [=, staged = std::move(staged)] {
    DeviceAccess access;
    const uint8_t *source = staged.empty() ? pointerTo(from) : staged.data();
    for (size_t row = 0; row < height; ++row)
      std::memmove(pointerTo(to) + row * toPitch, source + row * fromPitch,
                   width);
  });
  return error || find(to) ? error : finish();
}

template <class Element>
int fillRows(Address to, size_t pitch, Element value, size_t width,
             size_t height, void *stream) {
  for (size_t row = 0; row < height; ++row)
    if (!find(to + row * pitch) ||
        !fits(to + row * pitch, width * sizeof(Element)))
      return InvalidValue;
  return enqueue(stream, [=] {
    DeviceAccess access;
    for (size_t row = 0; row < height; ++row)
      std::fill_n(reinterpret_cast<Element *>(pointerTo(to + row * pitch)),
                  width, value);
  });
}

std::vector<ReachableMemory> reachableMemory() {
  std::vector<ReachableMemory> all;
  for (auto [address, allocation] : state().allocations)
    all.push_back({pointerTo(address), allocation.bytes,
                   pagesOf(allocation.bytes) - allocation.bytes,
                   /*marginBytes=*/0, "memory", /*isWritten=*/nullptr});
  return all;
}

int capability() {
  const char *text = std::getenv("GPUOPT_PTX_DRIVER_CAPABILITY");
  return text ? std::atoi(text) : 90;
}

TargetAttr targetOf(mlir::MLIRContext &context) {
  context.loadDialect<GPUOptDialect>();
  return llvm::cantFail(
      lookUpTarget(&context, "sm_" + std::to_string(capability())));
}

llvm::Expected<std::unique_ptr<Module>> makeModule(const char *ptx) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  PTXImportOptions options;
  options.text = ptx;
  auto imported = importPTX("module.ptx", targetOf(context), options);
  if (failed(imported))
    return llvm::createStringError("the PTX cannot be read");
  auto module = std::make_unique<Module>();
  module->source = std::make_unique<ImportedSource>(std::move(*imported));
  CPUExecutorOptions executor;
  executor.reachable = reachableMemory;
  executor.printsOutput = true;
  auto created = CPUExecutor::create(*module->source->module, executor);
  if (!created)
    return created.takeError();
  module->executor = std::move(*created);
  return module;
}

Status statusOf(ExecutionFault::Kind kind) {
  switch (kind) {
  case ExecutionFault::Kind::Assertion:
    return Assert;
  case ExecutionFault::Kind::Misaligned:
    return MisalignedAddress;
  case ExecutionFault::Kind::Trap:
    return LaunchFailed;
  default:
    return IllegalAddress;
  }
}

void run(const Function &function, const LaunchConfig &config,
         std::vector<std::vector<uint8_t>> &values) {
  DeviceAccess access;
  std::vector<KernelArgument> arguments;
  for (std::vector<uint8_t> &value : values)
    arguments.push_back(
        {KernelArgument::Kind::Scalar, value.data(), value.size(), "argument"});
  auto result = function.module->executor->launch(function.ir->getName(),
                                                  config, arguments);
  if (!result) {
    state().error =
        complain(llvm::toString(result.takeError()), IllegalAddress);
    return;
  }
  for (const ExecutionFault &fault : result->faults) {
    state().error = statusOf(fault.kind);
    // What an assertion says has been printed.
    if (fault.kind != ExecutionFault::Kind::Assertion)
      complain(fault.message, state().error);
  }
}

int launch(void *handle, const LaunchConfig &config, void *stream,
           void **arguments) {
  auto &function = *static_cast<Function *>(handle);
  const llvm::DataLayout &layout = function.ir->getDataLayout();
  std::vector<std::vector<uint8_t>> values;
  for (const llvm::Argument &parameter : function.ir->args()) {
    llvm::Type *type = parameter.hasByValAttr() ? parameter.getParamByValType()
                                                : parameter.getType();
    auto *value = static_cast<uint8_t *>(arguments[parameter.getArgNo()]);
    values.emplace_back(value, value + layout.getTypeStoreSize(type));
  }
  return enqueue(stream, [=, &function]() mutable {
    if (!state().error)
      run(function, config, values);
  });
}

} // namespace

extern "C" {

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

int cuInit(unsigned) { return Success; }

int cuDeviceGetCount(int *count) {
  *count = 1;
  return Success;
}

int cuDeviceGet(int *device, int) {
  *device = 0;
  return Success;
}

int cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "gpuopt PTX driver", size);
  return Success;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  constexpr int major = 75, minor = 76;
  // By the numbers of CUdevice_attribute, of a small GPU.
  static const std::map<int, int> others = {
      {1, 1024},   {2, 1024},     {3, 1024},   {4, 64},       {5, INT32_MAX},
      {6, 65535},  {7, 65535},    {8, 49152},  {9, 65536},    {10, 32},
      {12, 65536}, {13, 1000000}, {16, 3},     {38, 1 << 20}, {39, 2048},
      {41, 1},     {81, 1 << 17}, {82, 65536}, {83, 1},       {89, 0},
      {95, 1},     {97, 1 << 17}, {106, 32}};
  auto found = others.find(attribute);
  *value = attribute == major      ? capability() / 10
           : attribute == minor    ? capability() % 10
           : found != others.end() ? found->second
                                   : 0;
  return Success;
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = kDeviceBytes;
  return Success;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &state();
  return Success;
}

int cuCtxSetCurrent(void *) { return Success; }
int cuCtxSynchronize() { return finish(); }

int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  *least = 0;
  *greatest = -5;
  return Success;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int cuMemGetInfo_v2(size_t *freeBytes, size_t *allBytes) {
  *allBytes = *freeBytes = kDeviceBytes;
  for (auto [address, allocation] : state().allocations)
    *freeBytes -= allocation.kind == Kind::Device ? allocation.bytes : 0;
  return Success;
}

int cuMemAlloc_v2(Address *address, size_t bytes) {
  return allocate(address, bytes, Kind::Device);
}

int cuMemAllocManaged(Address *address, size_t bytes, unsigned) {
  return allocate(address, bytes, Kind::Managed);
}

int cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  Address address = 0;
  int error = allocate(&address, bytes, Kind::Host);
  *pointer = pointerTo(address);
  return error;
}

int cuMemFree_v2(Address address) {
  return release(address, {Kind::Device, Kind::Managed});
}

int cuMemFreeHost(void *pointer) {
  return release(reinterpret_cast<Address>(pointer), {Kind::Host});
}

int cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned) {
  state().allocations[reinterpret_cast<Address>(pointer)] = {bytes,
                                                             Kind::Registered};
  return Success;
}

int cuMemHostUnregister(void *pointer) {
  return release(reinterpret_cast<Address>(pointer), {Kind::Registered});
}

int cuMemcpyAsync(Address to, Address from, size_t bytes, void *stream) {
  return copyRows(to, bytes, from, bytes, bytes, 1, stream);
}

/// CUDA_MEMCPY2D.
struct RowCopy {
  size_t fromX, fromY;
  unsigned fromType;
  const void *fromHost;
  Address from;
  void *fromArray;
  size_t fromPitch;
  size_t toX, toY;
  unsigned toType;
  void *toHost;
  Address to;
  void *toArray;
  size_t toPitch;
  size_t width, height;
};

int cuMemcpy2DAsync_v2(const RowCopy *copy, void *stream) {
  constexpr unsigned any = 4;
  if (copy->fromType != any || copy->toType != any || copy->fromX ||
      copy->fromY || copy->toX || copy->toY || copy->width > copy->fromPitch ||
      copy->width > copy->toPitch)
    return InvalidValue;
  return copyRows(copy->to, copy->toPitch, copy->from, copy->fromPitch,
                  copy->width, copy->height, stream);
}

int cuMemsetD8Async(Address to, unsigned char value, size_t bytes,
                    void *stream) {
  return fillRows(to, bytes, value, bytes, 1, stream);
}

int cuMemsetD2D8Async(Address to, size_t pitch, unsigned char value,
                      size_t width, size_t height, void *stream) {
  return fillRows(to, pitch, value, width, height, stream);
}

int cuMemsetD2D16Async(Address to, size_t pitch, unsigned short value,
                       size_t width, size_t height, void *stream) {
  return fillRows(to, pitch, value, width, height, stream);
}

int cuMemsetD2D32Async(Address to, size_t pitch, unsigned value, size_t width,
                       size_t height, void *stream) {
  return fillRows(to, pitch, value, width, height, stream);
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

int cuModuleLoadDataEx(void **handle, const void *image, unsigned, int *,
                       void **values) {
  auto module = makeModule(static_cast<const char *>(image));
  if (!module) {
    std::string why = llvm::toString(module.takeError());
    std::strcpy(static_cast<char *>(values[0]), why.c_str());
    return InvalidImage;
  }
  *handle = module->release();
  return Success;
}

int cuModuleUnload(void *handle) {
  finish();
  delete static_cast<Module *>(handle);
  return Success;
}

int cuModuleGetFunction(void **handle, void *module, const char *name) {
  auto *owner = static_cast<Module *>(module);
  llvm::Function *ir = owner->source->module->getFunction(name);
  if (!ir || ir->isDeclaration())
    return NotFound;
  *handle = &state().functions.emplace_back(Function{owner, ir});
  return Success;
}

int cuModuleGetGlobal_v2(Address *address, size_t *bytes, void *module,
                         const char *name) {
  auto storage = static_cast<Module *>(module)->executor->global(name);
  if (!storage) {
    llvm::consumeError(storage.takeError());
    return NotFound;
  }
  *address = reinterpret_cast<Address>(storage->data());
  *bytes = storage->size();
  return Success;
}

int cuFuncGetAttribute(int *value, int attribute, void *) {
  constexpr int registers = 4;
  *value = attribute == registers ? 42 : 0;
  return Success;
}

int cuFuncSetAttribute(void *, int, int) { return Success; }

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *,
                                                int blockSize, size_t) {
  *blocks = 2048 / blockSize;
  return Success;
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **arguments, void **) {
  return launch(function,
                {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes},
                stream, arguments);
}

int cuLaunchCooperativeKernel(void *function, unsigned gridX, unsigned gridY,
                              unsigned gridZ, unsigned blockX, unsigned blockY,
                              unsigned blockZ, unsigned sharedBytes,
                              void *stream, void **arguments) {
  return cuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                        sharedBytes, stream, arguments, nullptr);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

int cuStreamCreateWithPriority(void **stream, unsigned, int) {
  *stream = new char();
  state().streams.insert(*stream);
  return Success;
}

int cuStreamDestroy_v2(void *stream) {
  return state().streams.erase(stream) ? Success : InvalidHandle;
}

int cuStreamGetFlags(void *, unsigned *flags) {
  *flags = 0;
  return Success;
}

int cuStreamGetPriority(void *, int *priority) {
  *priority = 0;
  return Success;
}

/// Work is done here, too: who asks again and again waits.
int cuStreamQuery(void *) {
  bool isReady = state().work.empty();
  int error = finish();
  return error ? error : isReady ? Success : NotReady;
}

int cuStreamSynchronize(void *) { return finish(); }

int cuStreamWaitEvent(void *, void *event, unsigned) {
  return state().events.contains(static_cast<Event *>(event)) ? Success
                                                              : InvalidHandle;
}

int cuLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
  return enqueue(stream, [=] { function(data); });
}

int cuEventCreate(void **handle, unsigned) {
  auto *event = new Event();
  state().events.insert(event);
  *handle = event;
  return Success;
}

int cuEventDestroy_v2(void *handle) {
  finish();
  auto *event = static_cast<Event *>(handle);
  if (!state().events.erase(event))
    return InvalidHandle;
  delete event;
  return Success;
}

int cuEventRecord(void *handle, void *stream) {
  auto *event = static_cast<Event *>(handle);
  event->isPending = true;
  return enqueue(stream, [=] {
    event->time = Clock::now();
    event->isPending = false;
  });
}

int cuEventQuery(void *event) {
  bool isReady = !static_cast<Event *>(event)->isPending;
  int error = finish();
  return error ? error : isReady ? Success : NotReady;
}

int cuEventSynchronize(void *) { return finish(); }

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  auto *from = static_cast<Event *>(start), *to = static_cast<Event *>(end);
  if (from->isPending || to->isPending)
    return NotReady;
  if (!from->time || !to->time)
    return InvalidHandle;
  *milliseconds =
      std::chrono::duration<float, std::milli>(*to->time - *from->time).count();
  return Success;
}

} // extern "C"
