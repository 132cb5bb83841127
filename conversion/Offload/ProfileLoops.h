//===- ProfileLoops.h - how much of a loop's time is parallel ---*- C++ -*-===//
//
// A copy of a program that measures the sequential loops out of which data
// regions could be hoisted, and the parallel loops in them:
//
//   { gpuopt_offload_begin(0);
//   for (t = 0; t < steps; t++)
//     { gpuopt_offload_begin(1);
//   #pragma omp parallel for
//     for (i = 0; i < n; i++)
//       …
//     gpuopt_offload_end(1); }
//   gpuopt_offload_end(0); }
//
// With 80 % of its time or more in parallel code, hoisting is worth it (4.4.3.1
// of the thesis).
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_PROFILELOOPS_H
#define CONVERSION_OFFLOAD_PROFILELOOPS_H

#include "mlir/Support/LLVM.h"

#include <map>
#include <string>
#include <vector>

namespace gpuopt::offload {

/// Shares of the time of sequential loops, by the offset of the loop in its
/// file.
using ParallelShares = std::map<unsigned, double>;

struct ProfiledProgram {
  std::string text;
  /// A sequential loop: its offset, and the sections of it and of the parallel
  /// loops in it.
  struct Loop {
    unsigned offset = 0;
    int section = 0;
    std::vector<int> parallel;
  };
  std::vector<Loop> loops;

  /// The shares by the lines that the program has written.
  ParallelShares sharesOf(llvm::StringRef lines) const;
};

/// The program in the file `path` with such measurements.
mlir::FailureOr<ProfiledProgram>
profileLoops(llvm::StringRef path, llvm::ArrayRef<std::string> clangArguments);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_PROFILELOOPS_H
