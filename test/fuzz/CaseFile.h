//===- CaseFile.h - a kernel, its launch and passes, as text ----*- C++ -*-===//

#ifndef TEST_FUZZ_CASEFILE_H
#define TEST_FUZZ_CASEFILE_H

#include "test/fuzz/KernelGenerator.h"

namespace gpuopt::fuzz {

/// The kernel as MLIR text that begins with comments for the rest:
///
///   // launch: 2 1 1 32 1 1
///   // size: nx 33
///   // same: b0 o1
///   // passes: gpu.module(gpuopt-coalesce-accesses)
std::string writeCase(const GeneratedKernel &kernel, const std::string &passes);

/// Reads what `writeCase` has written to a file; false where it is none.
bool readCase(const std::string &path, GeneratedKernel &kernel,
              std::string &passes);

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_CASEFILE_H
