//===- PassChoice.h - which passes a kernel goes through --------*- C++ -*-===//

#ifndef TEST_FUZZ_PASSCHOICE_H
#define TEST_FUZZ_PASSCHOICE_H

#include <cstdint>
#include <string>
#include <vector>

namespace gpuopt::fuzz {

/// Some pipelines on a module for the kernel of `seed`, always the same: passes
/// alone, behind those that make what they work on, and in random orders. With
/// `name` all that end in a pass of that name.
std::vector<std::string> choosePipelines(uint64_t seed,
                                         const std::string &name);

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_PASSCHOICE_H
