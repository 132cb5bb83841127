//===- PlacedArrays.h - arrays where a launch wants them --------*- C++ -*-===//
//
// Memory of a device is aligned, but for arrays that are displaced. And where
// LLVM's back end has written a kernel, loads that are aligned may be wider
// than what is left of an array: memory of a device has room there.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_PLACEDARRAYS_H
#define TOOLS_LIB_LAUNCH_PLACEDARRAYS_H

#include "tools/lib/launch/Problem.h"

namespace gpuopt {

/// What a launch wants of the places of its arrays.
struct Placement {
  /// They begin where a device's allocations do, at multiples of 256 bytes.
  bool isAligned = false;
  /// Displaced ones lie as far behind an aligned place as they ask for.
  bool isDisplaced = false;
  /// Others are as large as the next multiple of 16 bytes; what is behind them
  /// is NaN as a float.
  bool isPadded = false;
};

/// While it lives, arguments of a launch that point to arrays of a problem
/// point to copies, where these need another place. In the end the arrays get
/// what the copies hold.
class PlacedArrays {
public:
  PlacedArrays(Problem &problem,
               llvm::MutableArrayRef<KernelArgument> arguments,
               Placement placement);
  ~PlacedArrays();
  PlacedArrays(const PlacedArrays &) = delete;
  PlacedArrays &operator=(const PlacedArrays &) = delete;

  /// The arrays behind which something has been stored since.
  std::vector<std::string> overrun() const;

private:
  struct Copy {
    ProblemArray *array;
    std::vector<uint8_t> storage;
    /// The array, and behind it what pads it; within `storage`.
    llvm::MutableArrayRef<uint8_t> bytes;
  };
  std::vector<Copy> copies;
};

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_PLACEDARRAYS_H
