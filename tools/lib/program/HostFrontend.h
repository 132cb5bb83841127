//===- HostFrontend.h - Clang on the host side of a file --------*- C++ -*-===//

#ifndef TOOLS_LIB_PROGRAM_HOSTFRONTEND_H
#define TOOLS_LIB_PROGRAM_HOSTFRONTEND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace gpuopt {

/// What the host side of a file is beside the file itself.
struct HostSide {
  /// For a CUDA file the prelude stands in for the SDK, which looks like nvcc's
  /// or like Clang's.
  bool isCUDA = false;
  bool looksLikeNVCC = true;
  /// Device code that the object gets.
  std::optional<std::string> deviceSection;
  /// Of a file with OpenACC: the text of the host's side, in its place.
  std::optional<std::string> openACCText;
};

/// Runs Clang's front end in this process. `arguments` are those that Clang's
/// driver gives it, without `-cc1`. Prints diagnostics; false where there are
/// errors.
bool runHostFrontend(llvm::ArrayRef<const char *> arguments,
                     const HostSide &side);

} // namespace gpuopt

#endif // TOOLS_LIB_PROGRAM_HOSTFRONTEND_H
