//===- Forked.h - in a process of its own -----------------------*- C++ -*-===//

#ifndef TEST_FUZZ_FORKED_H
#define TEST_FUZZ_FORKED_H

#include "test/fuzz/Case.h"

#include <functional>
#include <vector>

namespace gpuopt::fuzz {

/// Runs `kernel` as it is and behind each of `pipelines` in a process of its
/// own, so that crashes and endless loops are outcomes like others. The first
/// outcome is that of the kernel; no other follows where it is bad.
std::vector<Outcome> runForked(const GeneratedKernel &kernel,
                               const std::vector<std::string> &pipelines,
                               unsigned secondsEach);

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_FORKED_H
