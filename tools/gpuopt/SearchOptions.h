//===- SearchOptions.h - commands that search for designs -------*- C++ -*-===//

#ifndef TOOLS_GPUOPT_SEARCHOPTIONS_H
#define TOOLS_GPUOPT_SEARCHOPTIONS_H

#include "tools/gpuopt/CommandLine.h"
#include "tools/search/Search.h"

namespace gpuopt {

/// A kernel and what a search found for it.
using KernelSearch = std::pair<KernelInfo, SearchResult>;

/// What --search, --search-budget and --no-cache say; fails where one of them
/// is wrong.
llvm::Expected<SearchOptions>
searchOptions(const llvm::opt::InputArgList &arguments);

/// Whether --search asks for a search.
bool wantsSearch(const llvm::opt::InputArgList &arguments);

/// Searches for each kernel of `compilation`, with progress on a terminal.
std::vector<KernelSearch>
searchKernels(const Compilation &compilation, SearchOptions options,
              const llvm::opt::InputArgList &arguments);

/// Whether each kernel of `compilation` is what --design asks for; says why one
/// is not.
bool isMadeAsDesigned(const Compilation &compilation);

/// As Compilation::create, with the designs that a search finds where --search
/// asks for one. `searches` gets what it found.
std::unique_ptr<Compilation>
compileWithSearch(llvm::StringRef input, CompileOptions options,
                  const SearchOptions &search,
                  const llvm::opt::InputArgList &arguments,
                  std::vector<KernelSearch> &searches);

/// Adds what was considered to a compilation's report.
void addVariants(llvm::json::Array &report,
                 const std::vector<KernelSearch> &searches);

} // namespace gpuopt

#endif // TOOLS_GPUOPT_SEARCHOPTIONS_H
