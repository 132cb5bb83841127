//===- Graphs.h - work that is done later -----------------------*- C++ -*-===//
//
// A stream that is being captured does nothing: its operations become nodes of
// a graph. Streams that wait for an event of it join it.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_GRAPHS_H
#define RUNTIME_CUDA_GRAPHS_H

#include "runtime/CUDA/API.h"

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace gpuopt::cuda {

/// What a node does, each time that its graph is launched.
using Operation = std::function<cudaError_t()>;

/// A launch with the arguments of the moment at which it was asked for, which
/// its `kernelParams` point to.
struct KeptLaunch {
  struct Arguments {
    std::vector<std::vector<uint8_t>> values;
    std::vector<void *> places;
  };
  cudaKernelNodeParams launch = {};
  bool isCooperative = false;
  /// Copies share them.
  std::shared_ptr<Arguments> arguments;
};

/// What programs may ask a node for.
using NodeParameters =
    std::variant<std::monostate, KeptLaunch, cudaMemcpy3DParms,
                 cudaMemsetParams, cudaHostNodeParams>;

struct NodeWork {
  Operation operation;
  NodeParameters parameters = {};
};

/// Whether operations of `stream` become nodes.
bool isCaptured(cudaStream_t stream);

/// Makes a node of `operation` where `stream` is captured, or does it.
cudaError_t enqueue(cudaStream_t stream, cudaGraphNodeType type,
                    Operation operation, NodeParameters parameters = {});

/// Whether the event is recorded by a node, and no time of its own.
bool captureEvent(cudaEvent_t event, cudaStream_t stream);
/// Lets a stream that waits for such an event join the capture; nothing where
/// it is no such event.
std::optional<cudaError_t> captureWait(cudaStream_t stream, cudaEvent_t event);

/// Nobody can wait for what has not begun: an error where that is captured,
/// whose capture comes to nothing with it.
cudaError_t checkNotCaptured(cudaStream_t stream);
cudaError_t checkNotCaptured(cudaEvent_t event);
/// The same of all streams whose capture forbids it.
cudaError_t checkNothingCaptured();

/// A stream that there is no more is not captured.
void forgetCapture(cudaStream_t stream);

/// Memory of a graph, which it has from the beginning: allocates it again where
/// the program has freed it since.
Operation allocateWithGraph(void *pointer, size_t bytes);

/// Does nothing: what is freed in a graph is there for its next launch, and
/// goes with it.
Operation freeWithGraph(void *pointer);

/// A launch with the arguments of now.
NodeWork makeLaunch(const void *stub, dim3 grid, dim3 block, void **arguments,
                    size_t bytes, bool isCooperative);

/// A call of a function of the host, when what is before it is done.
Operation callLater(std::function<void()> function);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_GRAPHS_H
