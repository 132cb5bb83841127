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
  explicit StreamScope(cudaStream_t stream) : outer(innermost) {
    innermost = stream;
  }
  ~StreamScope() { innermost = outer; }
  StreamScope(const StreamScope &) = delete;
  StreamScope &operator=(const StreamScope &) = delete;

  /// Nothing where the program waits for what is done.
  static std::optional<cudaStream_t> current() { return innermost; }

private:
  inline static thread_local std::optional<cudaStream_t> innermost;
  std::optional<cudaStream_t> outer;
};

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_STREAMSCOPE_H
