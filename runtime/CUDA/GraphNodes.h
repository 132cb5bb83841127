//===- GraphNodes.h - what graphs consist of, for Graph*.cpp ----*- C++ -*-===//

#ifndef RUNTIME_CUDA_GRAPHNODES_H
#define RUNTIME_CUDA_GRAPHNODES_H

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/Program.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

/// A node, which belongs to one graph.
struct CUgraphNode_st {
  cudaGraphNodeType type;
  gpuopt::cuda::NodeWork work;
  std::vector<cudaGraphNode_t> dependencies;
  /// Of a node that stands for a whole graph: its own copy of that.
  std::unique_ptr<CUgraph_st> child;
};

/// A graph; `graphs()` has all that there are.
struct CUgraph_st {
  CUgraph_st();
  ~CUgraph_st();
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  /// Whether a node has it.
  bool isChild = false;
};

namespace gpuopt::cuda {

/// All graphs, the copies that nodes have among them.
std::set<cudaGraph_t> &graphs();

/// Calls `use` where the graph is one.
template <class Use>
cudaError_t withGraph(cudaGraph_t graph, Use use) {
  return call([&](Program &) {
    return graphs().contains(graph) ? use() : cudaErrorInvalidValue;
  });
}

/// The graph that has the node; null where there is no such node.
cudaGraph_t graphOf(cudaGraphNode_t node);

/// Calls `use` where the node is one.
template <class Use>
cudaError_t withNode(cudaGraphNode_t node, Use use) {
  return call(
      [&](Program &) { return graphOf(node) ? use() : cudaErrorInvalidValue; });
}

cudaGraphNode_t addNode(cudaGraph_t graph, cudaGraphNodeType type,
                        NodeWork work);

/// A copy of all nodes, and of the order between them.
std::unique_ptr<CUgraph_st> copyOf(const CUgraph_st &graph);

/// What nodes do that are made of such parameters, each of which is checked
/// when the node runs; nothing of parameters that no node can have.
std::optional<NodeWork> workOf(const cudaKernelNodeParams *kernel);
std::optional<NodeWork> workOf(const cudaMemcpy3DParms *copy);
std::optional<NodeWork> workOf(const cudaMemsetParams *what);
std::optional<NodeWork> workOf(const cudaHostNodeParams *host);
NodeWork workOfCopy(void *to, const void *from, size_t bytes,
                    cudaMemcpyKind kind);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_GRAPHNODES_H
