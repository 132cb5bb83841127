//===- DeviceOutput.h - what kernels print ----------------------*- C++ -*-===//

#ifndef RUNTIME_CPU_DEVICEOUTPUT_H
#define RUNTIME_CPU_DEVICEOUTPUT_H

#include <string>

namespace gpuopt::runtime {

/// The text of a `printf` on a device of NVIDIA's, where `vprintf` gets the
/// arguments one behind the other, each at a multiple of its size: integers of
/// four or eight bytes, doubles, pointers (CUDA C++ Programming Guide,
/// "Formatted output"; the layout is Clang's).
std::string formatOutput(const char *format, const void *arguments);

/// `vprintf` of kernels: writes the text to standard output at once.
int printOutput(const char *format, const void *arguments);

/// Writes a line to standard error.
void printError(const std::string &text);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_DEVICEOUTPUT_H
