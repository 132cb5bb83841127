//===- LargestBlock.h - the most threads of a block -------------*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_LARGESTBLOCK_H
#define DIALECTS_GPUOPT_LARGESTBLOCK_H

#include <cstdint>

namespace gpuopt {

/// No block has more threads, whatever the GPU: where no target is known,
/// analyses rely on it, and so machine descriptions cannot say otherwise
/// (`TargetAttr::verify`).
inline constexpr int64_t kMostThreadsOfBlock = 1024;

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_LARGESTBLOCK_H
