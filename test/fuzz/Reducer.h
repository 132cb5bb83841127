//===- Reducer.h - the smallest kernel that still fails ---------*- C++ -*-===//

#ifndef TEST_FUZZ_REDUCER_H
#define TEST_FUZZ_REDUCER_H

#include "test/fuzz/Case.h"

namespace gpuopt::fuzz {

/// Deletes from `kernel` what the failure `kind` behind `passes` does not need:
/// operations, whose results become constants or operands, and conditionals
/// around code. What it keeps is a kernel without faults of its own.
GeneratedKernel reduce(GeneratedKernel kernel, const std::string &passes,
                       Outcome::Kind kind, unsigned secondsEach);

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_REDUCER_H
