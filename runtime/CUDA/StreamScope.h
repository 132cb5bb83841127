//===- StreamScope.h - the stream that a thread works for -------*- C++ -*-===//
//
// What streams, and graphs that are launched on them, have to do is done by the
// same functions that programs call to wait for it.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_STREAMSCOPE_H
#define RUNTIME_CUDA_STREAMSCOPE_H

#include "runtime/CUDA/API.h"

#include <optional>

namespace gpuopt::cuda {

/// While it lives, what its thread does is put on a stream, and not waited for.
class StreamScope {
public:
  /// With `isReplay`, for a graph.
  explicit StreamScope(cudaStream_t stream, bool isReplay = false)
      : outer(innermost) {
    innermost = Scope{stream, isReplay};
  }
  ~StreamScope() { innermost = outer; }
  StreamScope(const StreamScope &) = delete;
  StreamScope &operator=(const StreamScope &) = delete;

  /// Nothing where the program waits for what is done.
  static std::optional<cudaStream_t> current() {
    return innermost ? std::optional(innermost->stream) : std::nullopt;
  }
  /// Whether it is done for a graph.
  static bool isReplay() { return innermost && innermost->isReplay; }

private:
  struct Scope {
    cudaStream_t stream = nullptr;
    bool isReplay = false;
  };
  inline static thread_local std::optional<Scope> innermost;
  std::optional<Scope> outer;
};

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_STREAMSCOPE_H
