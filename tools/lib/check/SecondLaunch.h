//===- SecondLaunch.h - the launch of a second file's kernel ----*- C++ -*-===//
//
// Two kernels that do the same need not be launched alike: a program of Triton
// is a block, whose number of threads is its own. Expressions over the sizes of
// the first kernel's launch, `(n + 1023) / 1024`, say what the second one's is.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_SECONDLAUNCH_H
#define TOOLS_LIB_CHECK_SECONDLAUNCH_H

#include "runtime/Launch.h"
#include "tools/lib/launch/Number.h"

#include "llvm/Support/Error.h"

#include <string>

namespace gpuopt {

/// Empty texts stand for what the first kernel's launch has.
struct SecondLaunch {
  /// `X,Y,Z`, or less of it.
  std::string grid, block;
  std::string sharedBytes;

  /// The launch for `first` with these sizes; `requiredBlock` is the block that
  /// the kernel cannot do without. The error names what cannot be evaluated.
  llvm::Expected<LaunchConfig>
  evaluate(const LaunchConfig &first, const NumberMap &sizes,
           const std::optional<Dim3> &requiredBlock) const;
};

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_SECONDLAUNCH_H
