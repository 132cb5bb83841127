//===- Streams.cpp - streams and events -----------------------------------===//
//
// On a GPU they are the driver's. On the CPU everything is done when its call
// returns, which is one of the orders that streams allow, and an event is the
// time at which it was recorded.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/Program.h"
#include "runtime/CUDA/StreamScope.h"

#include <chrono>
#include <set>

using namespace gpuopt;
using namespace gpuopt::cuda;

using Clock = std::chrono::steady_clock;

struct CUstream_st {
  unsigned flags = 0;
};

struct CUevent_st {
  std::optional<Clock::time_point> recorded;
  bool measuresTime = true;
};

/// Those that there are. Programs may destroy what is none.
static std::set<cudaStream_t> &streams() {
  static auto &all = *new std::set<cudaStream_t>();
  return all;
}

static std::set<cudaEvent_t> &events() {
  static auto &all = *new std::set<cudaEvent_t>();
  return all;
}

void gpuopt::cuda::forgetStreams() {
  GPU *gpu = Program::get().gpu();
  for (cudaStream_t stream : std::exchange(streams(), {})) {
    forgetCapture(stream);
    if (gpu)
      gpu->destroyStream(stream);
    else
      delete stream;
  }
  for (cudaEvent_t event : std::exchange(events(), {}))
    if (gpu)
      gpu->destroyEvent(event);
    else
      delete event;
}

