//===- BlockBounds.h - the blocks that a kernel can have --------*- C++ -*-===//

#ifndef RUNTIME_BLOCKBOUNDS_H
#define RUNTIME_BLOCKBOUNDS_H

#include "runtime/Launch.h"

#include "llvm/IR/Function.h"

#include <optional>
#include <string>

namespace gpuopt {

/// Blocks that a kernel is compiled for; the driver launches no others.
struct BlockBounds {
  /// Threads of a block, as `__launch_bounds__` gives them.
  int64_t leastThreads = 1;
  std::optional<int64_t> mostThreads;
  /// The only shape, as `reqd_work_group_size` gives it.
  std::optional<Dim3> shape;

  /// Why a launch with such blocks fails; nothing where it does not.
  std::optional<std::string> findViolation(const Dim3 &block) const;
};

/// What the attributes of a kernel for NVIDIA's or AMD's target say, and what
/// OpenCL's metadata does.
BlockBounds blockBoundsOf(const llvm::Function &kernel);

} // namespace gpuopt

#endif // RUNTIME_BLOCKBOUNDS_H
