//===- StaticProfile.h - a profile without a run ----------------*- C++ -*-===//
//
// What the access functions of a kernel predict of its requests, where they are
// affine: verdict, sectors, lines and bank conflicts of each access
// (`gpuopt profile --static`). test/tools/profile-static.test holds the figures
// against those of runs.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_STATICPROFILE_H
#define TOOLS_LIB_PROFILE_STATICPROFILE_H

#include "passes/Analysis/AccessReport.h"
#include "tools/lib/compile/Compiler.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

/// One access of the source. Copies of which the same is predicted are one.
struct PredictedAccess {
  AccessReport fact;
  unsigned copies = 1;
  /// Share of the sectors of all that is predicted.
  double trafficShare = 0;

  /// False where its address is not affine; `reason` says why.
  bool isPredicted() const;
  /// False where no thread of the first block gets there, such as in the
  /// general version beside a fast one.
  bool isReached() const { return !isPredicted() || fact.executions != 0; }
  /// Sectors that a block moves.
  double sectorsPerBlock() const;
};

/// One version of a kernel in blocks of one shape.
struct StaticProfile {
  KernelInfo kernel;
  bool isTuned = false;
  Dim3 block = {1, 1, 1};
  std::vector<PredictedAccess> accesses;
  /// Sizes that nobody gave: "k = 4096".
  std::vector<std::string> assumptions;
};

/// Predicts the kernel as written or, where `tuned`, as the compiler left it.
/// `block` is the original launch's. The error is for kernels that have become
/// a sequence of launches.
llvm::Expected<StaticProfile> predictProfile(const Compilation &compilation,
                                             const KernelInfo &kernel,
                                             bool tuned,
                                             const std::optional<Dim3> &block);

/// Prints for a person.
void printProfile(const StaticProfile &profile, TargetAttr target,
                  llvm::raw_ostream &os);

/// The same as JSON; see docs/profile.md.
llvm::json::Object makeReport(const StaticProfile &profile, TargetAttr target);

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_STATICPROFILE_H
