//===- Streams.cpp - streams and events -----------------------------------===//
//
// Everything is done when its call returns, which is one of the orders that
// streams allow. An event is the time at which it was recorded.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/Program.h"

#include <chrono>
#include <set>

using namespace gpuopt;
using namespace gpuopt::cuda;

using Clock = std::chrono::steady_clock;

struct CUstream_st {};

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

static bool isStream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy ||
         stream == cudaStreamPerThread || streams().contains(stream);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return call([&](Program &) {
    if (!stream)
      return cudaErrorInvalidValue;
    *stream = new CUstream_st();
    streams().insert(*stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  return cudaStreamCreate(stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int) {
  return cudaStreamCreate(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&](Program &) {
    if (!streams().erase(stream))
      return cudaErrorInvalidResourceHandle;
    delete stream;
    return cudaSuccess;
  });
}

/// All that a stream had to do is done.
static cudaError_t find(cudaStream_t stream) {
  return call([&](Program &) {
    return isStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return find(stream); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return find(stream); }

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t function, void *data,
                                  unsigned) {
  // It may call the API in other threads, and wait for them.
  cudaError_t error = find(stream);
  if (error != cudaSuccess)
    return error;
  return enqueue(stream, cudaGraphNodeTypeHost, [=] {
    function(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  if (!flags)
    return remember(cudaErrorInvalidValue);
  *flags = cudaStreamDefault;
  return find(stream);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  if (!priority)
    return remember(cudaErrorInvalidValue);
  *priority = 0;
  return find(stream);
}

/// They are about caches and priorities, of which there are none here.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID,
                                   const cudaStreamAttrValue *value) {
  return value ? find(stream) : remember(cudaErrorInvalidValue);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return remember(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t,
                                     unsigned) {
  return find(stream);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = 0;
  return remember(cudaSuccess);
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
    captureWait(stream, event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return call([&](Program &) {
    if (!event)
      return cudaErrorInvalidValue;
    *event = new CUevent_st();
    (*event)->measuresTime = !(flags & cudaEventDisableTiming);
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
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return withEvent(event, [&] {
    if (!isStream(stream))
      return cudaErrorInvalidResourceHandle;
    if (!captureEvent(event, stream))
      event->recorded = Clock::now();
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return withEvent(event, [] { return cudaSuccess; });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return cudaEventQuery(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                 cudaEvent_t end) {
  return call([&](Program &) {
    if (!milliseconds)
      return cudaErrorInvalidValue;
    for (cudaEvent_t event : {start, end})
      if (!events().contains(event) || !event->measuresTime || !event->recorded)
        return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(*end->recorded -
                                                             *start->recorded)
                        .count();
    return cudaSuccess;
  });
}
