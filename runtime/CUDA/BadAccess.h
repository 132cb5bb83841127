//===- BadAccess.h - a kernel that leaves its memory ------------*- C++ -*-===//

#ifndef RUNTIME_CUDA_BADACCESS_H
#define RUNTIME_CUDA_BADACCESS_H

#include <string>

namespace gpuopt::cuda {

/// While it lives, a signal for an access to no memory is said to be this
/// kernel's, before it ends the program. What lies behind an array may be
/// memory all the same: `gpuopt sanitize` checks every access.
class NameBadAccesses {
public:
  explicit NameBadAccesses(const std::string &kernel);
  ~NameBadAccesses();
  NameBadAccesses(const NameBadAccesses &) = delete;
};

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_BADACCESS_H
