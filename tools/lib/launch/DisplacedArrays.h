//===- DisplacedArrays.h - arrays that are not aligned ----------*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_DISPLACEDARRAYS_H
#define TOOLS_LIB_LAUNCH_DISPLACEDARRAYS_H

#include "tools/lib/launch/Problem.h"

namespace gpuopt {

/// While it lives, arguments of a launch that point to displaced arrays of a
/// problem point to copies, which lie as far behind an aligned place as these
/// ask for. In the end the arrays get what the copies hold.
class DisplacedArrays {
public:
  DisplacedArrays(Problem &problem,
                  llvm::MutableArrayRef<KernelArgument> arguments);
  ~DisplacedArrays();
  DisplacedArrays(const DisplacedArrays &) = delete;
  DisplacedArrays &operator=(const DisplacedArrays &) = delete;

private:
  struct Copy {
    ProblemArray *array;
    std::vector<uint8_t> storage;
    /// Within `storage`.
    uint8_t *begin;
  };
  std::vector<Copy> copies;
};

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_DISPLACEDARRAYS_H
