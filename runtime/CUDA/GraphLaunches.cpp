//===- GraphLaunches.cpp - executable graphs ------------------------------===//

#include "runtime/CUDA/GraphNodes.h"
#include "runtime/CUDA/StreamScope.h"

using namespace gpuopt;
using namespace gpuopt::cuda;

namespace {
/// A node as an executable graph has it: it stays when the graph goes.
struct Step {
  cudaGraphNode_t node;
  cudaGraphNodeType type;
  Operation operation;
  bool isEnabled = true;
};
} // namespace

struct CUgraphExec_st {
  std::vector<Step> steps;
};

static std::set<cudaGraphExec_t> &executables() {
  static auto &all = *new std::set<cudaGraphExec_t>();
  return all;
}

static bool appendAll(const CUgraph_st &graph, std::vector<Step> &steps);

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
  if (node->child && !appendAll(*node->child, steps))
    return false;
  steps.push_back({node, node->type, node->work.operation});
  isDone[node] = true;
  return true;
}

/// False where nodes wait for each other in a circle.
static bool appendAll(const CUgraph_st &graph, std::vector<Step> &steps) {
  std::map<cudaGraphNode_t, bool> isDone;
  return llvm::all_of(graph.nodes, [&](const auto &node) {
    return append(node.get(), isDone, steps);
  });
}

static std::optional<std::vector<Step>> orderOf(cudaGraph_t graph) {
  std::vector<Step> steps;
  return appendAll(*graph, steps) ? std::optional(std::move(steps))
                                  : std::nullopt;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long) {
  return withGraph(graph, [&] {
    auto steps = orderOf(graph);
    if (!executable || !steps)
      return cudaErrorInvalidValue;
    *executable = new CUgraphExec_st{std::move(*steps)};
    executables().insert(*executable);
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
    return executables().contains(executable) ? use() : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return withExecutable(executable, [&] {
    executables().erase(executable);
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
      if (step.isEnabled)
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
    if (!graphs().contains(graph) || !result)
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

/// Calls `use` with the step of a node that the executable graph has.
template <class Use>
static cudaError_t withStep(cudaGraphExec_t executable, cudaGraphNode_t node,
                            Use use) {
  return withExecutable(executable, [&] {
    auto found = llvm::find_if(
        executable->steps, [&](const Step &step) { return step.node == node; });
    return found == executable->steps.end() ? cudaErrorInvalidValue
                                            : use(*found);
  });
}

/// Replaces what a node does when the graph is launched from now on.
static cudaError_t set(cudaGraphExec_t executable, cudaGraphNode_t node,
                       cudaGraphNodeType type, std::optional<NodeWork> work) {
  return withStep(executable, node, [&](Step &step) {
    if (!work || step.type != type)
      return cudaErrorInvalidValue;
    step.operation = std::move(work->operation);
    return cudaSuccess;
  });
}

cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable,
                                 cudaGraphNode_t node,
                                 const cudaKernelNodeParams *kernel) {
  return set(executable, node, cudaGraphNodeTypeKernel, workOf(kernel));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable,
                                             cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *copy) {
  return set(executable, node, cudaGraphNodeTypeMemcpy, workOf(copy));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable,
                                               cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return set(executable, node, cudaGraphNodeTypeMemcpy,
             workOfCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable,
                                             cudaGraphNode_t node,
                                             const cudaMemsetParams *what) {
  return set(executable, node, cudaGraphNodeTypeMemset, workOf(what));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable,
                                           cudaGraphNode_t node,
                                           const cudaHostNodeParams *host) {
  return set(executable, node, cudaGraphNodeTypeHost, workOf(host));
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable,
                                    cudaGraphNode_t node, unsigned isEnabled) {
  return withStep(executable, node, [&](Step &step) {
    if (step.type != cudaGraphNodeTypeKernel &&
        step.type != cudaGraphNodeTypeMemcpy &&
        step.type != cudaGraphNodeTypeMemset)
      return cudaErrorInvalidValue;
    step.isEnabled = isEnabled;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable,
                                    cudaGraphNode_t node, unsigned *isEnabled) {
  return withStep(executable, node, [&](Step &step) {
    if (!isEnabled)
      return cudaErrorInvalidValue;
    *isEnabled = step.isEnabled;
    return cudaSuccess;
  });
}