static bool isStream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy ||
         stream == cudaStreamPerThread || streams().contains(stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority) {
  return call([&](Program &program) {
    if (!stream || flags > cudaStreamNonBlocking)
      return cudaErrorInvalidValue;
    if (GPU *gpu = program.gpu()) {
      if (cudaError_t error = gpu->createStream(stream, flags, priority))
        return error;
    } else {
      *stream = new CUstream_st{flags};
    }
    streams().insert(*stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, /*priority=*/0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return callOnDevice(
      [&](Program &) {
        forgetCapture(stream);
        return streams().erase(stream) ? cudaSuccess
                                       : cudaErrorInvalidResourceHandle;
      },
      [&](GPU &gpu) { return gpu.destroyStream(stream); },
      [&](Program &) {
        delete stream;
        return cudaSuccess;
      });
}

static cudaError_t find(cudaStream_t stream) {
  return call([&](Program &) {
    return isStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

static cudaError_t find(cudaEvent_t event);

/// Asks the GPU about a stream, or an event, that there is.
template <class Asked, class Question>
static cudaError_t askAbout(Asked asked, Question question) {
  cudaError_t error = find(asked);
  return error == cudaSuccess ? askGPU(question) : error;
}

/// The same about what is done, which nothing is that is captured.
template <class Asked, class Question>
static cudaError_t askWhetherDone(Asked asked, Question question) {
  if (cudaError_t error = checkNotCaptured(asked))
    return remember(error);
  return askAbout(asked, question);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return askWhetherDone(stream, [&](GPU &gpu) { return gpu.query(stream); });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return askWhetherDone(stream, [&](GPU &gpu) { return gpu.wait(stream); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t function, void *data,
                                  unsigned) {
  cudaError_t error = find(stream);
  if (error != cudaSuccess)
    return error;
  if (!isCaptured(stream)) {
    bool isPassedOn = false;
    error = askGPU([&](GPU &gpu) {
      isPassedOn = true;
      return gpu.callWhenDone(stream, function, data);
    });
    if (error != cudaSuccess || isPassedOn)
      return error;
  }
  // It may call the API in other threads, and wait for them.
  return enqueue(stream, cudaGraphNodeTypeHost,
                 callLater([=] { function(stream, cudaSuccess, data); }));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  return callOnDevice(
      [&](Program &) {
        if (!flags)
          return cudaErrorInvalidValue;
        return isStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
      },
      [&](GPU &gpu) { return gpu.flags(stream, flags); },
      [&](Program &) {
        *flags = streams().contains(stream) ? stream->flags : cudaStreamDefault;
        return cudaSuccess;
      });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  if (!priority)
    return remember(cudaErrorInvalidValue);
  *priority = 0;
  return askAbout(stream,
                  [&](GPU &gpu) { return gpu.priority(stream, priority); });
}

/// They are about caches and priorities, of which there are none here.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID,
                                   const cudaStreamAttrValue *value) {
  return value ? find(stream) : remember(cudaErrorInvalidValue);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID,
                                   cudaStreamAttrValue *value) {
  if (!value)
    return remember(cudaErrorInvalidValue);
  *value = {};
  return find(stream);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  cudaError_t error = find(from);
  return error == cudaSuccess ? find(to) : error;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *number) {
  if (!number)
    return remember(cudaErrorInvalidValue);
  *number = reinterpret_cast<unsigned long long>(stream);
  return find(stream);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return remember(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t,
                                     unsigned) {
  return find(stream);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return call([&](Program &program) {
    int ends[] = {0, 0};
    GPU *gpu = program.gpu();
    cudaError_t error =
        gpu ? gpu->priorityRange(&ends[0], &ends[1]) : cudaSuccess;
    if (least)
      *least = ends[0];
    if (greatest)
      *greatest = ends[1];
    return error;
  });
}

/// Calls `use` where `event` is one.
template <class Use>
static cudaError_t withEvent(cudaEvent_t event, Use use) {
  return call([&](Program &) {
    return events().contains(event) ? use() : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned) {
  return withEvent(event, [&] {
    if (!isStream(stream))
      return cudaErrorInvalidResourceHandle;
    if (std::optional<cudaError_t> error = captureWait(stream, event))
      return *error;
    GPU *gpu = Program::get().gpu();
    return gpu ? gpu->wait(stream, event) : cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return call([&](Program &program) {
    if (!event)
      return cudaErrorInvalidValue;
    if (GPU *gpu = program.gpu()) {
      if (cudaError_t error = gpu->createEvent(event, flags))
        return error;
    } else {
      *event = new CUevent_st();
      (*event)->measuresTime = !(flags & cudaEventDisableTiming);
    }
    events().insert(*event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return withEvent(event, [&] {
    events().erase(event);
    if (GPU *gpu = Program::get().gpu())
      return gpu->destroyEvent(event);
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return withEvent(event, [&] {
    if (!isStream(stream))
      return cudaErrorInvalidResourceHandle;
    if (captureEvent(event, stream))
      return cudaSuccess;
    if (GPU *gpu = Program::get().gpu())
      return gpu->record(event, stream);
    event->recorded = Clock::now();
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned flags) {
  if (flags > cudaEventRecordExternal)
    return remember(cudaErrorInvalidValue);
  if (flags == cudaEventRecordDefault || !isCaptured(stream))
    return cudaEventRecord(event, stream);
  // Recorded when the graph runs, for those who are not in it.
  return enqueue(stream, cudaGraphNodeTypeEventRecord, [=] {
    return cudaEventRecord(event, StreamScope::current().value_or(stream));
  });
}

static cudaError_t find(cudaEvent_t event) {
  return withEvent(event, [] { return cudaSuccess; });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return askWhetherDone(event, [&](GPU &gpu) { return gpu.query(event); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return askWhetherDone(event, [&](GPU &gpu) { return gpu.wait(event); });
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                 cudaEvent_t end) {
  return call([&](Program &program) {
    if (!milliseconds)
      return cudaErrorInvalidValue;
    if (GPU *gpu = program.gpu())
      return events().contains(start) && events().contains(end)
                 ? gpu->elapsed(milliseconds, start, end)
                 : cudaErrorInvalidResourceHandle;
    for (cudaEvent_t event : {start, end})
      if (!events().contains(event) || !event->measuresTime || !event->recorded)
        return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(*end->recorded -
                                                             *start->recorded)
                        .count();
    return cudaSuccess;
  });
}
