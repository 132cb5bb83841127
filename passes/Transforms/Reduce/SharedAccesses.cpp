//===- SharedAccesses.cpp - whether lanes meet in memory ------------------===//

#include "passes/Transforms/Reduce/SharedAccesses.h"

#include <algorithm>
#include <cstdlib>

using namespace gpuopt;

bool gpuopt::meetInIterations(const SharedAccess &left,
                              const SharedAccess &right) {
  if (left.stride == 0 || left.stride != right.stride ||
      left.iterations.begins.empty() || left.iterations != right.iterations)
    return false;
  std::optional<int64_t> apart = (right.offset - left.offset).getConstant();
  if (!apart)
    return false;
  // [0, left) and [apart, apart + right) lie within one stride, whichever of
  // the two comes first.
  __int128 last = std::max<__int128>(left.bytes, *apart + right.bytes);
  __int128 first = std::min<__int128>(0, *apart);
  __int128 room = __int128(std::abs(left.stride)) * left.iterations.step;
  return last - first <= room;
}
