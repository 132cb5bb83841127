//===- HostHeaders.h - where the host's headers are -------------*- C++ -*-===//
//
// Clang's driver knows where this machine keeps the C and C++ standard headers;
// it is asked once per process. It also knows where a CUDA SDK is installed.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_HOSTHEADERS_H
#define CONVERSION_IMPORTSOURCE_HOSTHEADERS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gpuopt {

/// Where Clang's driver is told that it is. It finds its own directories beside
/// that, which need not be there: in the wheel they are without it.
const std::string &clangProgram();

/// `-internal-isystem DIR` and its like; empty where there are no headers.
const std::vector<std::string> &hostHeaderArguments();

/// Directory of Clang's own headers.
const std::string &clangResourceDirectory();

/// An installation of CUDA.
struct CUDASDK {
  /// Empty where there is none.
  std::string directory;
  /// `13.0`; the newest one that Clang knows where it is newer.
  std::string version;
};

/// The SDK in `directory`; where that is empty, the one that is installed on
/// this machine, if any.
CUDASDK findCUDASDK(llvm::StringRef directory);

/// Where the SDK of this machine keeps CUB, Thrust and libcu++, as `-idirafter
/// DIR`; empty where there are none.
const std::vector<std::string> &coreLibraryArguments();

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_HOSTHEADERS_H
