//===- CompileCache.h - what has been compiled, kept on disk ----*- C++ -*-===//
//
// A directory `compiled-v1` of files, one for each result, named by its key in
// the manner of LLVM's caches, so that upstream's pruning keeps their number
// down. A file appears as a whole or not at all, whatever happens to who writes
// it, and begins with a checksum: one that is not what was written is no
// result. Where nothing can be written, what is there is read.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CACHE_COMPILECACHE_H
#define TOOLS_LIB_CACHE_COMPILECACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace gpuopt {

/// How much a cache holds.
struct CacheUse {
  uint64_t results = 0;
  uint64_t bytes = 0;
};

class CompileCache {
public:
  /// The cache below `directory`, which need not exist. Warns where
  /// $GPUOPT_CACHE_LIMIT is no limit.
  explicit CompileCache(llvm::StringRef directory);

  /// What was stored under `key`; nothing where nothing was, or where it is
  /// damaged.
  std::optional<std::string> lookUp(llvm::StringRef key) const;

  /// Keeps `value` under `key`. Says nothing where that is not possible.
  void store(llvm::StringRef key, llvm::StringRef value) const;

  /// Removes what was not used for longest while the limit is passed. Several
  /// processes may do that, and store, at once.
  void prune() const;

  CacheUse use() const;

  /// The most bytes that it may hold, which whoever stores sees to at the end:
  /// $GPUOPT_CACHE_LIMIT, else what `setLimit` has said, else 256 MiB. 0 for a
  /// cache that is not used.
  uint64_t limit() const;
  llvm::Error setLimit(uint64_t bytes) const;

  /// Removes all results.
  llvm::Error clear() const;

private:
  std::string pathOf(llvm::StringRef key) const;

  std::string path;
  /// What the environment says.
  std::optional<uint64_t> limitHere;
};

/// Reads a number of bytes such as `64m` or `2g`.
llvm::Expected<uint64_t> parseCacheLimit(llvm::StringRef text);

} // namespace gpuopt

#endif // TOOLS_LIB_CACHE_COMPILECACHE_H
