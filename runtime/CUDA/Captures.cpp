//===- Captures.cpp - streams whose work becomes a graph ------------------===//

#include "runtime/CUDA/GraphNodes.h"
#include "runtime/CUDA/StreamScope.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <thread>

using namespace gpuopt;
using namespace gpuopt::cuda;

namespace {
/// One that has begun, and not ended.
struct Capture {
  std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
  /// The stream where it has begun.
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread = std::this_thread::get_id();
  unsigned long long number = 0;
  /// What it would have been cannot be any more.
  bool isInvalid = false;
};

/// A stream, or an event, of a capture: what comes next waits for those nodes.
struct Captured {
  std::shared_ptr<Capture> capture;
  std::vector<cudaGraphNode_t> last;
};

struct Captures {
  std::map<cudaStream_t, Captured> streams;
  std::map<cudaEvent_t, Captured> events;
  unsigned long long count = 0;
};
} // namespace

static Captures &captures() {
  static auto &all = *new Captures();
  return all;
}

/// Null where it is not captured.
static Captured *captureOf(cudaStream_t stream) {
  auto found = captures().streams.find(stream);
  return found == captures().streams.end() ? nullptr : &found->second;
}

bool gpuopt::cuda::isCaptured(cudaStream_t stream) {
  std::lock_guard lock(Program::get().mutex);
  return captureOf(stream) != nullptr;
}

cudaError_t gpuopt::cuda::enqueue(cudaStream_t stream, cudaGraphNodeType type,
                                  Operation operation,
                                  NodeParameters parameters) {
  if (!isCaptured(stream)) {
    StreamScope scope(stream);
    return operation();
  }
  return call([&](Program &) {
    Captured &captured = *captureOf(stream);
    if (captured.capture->isInvalid)
      return cudaErrorStreamCaptureInvalidated;
    cudaGraphNode_t node =
        addNode(captured.capture->graph.get(), type,
                {std::move(operation), std::move(parameters)});
    node->dependencies = std::exchange(captured.last, {node});
    return cudaSuccess;
  });
}

bool gpuopt::cuda::captureEvent(cudaEvent_t event, cudaStream_t stream) {
  std::lock_guard lock(Program::get().mutex);
  const Captured *captured = captureOf(stream);
  if (captured)
    captures().events[event] = *captured;
  else
    captures().events.erase(event);
  return captured;
}

