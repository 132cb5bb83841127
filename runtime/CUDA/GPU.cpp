//===- GPU.cpp - a GPU, by the driver of its vendor -----------------------===//

#include "runtime/CUDA/GPUFunctions.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>

using namespace gpuopt;
using namespace gpuopt::cuda;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// As the driver's header has it.
struct gpuopt::cuda::DriverCopy {
  size_t fromX = 0, fromY = 0;
  unsigned fromType = kAnyMemory;
  const void *fromHost = nullptr;
  DriverAddress from = 0;
  Handle fromArray = nullptr;
  size_t fromPitch = 0;
  size_t toX = 0, toY = 0;
  unsigned toType = kAnyMemory;
  void *toHost = nullptr;
  DriverAddress to = 0;
  Handle toArray = nullptr;
  size_t toPitch = 0;
  size_t width = 0, height = 0;
};

template <class T = void>
static T *pointerTo(DriverAddress place) {
  return reinterpret_cast<T *>(place);
}

/// Numbers of attributes, as the driver's header has them.
static constexpr int kMajorCapability = 75, kMinorCapability = 76;
static constexpr int kMaxDynamicSharedBytes = 8;

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

GPU::GPU(std::unique_ptr<Functions> functions)
    : functions(std::move(functions)) {}

GPU::~GPU() = default;

Expected<std::unique_ptr<GPU>> GPU::open() {
  const char *given = std::getenv("GPUOPT_DRIVER");
  const char *path = given ? given : "libcuda.so.1";
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library && given)
    return createStringError(dlerror());
  if (!library)
    return nullptr;
  auto functions = std::make_unique<Functions>();
