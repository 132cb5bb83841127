//===- HostHeaders.h - where the host's headers are -------------*- C++ -*-===//
//
// Clang's driver knows where this machine keeps the C and C++ standard headers;
// it is asked once per process.
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

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_HOSTHEADERS_H
