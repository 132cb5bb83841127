//===- Installation.h - what stands beside this code ------------*- C++ -*-===//

#ifndef CONVERSION_INSTALLATION_H
#define CONVERSION_INSTALLATION_H

#include <string>

namespace gpuopt {

/// Where this code is installed, or was built: the nearest directory above the
/// program or library that holds it which has `lib/gpuopt`. So `/opt/x` for
/// `/opt/x/bin/gpuopt` and for `/opt/x/lib/python3.12/site-packages/gpuopt/
/// _gpuopt.abi3.so`. Empty where there is none, as for a program that embeds
/// the library.
const std::string &installationPrefix();

} // namespace gpuopt

#endif // CONVERSION_INSTALLATION_H