#define DRIVER_FUNCTION(field, name, parameters)                               \
  functions->field =                                                           \
      reinterpret_cast<int(*) parameters>(dlsym(library, #name));              \
  if (!functions->field)                                                       \
    return createStringError("%s has no %s", path, #name);
#include "runtime/CUDA/DriverFunctions.def"
  std::unique_ptr<GPU> gpu(new GPU(std::move(functions)));
  const Functions &driver = *gpu->functions;
  int count = 0;
  if (driver.init(0) || driver.deviceCount(&count) || count == 0)
    return createStringError("%s finds no GPU", path);
  std::array<char, 256> name = {};
  if (driver.deviceGet(&gpu->device, 0) ||
      driver.deviceName(name.data(), name.size() - 1, gpu->device) ||
      driver.contextRetain(&gpu->context, gpu->device))
    return createStringError("%s cannot start the first GPU", path);
  gpu->deviceName = name.data();
  gpu->deviceCapability = 10 * gpu->attribute(kMajorCapability).value_or(0) +
                          gpu->attribute(kMinorCapability).value_or(0);
  return gpu;
}

const GPU::Functions &GPU::driver() const {
  static thread_local Handle current = nullptr;
  if (current != context && functions->contextSet(context) == 0)
    current = context;
  return *functions;
}

uint64_t GPU::bytes() const {
  size_t all = 0;
  driver().deviceBytes(&all, device);
  return all;
}

std::optional<int> GPU::attribute(int number) const {
  int value = 0;
  if (functions->deviceAttribute(&value, number, device))
    return std::nullopt;
  return value;
}

cudaError_t GPU::finish(cudaError_t begun) {
  if (begun != cudaSuccess || StreamScope::current())
    return begun;
  return errorOf(driver().streamSynchronise(nullptr));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

cudaError_t GPU::allocate(uint8_t *&pointer, uint64_t bytes, MemoryKind kind) {
  constexpr unsigned fromAllStreams = 1, isPortable = 1, isMapped = 2;
  void *host = nullptr;
  DriverAddress place = 0;
  if (kind == MemoryKind::Device && StreamScope::current()) {
    int error = driver().allocateOnStream(&place, bytes, currentStream());
    pointer = pointerTo<uint8_t>(place);
    return errorOf(error);
  }
  int error = kind == MemoryKind::Host
                  ? driver().allocateHost(&host, bytes, isPortable | isMapped)
              : kind == MemoryKind::Managed
                  ? driver().allocateManaged(&place, bytes, fromAllStreams)
                  : driver().allocate(&place, bytes);
  pointer = host ? static_cast<uint8_t *>(host) : pointerTo<uint8_t>(place);
  return errorOf(error);
}

cudaError_t GPU::release(uint8_t *pointer, MemoryKind kind) {
  if (kind == MemoryKind::Device && StreamScope::current())
    return errorOf(
        driver().releaseOnStream(addressOf(pointer), currentStream()));
  return errorOf(kind == MemoryKind::Host ? driver().releaseHost(pointer)
                 : kind == MemoryKind::Registered
                     ? driver().unregisterHost(pointer)
                     : driver().release(addressOf(pointer)));
}

cudaError_t GPU::add(uint8_t *pointer, uint64_t bytes, unsigned flags) {
  constexpr unsigned isPortable = 1, isMapped = 2;
  return errorOf(
      driver().registerHost(pointer, bytes, flags | isPortable | isMapped));
}

bool GPU::knows(const void *pointer) const {
  constexpr int memoryType = 2;
  unsigned type = 0;
  return driver().pointerAttribute(&type, memoryType, addressOf(pointer)) == 0;
}

cudaError_t GPU::memoryInfo(size_t *freeBytes, size_t *allBytes) {
  return errorOf(driver().memoryInfo(freeBytes, allBytes));
}

cudaError_t GPU::copy(const RowCopy &copy) {
  bool isWhole = copy.height == 1 ||
                 (copy.width == copy.toPitch && copy.width == copy.fromPitch);
  if (isWhole)
    return errorOf(driver().copy(addressOf(copy.to), addressOf(copy.from),
                                 copy.width * copy.height, currentStream()));
  DriverCopy rows;
  rows.from = addressOf(copy.from);
  rows.fromPitch = copy.fromPitch;
  rows.to = addressOf(copy.to);
  rows.toPitch = copy.toPitch;
  rows.width = copy.width;
  rows.height = copy.height;
  return errorOf(driver().copyRows(&rows, currentStream()));
}

cudaError_t GPU::fill(const RowFill &fill) {
  auto [to, pitch, value, elementBytes, width, height] = fill;
  DriverAddress place = addressOf(to);
  switch (elementBytes) {
  case 4:
    return errorOf(driver().fillRowsOf32(place, pitch, value, width, height,
                                         currentStream()));
  case 2:
    return errorOf(driver().fillRowsOf16(place, pitch, uint16_t(value), width,
                                         height, currentStream()));
  default:
    return errorOf(height == 1 || width == pitch
                       ? driver().fill(place, uint8_t(value), width * height,
                                       currentStream())
                       : driver().fillRowsOf8(place, pitch, uint8_t(value),
                                              width, height, currentStream()));
  }
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

Expected<Handle> GPU::load(llvm::StringRef image) {
  constexpr int errorText = 5, errorTextBytes = 6;
  std::array<char, 8192> text = {};
  std::array options = {errorText, errorTextBytes};
  std::array<void *, 2> values = {text.data(), pointerTo<>(text.size() - 1)};
  Handle module = nullptr;
  int error = driver().moduleLoad(&module, image.str().c_str(), options.size(),
                                  options.data(), values.data());
  if (!error)
    return module;
  return createStringError(codeOf(errorOf(error)),
                           "the driver of %s refuses the kernels (%s): %s",
                           deviceName.c_str(), cudaGetErrorName(errorOf(error)),
                           llvm::StringRef(text.data()).rtrim().str().c_str());
}

void GPU::unload(Handle module) { driver().moduleUnload(module); }

Expected<Handle> GPU::function(Handle module, llvm::StringRef symbol) {
  Handle function = nullptr;
  if (driver().moduleFunction(&function, module, symbol.str().c_str()))
    return createStringError(codeOf(cudaErrorInvalidDeviceFunction),
                             "the kernels have no '%s'", symbol.str().c_str());
  return function;
}

Expected<llvm::MutableArrayRef<uint8_t>> GPU::variable(Handle module,
                                                       llvm::StringRef symbol) {
  DriverAddress place = 0;
  size_t bytes = 0;
  if (driver().moduleVariable(&place, &bytes, module, symbol.str().c_str()))
    return createStringError(codeOf(cudaErrorInvalidSymbol),
                             "the kernels have no variable '%s'",
                             symbol.str().c_str());
  return llvm::MutableArrayRef(pointerTo<uint8_t>(place), bytes);
}

cudaError_t GPU::launch(Handle function, const LaunchConfig &config,
                        void **arguments, bool isTogether) {
  auto bytes = unsigned(config.dynamicSharedBytes);
  if (cudaError_t error = setMostDynamicBytes(function, bytes);
      error != cudaSuccess)
    return error;
  auto [gridX, gridY, gridZ] =
      std::array{unsigned(config.grid[0]), unsigned(config.grid[1]),
                 unsigned(config.grid[2])};
  auto [blockX, blockY, blockZ] =
      std::array{unsigned(config.block[0]), unsigned(config.block[1]),
                 unsigned(config.block[2])};
  return errorOf(isTogether
                     ? driver().launchTogether(function, gridX, gridY, gridZ,
                                               blockX, blockY, blockZ, bytes,
                                               currentStream(), arguments)
                     : driver().launch(function, gridX, gridY, gridZ, blockX,
                                       blockY, blockZ, bytes, currentStream(),
                                       arguments, nullptr));
}

cudaError_t GPU::setMostDynamicBytes(Handle function, int64_t bytes) {
  // All kernels have so much unasked.
  return bytes <= kOrdinarySharedBytes
             ? cudaSuccess
             : errorOf(driver().setFunctionAttribute(
                   function, kMaxDynamicSharedBytes, int(bytes)));
}

cudaError_t GPU::occupancy(int *blocks, Handle function, int blockSize,
                           size_t sharedBytes) {
  return errorOf(driver().occupancy(blocks, function, blockSize, sharedBytes));
}

std::optional<int> GPU::functionAttribute(Handle function, int number) {
  int value = 0;
  if (driver().functionAttribute(&value, number, function))
    return std::nullopt;
  return value;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

cudaError_t GPU::createStream(cudaStream_t *made, unsigned flags,
                              int priority) {
  Handle handle = nullptr;
  int error = driver().streamCreate(&handle, flags, priority);
  *made = static_cast<cudaStream_t>(handle);
  return errorOf(error);
}

cudaError_t GPU::destroyStream(cudaStream_t old) {
  return errorOf(driver().streamDestroy(old));
}

cudaError_t GPU::flags(cudaStream_t asked, unsigned *flags) {
  return errorOf(driver().streamFlags(asked, flags));
}

cudaError_t GPU::priority(cudaStream_t asked, int *priority) {
  return errorOf(driver().streamPriority(asked, priority));
}

cudaError_t GPU::query(cudaStream_t asked) {
  return errorOf(driver().streamQuery(asked));
}

cudaError_t GPU::wait(cudaStream_t awaited) {
  return errorOf(driver().streamSynchronise(awaited));
}

cudaError_t GPU::wait(cudaStream_t waiting, cudaEvent_t event) {
  return errorOf(driver().streamWait(waiting, event, 0));
}

cudaError_t GPU::priorityRange(int *least, int *greatest) {
  return errorOf(driver().priorityRange(least, greatest));
}

cudaError_t GPU::createEvent(cudaEvent_t *event, unsigned flags) {
  Handle handle = nullptr;
  int error = driver().eventCreate(&handle, flags);
  *event = static_cast<cudaEvent_t>(handle);
  return errorOf(error);
}

cudaError_t GPU::destroyEvent(cudaEvent_t event) {
  return errorOf(driver().eventDestroy(event));
}

cudaError_t GPU::record(cudaEvent_t event, cudaStream_t recorded) {
  return errorOf(driver().eventRecord(event, recorded));
}

cudaError_t GPU::query(cudaEvent_t event) {
  return errorOf(driver().eventQuery(event));
}

cudaError_t GPU::wait(cudaEvent_t event) {
  return errorOf(driver().eventSynchronise(event));
}

cudaError_t GPU::elapsed(float *milliseconds, cudaEvent_t start,
                         cudaEvent_t end) {
  return errorOf(driver().eventMilliseconds(milliseconds, start, end));
}

cudaError_t GPU::wait() { return errorOf(driver().synchronise()); }

cudaError_t GPU::callWhenDone(cudaStream_t waited,
                              cudaStreamCallback_t function, void *data) {
  return errorOf(driver().streamCallback(waited, function, data, 0));
}

cudaError_t GPU::setLimit(cudaLimit limit, size_t value) {
  return errorOf(driver().limitSet(limit, value));
}

cudaError_t GPU::limit(cudaLimit limit, size_t *value) {
  return errorOf(driver().limitGet(value, limit));
}

cudaError_t GPU::callOnHost(std::function<void()> function) {
  auto *kept = new std::function<void()>(std::move(function));
  auto call = [](void *data) {
    std::unique_ptr<std::function<void()>> called(
        static_cast<std::function<void()> *>(data));
    (*called)();
  };
  int error = driver().streamCall(currentStream(), call, kept);
  if (error)
    delete kept;
  return errorOf(error);
}
