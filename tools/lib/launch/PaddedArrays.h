//===- PaddedArrays.h - arrays behind which there is room -------*- C++ -*-===//
//
// LLVM's back end widens loads that are aligned: of the 16 bytes some may lie
// behind the end of an array, where memory of a device has room.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_PADDEDARRAYS_H
#define TOOLS_LIB_LAUNCH_PADDEDARRAYS_H

#include "tools/lib/launch/Problem.h"

namespace gpuopt {

/// While it lives, arguments of a launch that point to arrays of a problem
/// point to copies that are as large as the next multiple of 16 bytes; what is
/// behind the arrays is NaN as a float. In the end the arrays get what the
/// copies hold. Arrays of such a size, and displaced ones, stay where they are.
class PaddedArrays {
public:
  PaddedArrays(Problem &problem,
               llvm::MutableArrayRef<KernelArgument> arguments);
  ~PaddedArrays();
  PaddedArrays(const PaddedArrays &) = delete;
  PaddedArrays &operator=(const PaddedArrays &) = delete;

  /// The arrays behind which something has been stored since.
  std::vector<std::string> overrun() const;

private:
  struct alignas(16) Granule {
    uint8_t bytes[16];
  };
  struct Copy {
    ProblemArray *array;
    std::vector<Granule> storage;
    llvm::ArrayRef<uint8_t> bytes() const;
    llvm::MutableArrayRef<uint8_t> bytes();
  };
  std::vector<Copy> copies;
};

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_PADDEDARRAYS_H
