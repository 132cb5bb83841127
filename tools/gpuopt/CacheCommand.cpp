//===- CacheCommand.cpp - gpuopt cache ------------------------------------===//

#include "tools/gpuopt/CommandLine.h"
#include "tools/lib/cache/CacheKey.h"
#include "tools/lib/cache/CompileCache.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/search/DesignCache.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using namespace llvm;

/// "1.5 MiB".
static std::string sizeText(uint64_t bytes) {
  std::string text;
  raw_string_ostream stream(text);
  if (bytes < 1024)
    stream << bytes << " bytes";
  else if (bytes < 1024 * 1024)
    stream << format("%.1f KiB", bytes / 1024.0);
  else
    stream << format("%.1f MiB", bytes / (1024.0 * 1024.0));
  return text;
}

static int show(StringRef directory) {
  CompileCache compiled(directory);
  CacheUse use = compiled.use();
  outs() << directory << '\n'
         << "compiled: " << use.results << " results, " << sizeText(use.bytes)
         << " of " << sizeText(compiled.limit()) << '\n';
  // To look must not make a new one.
  uint64_t searches = 0, bytes = 0;
  std::string file = DesignCache::fileIn(directory);
  if (!sys::fs::file_size(file, bytes))
    if (std::unique_ptr<DesignCache> designs = DesignCache::open(directory))
      searches = designs->size();
  outs() << "searches: " << searches << " results, " << sizeText(bytes) << '\n';
  return kDone;
}

static int clear(StringRef directory) {
  if (Error error = CompileCache(directory).clear()) {
    printError(directory, std::move(error));
    return kBadInput;
  }
  if (!sys::fs::exists(DesignCache::fileIn(directory)))
    return kDone;
  std::unique_ptr<DesignCache> designs = DesignCache::open(directory);
  return designs && designs->clear() ? kDone : kBadInput;
}

static int limit(StringRef directory, StringRef text) {
  Expected<uint64_t> bytes = parseCacheLimit(text);
  if (!bytes)
    return usageError(toString(bytes.takeError()));
  Error error = CompileCache(directory).setLimit(*bytes);
  if (!error)
    return kDone;
  printError(directory, std::move(error));
  return kBadInput;
}

int gpuopt::runCache(const opt::InputArgList &arguments) {
  std::vector<std::string> words = arguments.getAllArgValues(OPT_INPUT);
  if (words.empty())
    words.push_back("show");
  std::string directory = cacheDirectory();
  if (directory.empty()) {
    printError(SourcePosition(), "no directory for the cache is known: set "
                                 "GPUOPT_CACHE_DIR or HOME");
    return kBadInput;
  }
  if (words[0] == "show" && words.size() == 1)
    return show(directory);
  if (words[0] == "clear" && words.size() == 1)
    return clear(directory);
  if (words[0] == "limit" && words.size() == 2)
    return limit(directory, words[1]);
  return usageError("cache takes show, clear, or limit and a size");
}
