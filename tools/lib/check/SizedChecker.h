//===- SizedChecker.h - check at sizes that need not be given ---*- C++ -*-===//
//
// What `gpuopt check` does with one kernel: where sizes, block or grid are left
// open it chooses several (ChooseSizes.h), not all of which the tuned kernel
// has to take.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_SIZEDCHECKER_H
#define TOOLS_LIB_CHECK_SIZEDCHECKER_H

#include "tools/lib/check/Check.h"
#include "tools/lib/launch/ChooseSizes.h"

#include <functional>

namespace gpuopt {

class SizedChecker {
public:
  /// All three must outlive the checker. `executors` as `KernelChecker` has
  /// them.
  SizedChecker(const Compilation &compilation, const KernelInfo &kernel,
               const CheckOptions &options,
               std::shared_ptr<CheckExecutors> executors = nullptr)
      : compilation(compilation), kernel(kernel), options(options),
        settings(options),
        checker(compilation, kernel, settings, std::move(executors)) {}
  SizedChecker(const SizedChecker &) = delete;

  /// See `KernelChecker::compareWith`.
  void compareWith(ComparedKernel other) {
    checker.compareWith(std::move(other));
  }

  /// Called before each launch is checked, and behind it.
  std::function<void(const ChosenRun &)> onChoice;
  std::function<void(const ChosenRun &, const KernelCheck &)> onCheck;

  /// Checks with `given`, and with what is chosen for the rest as `wish` says.
  /// True where all launches passed. The error is for what keeps the kernel
  /// from running, and where no launch is one that the tuned kernel takes,
  /// unless the options let that pass.
  llvm::Expected<bool> check(const RunOptions &given, SizeWish wish);

private:
  const Compilation &compilation;
  const KernelInfo &kernel;
  const CheckOptions &options;
  /// The options, as far as sizes that were chosen allow. The checker reads
  /// them at each check.
  CheckOptions settings;
  KernelChecker checker;
};

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_SIZEDCHECKER_H