std::optional<cudaError_t> gpuopt::cuda::captureWait(cudaStream_t stream,
                                                     cudaEvent_t event) {
  std::lock_guard lock(Program::get().mutex);
  auto found = captures().events.find(event);
  if (found == captures().events.end())
    return std::nullopt;
  const Captured &awaited = found->second;
  Captured &waiting =
      captures().streams.try_emplace(stream, awaited).first->second;
  if (waiting.capture != awaited.capture) {
    waiting.capture->isInvalid = awaited.capture->isInvalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  for (cudaGraphNode_t node : awaited.last)
    if (!llvm::is_contained(waiting.last, node))
      waiting.last.push_back(node);
  return cudaSuccess;
}

cudaError_t gpuopt::cuda::checkNotCaptured(cudaStream_t stream) {
  std::lock_guard lock(Program::get().mutex);
  Captured *captured = captureOf(stream);
  if (!captured)
    return cudaSuccess;
  captured->capture->isInvalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t gpuopt::cuda::checkNotCaptured(cudaEvent_t event) {
  std::lock_guard lock(Program::get().mutex);
  auto found = captures().events.find(event);
  if (found == captures().events.end())
    return cudaSuccess;
  found->second.capture->isInvalid = true;
  return cudaErrorCapturedEvent;
}

static thread_local cudaStreamCaptureMode threadMode =
    cudaStreamCaptureModeGlobal;

cudaError_t gpuopt::cuda::checkNothingCaptured() {
  std::lock_guard lock(Program::get().mutex);
  cudaError_t error = cudaSuccess;
  for (auto &[stream, captured] : captures().streams) {
    Capture &capture = *captured.capture;
    bool isOwn = capture.thread == std::this_thread::get_id();
    bool forbids = threadMode != cudaStreamCaptureModeRelaxed &&
                   (isOwn ? capture.mode != cudaStreamCaptureModeRelaxed
                          : capture.mode == cudaStreamCaptureModeGlobal &&
                                threadMode == cudaStreamCaptureModeGlobal);
    if (!forbids)
      continue;
    capture.isInvalid = true;
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

void gpuopt::cuda::forgetCapture(cudaStream_t stream) {
  std::lock_guard lock(Program::get().mutex);
  captures().streams.erase(stream);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  if (!mode)
    return remember(cudaErrorInvalidValue);
  std::swap(threadMode, *mode);
  return remember(cudaSuccess);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   cudaStreamCaptureMode mode) {
  return call([&](Program &) {
    // The stream that others wait for is never captured.
    if (!stream || stream == cudaStreamLegacy)
      return cudaErrorStreamCaptureUnsupported;
    if (captureOf(stream))
      return cudaErrorIllegalState;
    auto capture = std::make_shared<Capture>();
    capture->origin = stream;
    capture->mode = mode;
    capture->number = ++captures().count;
    captures().streams[stream] = {std::move(capture), {}};
    return cudaSuccess;
  });
}

/// Whether the stream where a capture has begun waits, at the end, for all that
/// the others have to do.
static bool isJoined(const Capture &capture) {
  llvm::SmallPtrSet<cudaGraphNode_t, 16> reached;
  std::vector<cudaGraphNode_t> open = captureOf(capture.origin)->last;
  while (!open.empty()) {
    cudaGraphNode_t node = open.back();
    open.pop_back();
    if (reached.insert(node).second)
      llvm::append_range(open, node->dependencies);
  }
  return llvm::all_of(captures().streams, [&](const auto &entry) {
    const Captured &captured = entry.second;
    return captured.capture.get() != &capture ||
           llvm::all_of(captured.last, [&](cudaGraphNode_t node) {
             return reached.contains(node);
           });
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  return call([&](Program &) {
    const Captured *captured = captureOf(stream);
    if (!captured)
      return cudaErrorIllegalState;
    std::shared_ptr<Capture> capture = captured->capture;
    if (capture->origin != stream) {
      capture->isInvalid = true;
      return cudaErrorStreamCaptureUnmatched;
    }
    bool wasJoined = isJoined(*capture);
    auto isOf = [&](const auto &entry) {
      return entry.second.capture == capture;
    };
    std::erase_if(captures().streams, isOf);
    std::erase_if(captures().events, isOf);
    if (graph)
      *graph = nullptr;
    if (capture->isInvalid || !wasJoined)
      return capture->isInvalid ? cudaErrorStreamCaptureInvalidated
                                : cudaErrorStreamCaptureUnjoined;
    if (graph)
      *graph = capture->graph.release();
    return cudaSuccess;
  });
}

static cudaStreamCaptureStatus statusOf(const Captured *captured) {
  return !captured                      ? cudaStreamCaptureStatusNone
         : captured->capture->isInvalid ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  cudaStreamCaptureStatus *status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr,
                                  nullptr);
}

cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                         unsigned long long *number, cudaGraph_t *graph,
                         const cudaGraphNode_t **last, size_t *count) {
  return call([&](Program &) {
    if (!status)
      return cudaErrorInvalidValue;
    const Captured *captured = captureOf(stream);
    *status = statusOf(captured);
    if (*status != cudaStreamCaptureStatusActive)
      return cudaSuccess;
    if (number)
      *number = captured->capture->number;
    if (graph)
      *graph = captured->capture->graph.get();
    if (last)
      *last = captured->last.data();
    if (count)
      *count = captured->last.size();
    return cudaSuccess;
  });
}
