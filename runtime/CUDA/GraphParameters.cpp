//===- GraphParameters.cpp - what nodes of graphs are asked for -----------===//

#include "runtime/CUDA/GraphNodes.h"

using namespace gpuopt;
using namespace gpuopt::cuda;

/// Gives the parameters of a node that has such.
template <class Kept, class Given>
static cudaError_t give(cudaGraphNode_t node, Given *given,
                        const Given &(*get)(const Kept &)) {
  return withNode(node, [&] {
    const Kept *kept = std::get_if<Kept>(&node->work.parameters);
    if (!kept || !given)
      return cudaErrorInvalidValue;
    *given = get(*kept);
    return cudaSuccess;
  });
}

template <class Given>
static const Given &itself(const Given &given) {
  return given;
}

/// Replaces what a node does.
static cudaError_t set(cudaGraphNode_t node, cudaGraphNodeType type,
                       std::optional<NodeWork> work) {
  return withNode(node, [&] {
    if (!work || node->type != type)
      return cudaErrorInvalidValue;
    node->work = std::move(*work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         cudaKernelNodeParams *kernel) {
  return give<KeptLaunch>(
      node, kernel,
      +[](const KeptLaunch &kept) -> const cudaKernelNodeParams & {
        return kept.launch;
      });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams *kernel) {
  return set(node, cudaGraphNodeTypeKernel, workOf(kernel));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         cudaMemcpy3DParms *copy) {
  return give(node, copy, itself<cudaMemcpy3DParms>);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms *copy) {
  return set(node, cudaGraphNodeTypeMemcpy, workOf(copy));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to,
                                           const void *from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return set(node, cudaGraphNodeTypeMemcpy, workOfCopy(to, from, bytes, kind));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         cudaMemsetParams *what) {
  return give(node, what, itself<cudaMemsetParams>);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemsetParams *what) {
  return set(node, cudaGraphNodeTypeMemset, workOf(what));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       cudaHostNodeParams *host) {
  return give(node, host, itself<cudaHostNodeParams>);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const cudaHostNodeParams *host) {
  return set(node, cudaGraphNodeTypeHost, workOf(host));
}
