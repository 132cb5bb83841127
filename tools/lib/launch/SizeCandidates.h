//===- SizeCandidates.h - sizes that are worth a try ------------*- C++ -*-===//
//
// The numbers that a kernel is tried with where nobody says which. For bounds
// n, m, k of about 64:
//
//   pattern    n   m   k    what for
//   Distinct   67  35  99   nothing divides them, and none is another
//   Rising     35  67  99   where one has to be less than another
//   Falling    99  67  35   the same
//   SameOdd    67  67  67   where two have to be the same
//   Round      64  64  64   where blocks or tiles have to divide them
//   Smallest    2   1   3   less than any tile
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_SIZECANDIDATES_H
#define TOOLS_LIB_LAUNCH_SIZECANDIDATES_H

#include "runtime/Launch.h"
#include "tools/lib/launch/SizeUses.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace gpuopt {

enum class SizePattern { Distinct, Rising, Falling, SameOdd, Round, Smallest };

/// Numbers for parameters that are what `roles` say, about as large as `base`,
/// a power of two. Strides are no less than any bound, unless they are `steps`:
/// what looks like one may be the number of a row. What is neither a bound nor
/// a stride is `other`, and steps are.
std::vector<int64_t> sizesOf(SizePattern pattern,
                             llvm::ArrayRef<SizeRole> roles, int64_t base,
                             int64_t other, bool areSteps = false);

/// The blocks to try, the most likely ones first: those as large as the arrays
/// in workgroup memory, `usual`, and others, all with the dimensions of
/// `usual`.
std::vector<Dim3> blocksToTry(const SizeUses &uses, const Dim3 &usual);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_SIZECANDIDATES_H
