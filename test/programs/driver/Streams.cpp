//===- Streams.cpp - the device, its streams and events -------------------===//

#include "PTXDriver.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>

using namespace ptx_driver;

namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  std::optional<Clock::time_point> time;
  bool isPending = false;
};

std::set<Event *> &events() {
  static auto &all = *new std::set<Event *>();
  return all;
}

} // namespace

State &ptx_driver::state() {
  static State &instance = *new State();
  return instance;
}

int ptx_driver::complain(const llvm::Twine &text, int status) {
  llvm::errs() << "gpuopt-ptx-driver: " << text << '\n';
  return status;
}

int ptx_driver::finish() {
  while (!state().work.empty()) {
    std::function<void()> next = std::move(state().work.front());
    state().work.pop_front();
    next();
  }
  return state().error;
}

int ptx_driver::enqueue(void *stream, std::function<void()> work) {
  if (state().error)
    return state().error;
  // The two streams that there are without being made have small numbers.
  if (reinterpret_cast<uintptr_t>(stream) > 2 &&
      !state().streams.contains(stream))
    return InvalidHandle;
  state().work.push_back(std::move(work));
  return Success;
}

int ptx_driver::capability() {
  const char *text = std::getenv("GPUOPT_PTX_DRIVER_CAPABILITY");
  return text ? std::atoi(text) : 90;
}

extern "C" {

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
  // The GPU goes by the page tables of the host.
  constexpr int shared = 100;
  // By the numbers of CUdevice_attribute, of a small GPU.
  static const std::map<int, int> others = {
      {1, 1024},   {2, 1024},     {3, 1024},   {4, 64},       {5, INT32_MAX},
      {6, 65535},  {7, 65535},    {8, 49152},  {9, 65536},    {10, 32},
      {12, 65536}, {13, 1000000}, {16, 3},     {38, 1 << 20}, {39, 2048},
      {41, 1},     {81, 1 << 17}, {82, 65536}, {83, 1},       {89, 0},
      {95, 1},     {97, 1 << 17}, {106, 32},   {115, 1}};
  auto found = others.find(attribute);
  *value = attribute == major   ? capability() / 10
           : attribute == minor ? capability() % 10
           : attribute == shared
               ? std::getenv("GPUOPT_PTX_DRIVER_SHARES") != nullptr
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
  return events().contains(static_cast<Event *>(event)) ? Success
                                                        : InvalidHandle;
}

int cuLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
  return enqueue(stream, [=] { function(data); });
}

int cuEventCreate(void **handle, unsigned) {
  auto *event = new Event();
  events().insert(event);
  *handle = event;
  return Success;
}

int cuEventDestroy_v2(void *handle) {
  finish();
  auto *event = static_cast<Event *>(handle);
  if (!events().erase(event))
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
