//===- SearchOptions.cpp - commands that search for designs ---------------===//

#include "tools/gpuopt/SearchOptions.h"
#include "tools/gpuopt/GeometryOption.h"
#include "tools/lib/cache/CacheKey.h"
#include "tools/lib/compile/Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;
using opt::InputArgList;

Expected<SearchOptions> gpuopt::searchOptions(const InputArgList &arguments) {
  SearchOptions options;
  if (Error error = checkGeometryOption(arguments))
    return error;
  StringRef kind = arguments.getLastArgValue(OPT_search, "none");
  if (kind != "none" && kind != "model")
    return createStringError("--search takes none or model, found '" + kind +
                             "'");
  StringRef text = arguments.getLastArgValue(OPT_search_budget, "0");
  if (text.getAsDouble(options.budgetSeconds) || !(options.budgetSeconds >= 0))
    return createStringError(
        "--search-budget takes a number of seconds, found '" + text + "'");
  return options;
}

bool gpuopt::wantsSearch(const InputArgList &arguments) {
  return arguments.getLastArgValue(OPT_search, "none") == "model";
}

std::vector<KernelSearch> gpuopt::searchKernels(const Compilation &compilation,
                                                SearchOptions options,
                                                const InputArgList &arguments) {
  ProgressLine line(errs());
  if (showsProgress(arguments))
    options.progress = [&](int64_t done, int64_t total) {
      line.update(done, total, "variant");
    };
  std::unique_ptr<DesignCache> cache;
  if (!arguments.hasArg(OPT_no_cache))
    cache = DesignCache::open(cacheDirectory());
  options.cache = cache.get();
  std::vector<KernelSearch> searches;
  for (const KernelInfo &kernel : compilation.kernels()) {
    line.start(kernel.displayName + ": search");
    searches.push_back({kernel, searchDesigns(compilation, kernel, options)});
    line.clear();
    const SearchResult &result = searches.back().second;
    if (result.isPartial)
      printWarning(kernel.position,
                   "the search for '" + kernel.displayName +
                       "' was ended by --search-budget after " +
                       Twine(result.variants.size()) +
                       " variants: another run may choose another design");
  }
  return searches;
}

bool gpuopt::isMadeAsDesigned(const Compilation &compilation) {
  const CompileOptions &options = compilation.options();
  if (options.design == Design() || !options.optimize)
    return true;
  for (const KernelInfo &kernel : compilation.kernels()) {
    std::string why = whyNotMade(compilation, kernel, options.design);
    if (why.empty())
      continue;
    printError(kernel.position,
               "kernel '" + kernel.displayName +
                   "' cannot be made as --design says: " + why);
    return false;
  }
  return true;
}

std::unique_ptr<Compilation> gpuopt::compileWithSearch(
    StringRef input, CompileOptions options, const SearchOptions &search,
    const InputArgList &arguments, std::vector<KernelSearch> &searches) {
  std::unique_ptr<Compilation> compilation =
      compileWithGeometry(input, options, arguments);
  if (!compilation)
    return nullptr;
  // What is asked for is made, or nothing is.
  if (!isMadeAsDesigned(*compilation))
    return nullptr;
  if (!wantsSearch(arguments))
    return compilation;
  searches = searchKernels(*compilation, search, arguments);
  for (const auto &[kernel, result] : searches)
    if (!result.reason.empty())
      printWarning(kernel.position, "nothing to search for '" +
                                        kernel.displayName +
                                        "': " + result.reason);
  for (const auto &[kernel, result] : searches)
    if (const Variant *chosen = result.chosen())
      options.designs[kernel.symbol] = chosen->design;
  return options.designs.empty() ? std::move(compilation)
                                 : Compilation::create(input, options);
}

void gpuopt::addVariants(json::Array &report,
                         const std::vector<KernelSearch> &searches) {
  for (json::Value &entry : report)
    for (const auto &[kernel, result] : searches)
      if (entry.getAsObject()->getString("symbol") == kernel.symbol)
        (*entry.getAsObject())["variants"] = toJSON(result);
}
