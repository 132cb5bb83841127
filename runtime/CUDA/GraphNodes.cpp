//===- GraphNodes.cpp - what nodes of graphs do ---------------------------===//

#include "runtime/CUDA/GraphNodes.h"
#include "runtime/CUDA/StreamScope.h"

using namespace gpuopt;
using namespace gpuopt::cuda;

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

std::optional<NodeWork> cuda::workOf(const cudaKernelNodeParams *kernel) {
  if (!kernel || kernel->extra)
    return std::nullopt;
  return makeLaunch(kernel->func, kernel->gridDim, kernel->blockDim,
                    kernel->kernelParams, kernel->sharedMemBytes,
                    /*isCooperative=*/false);
}

std::optional<NodeWork> cuda::workOf(const cudaMemcpy3DParms *copy) {
  if (!copy)
    return std::nullopt;
  return NodeWork{[copy = *copy] { return cudaMemcpy3D(&copy); }, *copy};
}

NodeWork cuda::workOfCopy(void *to, const void *from, size_t bytes,
                          cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters = {};
  parameters.srcPtr = {const_cast<void *>(from), bytes, bytes, 1};
  parameters.dstPtr = {to, bytes, bytes, 1};
  parameters.extent = {bytes, 1, 1};
  parameters.kind = kind;
  return {[=] { return cudaMemcpy(to, from, bytes, kind); }, parameters};
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

std::optional<NodeWork> cuda::workOf(const cudaMemsetParams *what) {
  if (!what)
    return std::nullopt;
  return NodeWork{[what = *what] { return fill(what); }, *what};
}

std::optional<NodeWork> cuda::workOf(const cudaHostNodeParams *host) {
  if (!host || !host->fn)
    return std::nullopt;
  return NodeWork{callLater([host = *host] { host.fn(host.userData); }), *host};
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

//===----------------------------------------------------------------------===//
// Nodes that a program adds
//===----------------------------------------------------------------------===//

/// Adds a node behind others of the graph.
static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *dependencies, size_t count,
                       cudaGraphNodeType type, std::optional<NodeWork> work) {
  return withGraph(graph, [&] {
    llvm::ArrayRef<cudaGraphNode_t> before(dependencies,
                                           dependencies ? count : 0);
    if (!work || !node || before.size() != count ||
        !llvm::all_of(before, [&](cudaGraphNode_t other) {
          return graphOf(other) == graph;
        }))
      return cudaErrorInvalidValue;
    *node = addNode(graph, type, std::move(*work));
    (*node)->dependencies.assign(before.begin(), before.end());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t count,
                                   const cudaKernelNodeParams *kernel) {
  if (kernel && kernel->extra)
    return remember(cudaErrorNotSupported);
  return add(node, graph, dependencies, count, cudaGraphNodeTypeKernel,
             workOf(kernel));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t count,
                                   const cudaMemcpy3DParms *copy) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
             workOf(copy));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies,
                                     size_t count, void *to, const void *from,
                                     size_t bytes, cudaMemcpyKind kind) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
             workOfCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node,
                                           cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           size_t count, const void *symbol,
                                           const void *from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
             NodeWork{[=] {
               return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
             }});
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *node, cudaGraph_t graph,
    const cudaGraphNode_t *dependencies, size_t count, void *to,
    const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
             NodeWork{[=] {
               return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
             }});
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies,
                                   size_t count, const cudaMemsetParams *what) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemset,
             workOf(what));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies,
                                 size_t count, const cudaHostNodeParams *host) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeHost,
             workOf(host));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies,
                                       size_t count, cudaGraph_t child) {
  return withGraph(child, [&] {
    // A copy, before the node: a graph may be put into itself.
    std::unique_ptr<CUgraph_st> copy = copyOf(*child);
    copy->isChild = true;
    cudaError_t error =
        add(node, graph, dependencies, count, cudaGraphNodeTypeGraph,
            NodeWork{[] { return cudaSuccess; }});
    if (error == cudaSuccess)
      (*node)->child = std::move(copy);
    return error;
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                            cudaGraph_t *graph) {
  return withNode(node, [&] {
    if (!graph || !node->child)
      return cudaErrorInvalidValue;
    *graph = node->child.get();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies,
                                        size_t count, cudaEvent_t event) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeEventRecord,
             NodeWork{[=] {
               return cudaEventRecord(event,
                                      StreamScope::current().value_or(nullptr));
             }});
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies,
                                      size_t count, cudaEvent_t event) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeWaitEvent,
             NodeWork{[=] {
               return cudaStreamWaitEvent(
                   StreamScope::current().value_or(nullptr), event, 0);
             }});
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
                   NodeWork{allocateWithGraph(memory->dptr, memory->bytesize)})
             : error;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies,
                                    size_t count, void *pointer) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemFree,
             NodeWork{freeWithGraph(pointer)});
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies,
                                  size_t count) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeEmpty,
             NodeWork{[] { return cudaSuccess; }});
}
