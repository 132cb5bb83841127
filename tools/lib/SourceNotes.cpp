//===- SourceNotes.cpp - comments on what was done to a kernel ------------===//

#include "tools/lib/SourceNotes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuopt;
using llvm::StringRef;

/// What a transform is for; empty for those that only prepare others.
static StringRef purposeOf(StringRef pass) {
  return llvm::StringSwitch<StringRef>(pass)
      .Case("SpecializeSizes", "known sizes need no tests")
      .Case("UnrollAndJam", "a thread uses what it has loaded several times")
      .Case("UnrollStencils", "a thread uses what it has loaded several times")
      .Case("Coalesce", "threads side by side read elements side by side")
      .Cases({"MergeThreads", "MergeBlocks", "Merge"},
             "what has been loaded serves more work items")
      .Case("VersionGuards", "most blocks need no tests")
      .Case("VersionAlignment", "wide accesses need aligned addresses")
      .Case("DistributeTiles", "the whole block fills a tile at once")
      .Case("VectorizeAccesses", "one wide access costs less than several")
      .Case("Prefetch", "loads take place behind the arithmetic")
      .Case("EliminateBankConflicts", "no two threads wait for one bank")
      .Case("EliminatePartitionCamping",
            "blocks spread over the partitions of memory")
      .Case("SwizzleBlocks", "neighbours in time share the cache")
      .Default("");
}

std::vector<std::string>
gpuopt::makeSourceNotes(const KernelInfo &kernel,
                        const std::vector<Step> &steps) {
  llvm::MapVector<StringRef, std::vector<std::string>> byPass;
  for (const Step &step : steps) {
    if (step.outcome != Step::Outcome::Passed || !step.isAbout(kernel) ||
        step.reason.empty() || purposeOf(step.pass).empty())
      continue;
    std::vector<std::string> &reasons = byPass[step.pass];
    if (!llvm::is_contained(reasons, step.reason))
      reasons.push_back(step.reason);
  }
  std::vector<std::string> notes;
  for (const auto &[pass, reasons] : byPass) {
    std::string note = (pass + ": ").str();
    for (auto [number, reason] : llvm::enumerate(reasons))
      note += (number ? "; " : "") + reason;
    notes.push_back(note + ", so that " + purposeOf(pass).str() + ".");
  }
  return notes;
}
