//===- Graphs.cpp - work that is done later -------------------------------===//

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/Program.h"
#include "runtime/CUDA/StreamScope.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace gpuopt;
using namespace gpuopt::cuda;

struct CUgraphNode_st {
  cudaGraphNodeType type;
  Operation operation;
  std::vector<cudaGraphNode_t> dependencies;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

namespace {
/// A node as an executable graph has it: it stays when the graph goes.
struct Step {
  cudaGraphNode_t node;
  cudaGraphNodeType type;
  Operation operation;
};
} // namespace

struct CUgraphExec_st {
  std::vector<Step> steps;
};

/// What there is.
struct Known {
  std::set<cudaGraph_t> graphs;
  std::set<cudaGraphExec_t> executables;
  /// The graphs that streams and the events of streams are captured to.
  std::map<cudaStream_t, cudaGraph_t> streams;
  std::map<cudaEvent_t, cudaGraph_t> events;
};

static Known &known() {
  static auto &all = *new Known();
  return all;
}

static bool contains(cudaGraph_t graph, cudaGraphNode_t node) {
  return llvm::any_of(graph->nodes,
                      [&](const auto &own) { return own.get() == node; });
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

static cudaGraph_t captureOf(cudaStream_t stream) {
  std::lock_guard lock(Program::get().mutex);
  auto found = known().streams.find(stream);
  return found == known().streams.end() ? nullptr : found->second;
}

bool gpuopt::cuda::isCaptured(cudaStream_t stream) {
  return captureOf(stream) != nullptr;
}

static cudaGraphNode_t addNode(cudaGraph_t graph, cudaGraphNodeType type,
                               Operation operation) {
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(
      type, std::move(operation), std::vector<cudaGraphNode_t>()));
  return graph->nodes.back().get();
}

cudaError_t gpuopt::cuda::enqueue(cudaStream_t stream, cudaGraphNodeType type,
                                  Operation operation) {
  cudaGraph_t graph = captureOf(stream);
  if (!graph) {
    StreamScope scope(stream);
    return operation();
  }
  return call([&](Program &) {
    addNode(graph, type, std::move(operation));
    return cudaSuccess;
  });
}

Operation gpuopt::cuda::callLater(std::function<void()> function) {
  return [function = std::move(function)] {
    bool isPassedOn = false;
    cudaError_t error = askGPU([&](GPU &gpu) {
      isPassedOn = true;
      return gpu.callOnHost(function);
    });
    if (error == cudaSuccess && !isPassedOn)
      function();
    return error;
  };
}

bool gpuopt::cuda::captureEvent(cudaEvent_t event, cudaStream_t stream) {
  std::lock_guard lock(Program::get().mutex);
  cudaGraph_t graph = captureOf(stream);
  if (graph)
    known().events[event] = graph;
  else
    known().events.erase(event);
  return graph;
}

bool gpuopt::cuda::captureWait(cudaStream_t stream, cudaEvent_t event) {
  std::lock_guard lock(Program::get().mutex);
  auto found = known().events.find(event);
  if (found == known().events.end())
    return false;
  known().streams[stream] = found->second;
  return true;
}

void gpuopt::cuda::forgetCapture(cudaStream_t stream) {
  std::lock_guard lock(Program::get().mutex);
  known().streams.erase(stream);
}

static void endCapture(cudaGraph_t graph) {
  auto isOf = [&](const auto &entry) { return entry.second == graph; };
  std::erase_if(known().streams, isOf);
  std::erase_if(known().events, isOf);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return call([&](Program &) {
    // The stream that others wait for is never captured.
    if (!stream || stream == cudaStreamLegacy)
      return cudaErrorStreamCaptureUnsupported;
    if (isCaptured(stream))
      return cudaErrorIllegalState;
    auto *graph = new CUgraph_st();
    known().graphs.insert(graph);
    known().streams[stream] = graph;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  return call([&](Program &) {
    cudaGraph_t captured = captureOf(stream);
    if (!captured)
      return cudaErrorIllegalState;
    if (graph)
      *graph = captured;
    endCapture(captured);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  cudaStreamCaptureStatus *status) {
  return call([&](Program &) {
    if (!status)
      return cudaErrorInvalidValue;
    *status = isCaptured(stream) ? cudaStreamCaptureStatusActive
                                 : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Calls `use` where the graph is one.
template <class Use>
static cudaError_t withGraph(cudaGraph_t graph, Use use) {
  return call([&](Program &) {
    return known().graphs.contains(graph) ? use() : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned) {
  return call([&](Program &) {
    if (!graph)
      return cudaErrorInvalidValue;
    *graph = new CUgraph_st();
    known().graphs.insert(*graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return withGraph(graph, [&] {
    endCapture(graph);
    known().graphs.erase(graph);
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  return withGraph(graph, [&] {
    if (!clone)
      return cudaErrorInvalidValue;
    auto *copy = new CUgraph_st();
    std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
    for (const auto &node : graph->nodes)
      copies[node.get()] = addNode(copy, node->type, node->operation);
    for (const auto &node : graph->nodes)
      for (cudaGraphNode_t before : node->dependencies)
        copies[node.get()]->dependencies.push_back(copies[before]);
    known().graphs.insert(copy);
    *clone = copy;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *count) {
  return withGraph(graph, [&] {
    if (!count)
      return cudaErrorInvalidValue;
    size_t all = graph->nodes.size();
    for (size_t number = 0; nodes && number < *count; ++number)
      nodes[number] = number < all ? graph->nodes[number].get() : nullptr;
    *count = nodes ? std::min(*count, all) : all;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 cudaGraphNodeType *type) {
  return call([&](Program &) {
    if (!node || !type)
      return cudaErrorInvalidValue;
    *type = node->type;
    return cudaSuccess;
  });
}

/// Adds a node behind others of the graph.
static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *dependencies, size_t count,
                       cudaGraphNodeType type, Operation operation) {
  return withGraph(graph, [&] {
    llvm::ArrayRef<cudaGraphNode_t> before(dependencies,
                                           dependencies ? count : 0);
    if (!node || before.size() != count ||
        !llvm::all_of(before, [&](cudaGraphNode_t other) {
          return contains(graph, other);
        }))
      return cudaErrorInvalidValue;
    *node = addNode(graph, type, std::move(operation));
    (*node)->dependencies.assign(before.begin(), before.end());
    return cudaSuccess;
  });
}

static Operation launchOf(const cudaKernelNodeParams &kernel) {
  return makeLaunch(kernel.func, kernel.gridDim, kernel.blockDim,
                    kernel.kernelParams, kernel.sharedMemBytes,
                    /*isCooperative=*/false);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t count,
                                   const cudaKernelNodeParams *kernel) {
  if (!kernel || kernel->extra)
    return remember(kernel ? cudaErrorNotSupported : cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeKernel,
             launchOf(*kernel));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t count,
                                   const cudaMemcpy3DParms *copy) {
  if (!copy)
    return remember(cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
             [copy = *copy] { return cudaMemcpy3D(&copy); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t count, void *to, const void *from,
                                     size_t bytes, cudaMemcpyKind kind) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
             [=] { return cudaMemcpy(to, from, bytes, kind); });
}

/// Elements of 1, 2 or 4 bytes, in rows.
static cudaError_t fill(const cudaMemsetParams &what) {
  size_t width = what.width * what.elementSize;
  auto *begin = static_cast<uint8_t *>(what.dst);
  auto check = [&](Program &program) {
    bool isElement =
        what.elementSize == 1 || what.elementSize == 2 || what.elementSize == 4;
    if (!isElement || (what.height > 1 && what.pitch < width))
      return cudaErrorInvalidValue;
    for (size_t row = 0; row < what.height; ++row)
      if (!program.isOnDevice(begin + row * what.pitch, width))
        return cudaErrorInvalidValue;
    return cudaSuccess;
  };
  return callOnDevice(
      check,
      [&](GPU &gpu) {
        return gpu.fill({what.dst, what.pitch, what.value, what.elementSize,
                         what.width, what.height});
      },
      [&](Program &program) {
        for (size_t row = 0; row < what.height; ++row) {
          uint8_t *place = begin + row * what.pitch;
          for (size_t x = 0; x < width; ++x)
            place[x] = uint8_t(what.value >> 8 * (x % what.elementSize));
          program.memory.noteWrite(place, width);
        }
        return cudaSuccess;
      });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t count, const cudaMemsetParams *what) {
  if (!what)
    return remember(cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemset,
             [what = *what] { return fill(what); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies,
                                 size_t count, const cudaHostNodeParams *host) {
  if (!host || !host->fn)
    return remember(cudaErrorInvalidValue);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeHost,
             callLater([host = *host] { host.fn(host.userData); }));
}

Operation gpuopt::cuda::freeWithGraph(void *pointer) {
  std::lock_guard lock(Program::get().mutex);
  const Allocation *now = Program::get().memory.find(pointer);
  uint64_t number = now && now->begin == pointer ? now->number : 0;
  // Nobody has asked for what may have been freed before, and become another's.
  auto release = [number](void *last) {
    Program &program = Program::get();
    std::lock_guard held(program.mutex);
    const Allocation *found = program.memory.find(last);
    if (found && found->begin == last && found->number == number)
      program.memory.release(last, MemoryKind::Device);
  };
  return [memory = std::shared_ptr<void>(pointer, release)] {
    return cudaSuccess;
  };
}

Operation gpuopt::cuda::allocateWithGraph(void *pointer, size_t bytes) {
  Program &program = Program::get();
  std::lock_guard lock(program.mutex);
  const Allocation *now = program.memory.find(pointer);
  uint64_t number = now ? now->number : 0;
  program.memory.reserve(pointer);
  // Until the last graph with it goes.
  auto unreserve = [](void *last) {
    std::lock_guard held(Program::get().mutex);
    Program::get().memory.unreserve(last);
  };
  return [=, place = std::shared_ptr<void>(pointer, unreserve)] {
    return call([&](Program &running) {
      const Allocation *known = running.memory.find(pointer);
      bool isThere = known && known->number == number;
      return isThere || running.memory.allocateAgain(pointer, bytes, number)
                 ? cudaSuccess
                 : cudaErrorMemoryAllocation;
    });
  };
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t count,
                                     cudaMemAllocNodeParams *memory) {
  if (!memory)
    return remember(cudaErrorInvalidValue);
  cudaError_t error = cudaMalloc(&memory->dptr, memory->bytesize);
  return error == cudaSuccess
             ? add(node, graph, dependencies, count, cudaGraphNodeTypeMemAlloc,
                   allocateWithGraph(memory->dptr, memory->bytesize))
             : error;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies,
                                    size_t count, void *pointer) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemFree,
             freeWithGraph(pointer));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies,
                                  size_t count) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeEmpty,
             [] { return cudaSuccess; });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count) {
  return withGraph(graph, [&] {
    for (size_t number = 0; number < count; ++number) {
      if (!contains(graph, from[number]) || !contains(graph, to[number]))
        return cudaErrorInvalidValue;
      to[number]->dependencies.push_back(from[number]);
    }
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Executable graphs
//===----------------------------------------------------------------------===//

/// Appends what `node` waits for, and itself. False where it waits for itself.
static bool append(cudaGraphNode_t node,
                   std::map<cudaGraphNode_t, bool> &isDone,
                   std::vector<Step> &steps) {
  auto [entry, isNew] = isDone.try_emplace(node, false);
  if (!isNew)
    return entry->second;
  for (cudaGraphNode_t before : node->dependencies)
    if (!append(before, isDone, steps))
      return false;
  steps.push_back({node, node->type, node->operation});
  isDone[node] = true;
  return true;
}

/// Nothing where nodes wait for each other in a circle.
static std::optional<std::vector<Step>> orderOf(cudaGraph_t graph) {
  std::vector<Step> steps;
  std::map<cudaGraphNode_t, bool> isDone;
  for (const auto &node : graph->nodes)
    if (!append(node.get(), isDone, steps))
      return std::nullopt;
  return steps;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long) {
  return withGraph(graph, [&] {
    auto steps = orderOf(graph);
    if (!executable || !steps)
      return cudaErrorInvalidValue;
    *executable = new CUgraphExec_st{std::move(*steps)};
    known().executables.insert(*executable);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable,
                                          cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

/// Calls `use` where the executable graph is one.
template <class Use>
static cudaError_t withExecutable(cudaGraphExec_t executable, Use use) {
  return call([&](Program &) {
    return known().executables.contains(executable) ? use()
                                                    : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return withExecutable(executable, [&] {
    known().executables.erase(executable);
    delete executable;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return withExecutable(executable, [] { return cudaSuccess; });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  // Functions of the host may call the API in other threads, and wait for them.
  std::vector<Step> steps;
  cudaError_t error = withExecutable(executable, [&] {
    steps = executable->steps;
    return cudaSuccess;
  });
  if (error != cudaSuccess)
    return error;
  return enqueue(stream, cudaGraphNodeTypeGraph, [=, steps = std::move(steps)] {
    StreamScope replay(StreamScope::current().value_or(stream),
                       /*isReplay=*/true);
    for (const Step &step : steps)
      if (cudaError_t failed = step.operation(); failed != cudaSuccess)
        return failed;
    return cudaSuccess;
  });
}

/// Whether what `executable` does can become `steps`.
static bool isAlike(cudaGraphExec_t executable, llvm::ArrayRef<Step> steps) {
  return llvm::equal(
      executable->steps, steps,
      [](const Step &a, const Step &b) { return a.type == b.type; });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  return withExecutable(executable, [&] {
    if (!known().graphs.contains(graph) || !result)
      return cudaErrorInvalidValue;
    auto steps = orderOf(graph);
    *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (!steps || !isAlike(executable, *steps)) {
      result->result = cudaGraphExecUpdateErrorTopologyChanged;
      return cudaErrorGraphExecUpdateFailure;
    }
    for (auto [old, updated] : llvm::zip_equal(executable->steps, *steps))
      old.operation = updated.operation;
    return cudaSuccess;
  });
}

cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable,
                                 cudaGraphNode_t node,
                                 const cudaKernelNodeParams *kernel) {
  return withExecutable(executable, [&] {
    auto found = llvm::find_if(executable->steps, [&](const Step &step) {
      return step.node == node && step.type == cudaGraphNodeTypeKernel;
    });
    if (!kernel || kernel->extra || found == executable->steps.end())
      return cudaErrorInvalidValue;
    found->operation = launchOf(*kernel);
    return cudaSuccess;
  });
}
