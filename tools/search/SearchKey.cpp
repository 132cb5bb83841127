//===- SearchKey.cpp - what the result of a search depends on -------------===//

#include "tools/search/SearchKey.h"

#include "tools/lib/cache/CacheKey.h"

using namespace gpuopt;

/// Counts up when the space, the order in which it is searched or the form of
/// results changes in a way that the build id would not tell.
static constexpr llvm::StringLiteral kSearchVersion = "search 1";

static std::string textOf(const SizeMap &sizes) {
  std::map<std::string, int64_t> sorted;
  for (const auto &[name, value] : sizes)
    sorted[name.str()] = value;
  std::string text;
  for (const auto &[name, value] : sorted)
    text += name + "=" + std::to_string(value) + ",";
  return text;
}

std::string gpuopt::searchKey(const Compilation &compilation,
                              const RaisedKernel &kernel, const Dim3 &items) {
  std::string target;
  llvm::raw_string_ostream(target) << compilation.target();
  std::string launch;
  for (int64_t extent : items)
    launch += std::to_string(extent) + ",";
  return makeCacheKey(
      {kSearchVersion.str(), compilerIdentity(), target, kernel.kernel.symbol,
       kernel.text, textOf(kernel.options.sizes),
       textOf(kernel.options.specialize), launch, deviceToolsIdentity()});
}
