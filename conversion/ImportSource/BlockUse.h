//===- BlockUse.h - kernels that are written for their block ----*- C++ -*-===//
//
// Whether a kernel does more with its block than to number its work items, so
// that it matters in what blocks it is launched.
//
//   blockIdx.x * blockDim.x + threadIdx.x      the work item's number
//   tile[threadIdx.y][threadIdx.x], barriers   more than that
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_BLOCKUSE_H
#define CONVERSION_IMPORTSOURCE_BLOCKUSE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

#include <array>
#include <optional>

namespace gpuopt {

/// Whether `kernel`, with everything inlined, may depend on its block: true
/// also where that cannot be told.
bool dependsOnBlock(const llvm::Function &kernel);

/// The largest block that the kernel's attributes let through, where it has one
/// dimension, or the only one: what it is most likely launched with.
std::optional<std::array<int64_t, 3>>
boundingBlock(const llvm::Function &kernel);

/// Notes what `kernel` is launched with, see `kLaunchBlockAttrName`.
void setLaunchBlock(llvm::Function &kernel,
                    const std::array<int64_t, 3> &block);

/// Takes that note off `kernel`; nothing where there is none.
std::optional<std::array<int32_t, 3>> takeLaunchBlock(llvm::Function &kernel);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_BLOCKUSE_H
