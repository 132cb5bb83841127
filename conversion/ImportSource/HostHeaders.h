//===- HostHeaders.h - where the host's headers are -------------*- C++ -*-===//
//
// Clang's driver knows where this machine keeps the C and C++ standard headers;
// it is asked once per process. It also knows where a CUDA SDK is installed.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_HOSTHEADERS_H
#define CONVERSION_IMPORTSOURCE_HOSTHEADERS_H

#include <string>
#include <vector>

namespace gpuopt {

/// `-internal-isystem DIR` and its like; empty where there are no headers.
const std::vector<std::string> &hostHeaderArguments();

/// Directory of Clang's own headers.
const std::string &clangResourceDirectory();

/// Directory of the CUDA SDK that is installed on this machine; empty where
/// there is none.
const std::string &installedCUDASDK();

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_HOSTHEADERS_H
