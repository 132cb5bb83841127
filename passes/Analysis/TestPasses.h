//===- TestPasses.h - passes that make analyses visible to tests *- C++ -*-===//
//
// Only gpuopt-opt registers these.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_TESTPASSES_H
#define PASSES_ANALYSIS_TESTPASSES_H

namespace gpuopt {

/// `test-gpuopt-uniformity`: which ids values depend on.
void registerTestUniformityPass();

} // namespace gpuopt

#endif // PASSES_ANALYSIS_TESTPASSES_H
