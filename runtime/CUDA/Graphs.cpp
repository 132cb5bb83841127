//===- Graphs.cpp - graphs, and the order of their nodes ------------------===//

#include "runtime/CUDA/GraphNodes.h"

#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace gpuopt::cuda;

std::set<cudaGraph_t> &gpuopt::cuda::graphs() {
  static auto &all = *new std::set<cudaGraph_t>();
  return all;
}

CUgraph_st::CUgraph_st() { graphs().insert(this); }
CUgraph_st::~CUgraph_st() { graphs().erase(this); }

static bool contains(cudaGraph_t graph, cudaGraphNode_t node) {
  return llvm::any_of(graph->nodes,
                      [&](const auto &own) { return own.get() == node; });
}

cudaGraph_t gpuopt::cuda::graphOf(cudaGraphNode_t node) {
  auto found = llvm::find_if(
      graphs(), [&](cudaGraph_t graph) { return contains(graph, node); });
  return found == graphs().end() ? nullptr : *found;
}

cudaGraphNode_t gpuopt::cuda::addNode(cudaGraph_t graph, cudaGraphNodeType type,
                                      NodeWork work) {
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(
      type, std::move(work), std::vector<cudaGraphNode_t>(), nullptr));
  return graph->nodes.back().get();
}

std::unique_ptr<CUgraph_st> gpuopt::cuda::copyOf(const CUgraph_st &graph) {
  auto copy = std::make_unique<CUgraph_st>();
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto &node : graph.nodes) {
    cudaGraphNode_t made = addNode(copy.get(), node->type, node->work);
    if (node->child) {
      made->child = copyOf(*node->child);
      made->child->isChild = true;
    }
    copies[node.get()] = made;
  }
  for (const auto &node : graph.nodes)
    for (cudaGraphNode_t before : node->dependencies)
      copies[node.get()]->dependencies.push_back(copies[before]);
  return copy;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned) {
  return call([&](Program &) {
    if (!graph)
      return cudaErrorInvalidValue;
    *graph = new CUgraph_st();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return withGraph(graph, [&] {
    if (graph->isChild)
      return cudaErrorInvalidValue;
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  return withGraph(graph, [&] {
    if (!clone)
      return cudaErrorInvalidValue;
    *clone = copyOf(*graph).release();
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Nodes and edges
//===----------------------------------------------------------------------===//

/// Gives as many of `all` as there is room for, and how many they are.
static cudaError_t give(llvm::ArrayRef<cudaGraphNode_t> all,
                        cudaGraphNode_t *nodes, size_t *count) {
  if (!count)
    return cudaErrorInvalidValue;
  for (size_t number = 0; nodes && number < *count; ++number)
    nodes[number] = number < all.size() ? all[number] : nullptr;
  *count = nodes ? std::min(*count, all.size()) : all.size();
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *count) {
  return withGraph(graph, [&] {
    std::vector<cudaGraphNode_t> all;
    for (const auto &node : graph->nodes)
      all.push_back(node.get());
    return give(all, nodes, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                  size_t *count) {
  return withGraph(graph, [&] {
    std::vector<cudaGraphNode_t> roots;
    for (const auto &node : graph->nodes)
      if (node->dependencies.empty())
        roots.push_back(node.get());
    return give(roots, nodes, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *nodes,
                                         size_t *count) {
  return withNode(node, [&] { return give(node->dependencies, nodes, count); });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *nodes,
                                           size_t *count) {
  return withNode(node, [&] {
    std::vector<cudaGraphNode_t> behind;
    for (const auto &other : graphOf(node)->nodes)
      if (llvm::is_contained(other->dependencies, node))
        behind.push_back(other.get());
    return give(behind, nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *count) {
  return withGraph(graph, [&] {
    std::vector<cudaGraphNode_t> sources, targets;
    for (const auto &node : graph->nodes)
      for (cudaGraphNode_t before : node->dependencies) {
        sources.push_back(before);
        targets.push_back(node.get());
      }
    if (!count || !from != !to)
      return cudaErrorInvalidValue;
    size_t room = *count;
    give(sources, from, count);
    return give(targets, to, &room);
  });
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

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        size_t count) {
  return withGraph(graph, [&] {
    for (size_t number = 0; number < count; ++number) {
      if (!contains(graph, to[number]) ||
          !llvm::is_contained(to[number]->dependencies, from[number]))
        return cudaErrorInvalidValue;
      llvm::erase(to[number]->dependencies, from[number]);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 cudaGraphNodeType *type) {
  return withNode(node, [&] {
    if (!type)
      return cudaErrorInvalidValue;
    *type = node->type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return withNode(node, [&] {
    cudaGraph_t graph = graphOf(node);
    for (const auto &other : graph->nodes)
      llvm::erase(other->dependencies, node);
    llvm::erase_if(graph->nodes,
                   [&](const auto &own) { return own.get() == node; });
    return cudaSuccess;
  });
}

//===----------------------------------------------------------------------===//
// A picture
//===----------------------------------------------------------------------===//

static llvm::StringRef nameOf(cudaGraphNodeType type) {
  switch (type) {
  case cudaGraphNodeTypeKernel:
    return "kernel";
  case cudaGraphNodeTypeMemcpy:
    return "copy";
  case cudaGraphNodeTypeMemset:
    return "set";
  case cudaGraphNodeTypeHost:
    return "host";
  case cudaGraphNodeTypeGraph:
    return "graph";
  case cudaGraphNodeTypeWaitEvent:
    return "wait";
  case cudaGraphNodeTypeEventRecord:
    return "record";
  case cudaGraphNodeTypeMemAlloc:
    return "allocate";
  case cudaGraphNodeTypeMemFree:
    return "free";
  default:
    return "empty";
  }
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                   unsigned) {
  return withGraph(graph, [&] {
    if (!path)
      return cudaErrorInvalidValue;
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (error)
      return cudaErrorOperatingSystem;
    std::map<cudaGraphNode_t, size_t> numbers;
    file << "digraph graph_1 {\n";
    for (const auto &node : graph->nodes) {
      size_t number = numbers.size();
      numbers[node.get()] = number;
      file << "  node_" << number << " [label=\"" << number << ' '
           << nameOf(node->type) << "\"];\n";
    }
    for (const auto &node : graph->nodes)
      for (cudaGraphNode_t before : node->dependencies)
        file << "  node_" << numbers[before] << " -> node_"
             << numbers[node.get()] << ";\n";
    file << "}\n";
    return cudaSuccess;
  });
}
