//===- Search.h - the best design of a kernel -------------------*- C++ -*-===//
//
// Tries designs of one kernel for one launch and ranks them, by the analytical
// model (passes/Analysis/PerformanceModel.h) or by measured times:
//
//   gpuopt::SearchOptions options;
//   options.measure = [&](const gpuopt::VariantCode &variant) {
//     return timeOnMyGPU(variant.code, variant.symbol, variant.launch);
//   };
//   gpuopt::SearchResult result =
//       gpuopt::searchDesigns(*compilation, kernel, options);
//   compileOptions.designs[kernel.symbol] = result.chosen()->design;
//
// By the model the same input gives the same answer on every run, however many
// threads there are: what is tried next depends on what was found, never on
// when. A time budget can end the search early, at a point that the result
// names; such a result is `partial`.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_SEARCH_SEARCH_H
#define TOOLS_SEARCH_SEARCH_H

#include "tools/search/DesignCache.h"
#include "tools/search/Variant.h"

#include "llvm/Support/JSON.h"

#include <functional>

namespace gpuopt {

/// A variant for a GPU to time.
struct VariantCode {
  const Variant &variant;
  /// What `Compilation::emit` gives: PTX or HSACO.
  std::string code;
  OutputKind kind = OutputKind::PTX;
  std::string symbol;
  LaunchConfig launch;
};

/// Seconds of one launch; nothing where it cannot be measured, which drops the
/// variant.
using MeasureVariant =
    std::function<std::optional<double>(const VariantCode &)>;

struct SearchOptions {
  /// Seconds after which no new variants are begun; 0: no limit.
  double budgetSeconds = 0;
  /// Threads that make variants; 0: one for each core.
  unsigned threads = 0;
  /// Called in one thread, for the variants that the model ranks first.
  MeasureVariant measure;
  /// Where whole results are kept, but those of measurements; null: nowhere.
  DesignCache *cache = nullptr;
  /// Told how many of how many variants are done so far.
  std::function<void(int64_t done, int64_t total)> progress;
};

struct SearchResult {
  /// The best first; what was dropped comes last.
  std::vector<Variant> variants;
  /// Designs that merging spans; the variants are those that were made.
  int64_t spaceSize = 0;
  /// The launch that was tuned for: work items in x, y, z.
  Dim3 items = {1, 1, 1};
  /// What had to be assumed: {"m = 4096"}.
  std::vector<std::string> assumptions;
  /// The time budget ended the search.
  bool isPartial = false;
  /// Why there is nothing to search; empty where there is.
  std::string reason;
  bool isFromCache = false;

  /// The best legal variant; null where there is none.
  const Variant *chosen() const;
};

/// Searches for `kernel` of `compilation`, whose sizes are the launch's.
SearchResult searchDesigns(const Compilation &compilation,
                           const KernelInfo &kernel,
                           const SearchOptions &options);

/// One object for each variant, as `variants` of the report has them.
llvm::json::Array toJSON(const SearchResult &result);

/// A whole result as the cache holds it, and back; nothing where `text` is
/// none.
std::string serialize(const SearchResult &result);
std::optional<SearchResult> deserialize(llvm::StringRef text);

/// The table of `gpuopt tune`.
void printTable(const SearchResult &result, const KernelInfo &kernel,
                TargetAttr target, llvm::raw_ostream &os);

} // namespace gpuopt

#endif // TOOLS_SEARCH_SEARCH_H
