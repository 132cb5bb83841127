//===- SizeUses.h - what a kernel does with its sizes -----------*- C++ -*-===//
//
// What has to be known of a kernel to choose sizes and a launch for it without
// being told: which integer parameters are sizes, and what of a launch it asks
// for.
//
//   if (i < n)                         n: a bound
//     for (int j = 0; j < m; ++j)      m: a bound
//       … a[i * lda + j + offset] …    lda: a stride, offset: neither
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_SIZEUSES_H
#define TOOLS_LIB_LAUNCH_SIZEUSES_H

#include "llvm/IR/Module.h"

#include <array>
#include <cstdint>
#include <vector>

namespace gpuopt {

/// What an integer parameter is.
enum class SizeRole {
  /// A flag, an offset, a value to compute with: nothing that sizes arrays.
  Other,
  /// The distance of rows: it multiplies subscripts, or divides them.
  Stride,
  /// It ends work items or loops: what is compared with it varies.
  Bound
};

struct SizeUses {
  /// By parameter; `Other` for those that are no integers.
  std::vector<SizeRole> roles;
  /// Whether blocks are told apart along x, y, z.
  std::array<bool, 3> readsBlockId = {};
  /// Whether the launch says how much workgroup memory there is.
  bool usesDynamicMemory = false;
  /// Extents of each array in workgroup memory, outermost first.
  std::vector<std::vector<uint64_t>> workgroupArrays;
};

/// The uses in the kernel `symbol` of `module`, into which all calls are
/// inlined.
SizeUses findSizeUses(const llvm::Module &module, llvm::StringRef symbol);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_SIZEUSES_H
