//===- Case.h - one kernel through some passes ------------------*- C++ -*-===//
//
// Runs a kernel as it is and behind passes, in the CPU executor and on the same
// data, and says what is wrong with the passes' result.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_FUZZ_CASE_H
#define TEST_FUZZ_CASE_H

#include "test/fuzz/KernelGenerator.h"

#include "llvm/ADT/StringRef.h"

#include <memory>

namespace gpuopt::fuzz {

/// What became of a kernel behind passes.
struct Outcome {
  enum Kind {
    /// The passes changed nothing.
    Unchanged,
    /// They did, and the result computes the same.
    Equal,
    /// The kernel itself is no kernel, or does what none may.
    BadKernel,
    /// A pass failed, or what it made is no valid IR or cannot be lowered.
    Invalid,
    /// The result has a fault that the kernel has not.
    Fault,
    /// An output differs.
    Differs,
    Crash,
    Hang
  };
  Kind kind = Unchanged;
  std::string detail;

  bool isFailure() const { return kind > Equal; }
};

llvm::StringRef toString(Outcome::Kind kind);

/// A kernel and what it computes.
class Case {
public:
  explicit Case(GeneratedKernel kernel);
  ~Case();

  /// Runs the kernel as it is: `Equal`, or `BadKernel`.
  Outcome runReference();
  /// Runs it behind `passes`, the text of a pipeline on a module.
  Outcome run(llvm::StringRef passes);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_CASE_H
