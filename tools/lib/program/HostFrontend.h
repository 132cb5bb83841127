//===- HostFrontend.h - Clang on the host side of a file --------*- C++ -*-===//

#ifndef TOOLS_LIB_PROGRAM_HOSTFRONTEND_H
#define TOOLS_LIB_PROGRAM_HOSTFRONTEND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace gpuopt {

/// Runs Clang's front end in this process. `arguments` are those that Clang's
/// driver gives it, without `-cc1`. For a CUDA file the prelude stands in for
/// the SDK, which looks like nvcc's or like Clang's, and the object gets
/// `deviceSection`, if there is one. Prints diagnostics; false where there are
/// errors.
bool runHostFrontend(llvm::ArrayRef<const char *> arguments, bool isCUDA,
                     bool looksLikeNVCC,
                     const std::optional<std::string> &deviceSection);

} // namespace gpuopt

#endif // TOOLS_LIB_PROGRAM_HOSTFRONTEND_H
