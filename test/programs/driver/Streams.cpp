//===- Streams.cpp - the device, its streams and events -------------------===//

#include "PTXDriver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <thread>

using namespace ptx_driver;

namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  std::optional<Clock::time_point> time;
  /// The work that records it last; 0 where none has yet.
  uint64_t number = 0;
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

/// The streams that are there without being made: the legacy one, by two names,
/// and that of a thread, which is taken for it.
static bool isLegacy(void *stream) {
  return reinterpret_cast<uintptr_t>(stream) <= 2;
}

/// Whether work of one stream waits for what was asked of another before.
static bool goTogether(void *one, void *other) {
  if (isLegacy(one) && isLegacy(other))
    return true;
  auto waitsForLegacy = [](void *stream) { return state().streams[stream]; };
  return one == other || (isLegacy(one) && waitsForLegacy(other)) ||
         (isLegacy(other) && waitsForLegacy(one));
}

static bool isPending(uint64_t number) {
  return llvm::any_of(state().work,
                      [=](const Work &work) { return work.number == number; });
}

/// Takes the youngest piece of work that can be done.
static std::optional<Work> takeNext() {
  std::deque<Work> &all = state().work;
  for (auto next = all.rbegin(); next != all.rend(); ++next) {
    bool isFirst = std::none_of(
        all.begin(), std::prev(next.base()), [&](const Work &before) {
          return goTogether(before.stream, next->stream);
        });
    if (!isFirst || (next->behind && isPending(next->behind)))
      continue;
    Work taken = std::move(*next);
    all.erase(std::prev(next.base()));
    return taken;
  }
  return std::nullopt;
}

/// Does work until `isDone`.
template <class IsDone>
static int finishUntil(IsDone isDone) {
  for (;;) {
    std::optional<Work> next;
    {
      std::lock_guard lock(state().mutex);
      if (isDone())
        return state().error;
      next = takeNext();
    }
    // Another thread is doing what is left.
    if (next)
      next->run();
    else
      std::this_thread::yield();
  }
}

int ptx_driver::finish() {
  return finishUntil([] { return state().work.empty(); });
}

int ptx_driver::finishStream(void *stream) {
  return finishUntil([=] {
    return llvm::none_of(state().work, [=](const Work &work) {
      return goTogether(work.stream, stream);
    });
  });
}

int ptx_driver::finishWork(uint64_t number) {
  return finishUntil([=] { return !isPending(number); });
}

int ptx_driver::enqueue(void *stream, std::function<void()> work,
                        uint64_t behind) {
  std::lock_guard lock(state().mutex);
  if (state().error)
    return state().error;
  if (!isLegacy(stream) && !state().streams.contains(stream))
    return InvalidHandle;
  state().work.push_back(
      {++state().lastNumber, stream, std::move(work), behind});
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
      {41, 1},     {81, 233472},  {82, 65536}, {83, 1},       {89, 0},
      {95, 1},     {97, 232448},  {106, 32},   {115, 1}};
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

static std::map<int, size_t> &limits() {
  static auto &all = *new std::map<int, size_t>{{0, 1024}, {2, 8 << 20}};
  return all;
}

int cuCtxSetLimit(int limit, size_t value) {
  limits()[limit] = value;
  return Success;
}

int cuCtxGetLimit(size_t *value, int limit) {
  *value = limits()[limit];
  return Success;
}

int cuStreamCreateWithPriority(void **stream, unsigned flags, int) {
  constexpr unsigned isNonBlocking = 1;
  std::lock_guard lock(state().mutex);
  *stream = new char();
  state().streams[*stream] = !(flags & isNonBlocking);
  return Success;
}

int cuStreamDestroy_v2(void *stream) {
  finishStream(stream);
  std::lock_guard lock(state().mutex);
  return state().streams.erase(stream) ? Success : InvalidHandle;
}

int cuStreamGetFlags(void *stream, unsigned *flags) {
  *flags = isLegacy(stream) || state().streams[stream] ? 0 : 1;
  return Success;
}

int cuStreamGetPriority(void *, int *priority) {
  *priority = 0;
  return Success;
}

/// Work is done here, too: who asks again and again waits.
int cuStreamQuery(void *stream) {
  uint64_t before = state().work.size();
  int error = finishStream(stream);
  bool wasReady = before == state().work.size();
  return error ? error : wasReady ? Success : NotReady;
}

int cuStreamSynchronize(void *stream) { return finishStream(stream); }

int cuStreamWaitEvent(void *stream, void *handle, unsigned) {
  auto *event = static_cast<Event *>(handle);
  if (!events().contains(event))
    return InvalidHandle;
  return enqueue(stream, [] {}, event->number);
}

int cuStreamAddCallback(void *stream, void (*function)(void *, int, void *),
                        void *data, unsigned) {
  return enqueue(stream, [=] { function(stream, state().error, data); });
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
  auto *event = static_cast<Event *>(handle);
  if (!events().contains(event))
    return InvalidHandle;
  finishWork(event->number);
  events().erase(event);
  delete event;
  return Success;
}

int cuEventRecord(void *handle, void *stream) {
  std::lock_guard lock(state().mutex);
  auto *event = static_cast<Event *>(handle);
  int error = enqueue(stream, [=] { event->time = Clock::now(); });
  event->number = state().lastNumber;
  return error;
}

int cuEventQuery(void *handle) {
  auto *event = static_cast<Event *>(handle);
  bool isReady = !isPending(event->number);
  int error = finishWork(event->number);
  return error ? error : isReady ? Success : NotReady;
}

int cuEventSynchronize(void *handle) {
  return finishWork(static_cast<Event *>(handle)->number);
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  auto *from = static_cast<Event *>(start), *to = static_cast<Event *>(end);
  if (isPending(from->number) || isPending(to->number))
    return NotReady;
  if (!from->time || !to->time)
    return InvalidHandle;
  *milliseconds =
      std::chrono::duration<float, std::milli>(*to->time - *from->time).count();
  return Success;
}

} // extern "C"
