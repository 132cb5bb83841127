//===- Wishes.h - what gpuopt run wants of a program ------------*- C++ -*-===//

#ifndef RUNTIME_CUDA_WISHES_H
#define RUNTIME_CUDA_WISHES_H

#include <cstdint>

namespace gpuopt::cuda {

/// What environment variables say; see LaunchLog.h.
struct Wishes {
  bool checks = false;
  bool sanitizes = false;
  bool profiles = false;
  uint64_t every = 1;
  uint64_t first = UINT64_MAX;

  static const Wishes &get();

  bool looksAtLaunches() const { return checks || sanitizes || profiles; }
  /// Whether to look at a launch of a kernel, counted from 0.
  bool includes(uint64_t launch) const {
    return looksAtLaunches() && launch % every == 0 && launch / every < first;
  }
};

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_WISHES_H
