//===- DesignCache.h - results of searches, kept on disk --------*- C++ -*-===//
//
// One SQLite file, `designs-v1.sqlite3`, with a row for each search: a key that
// stands for all that the result depends on, and the result as JSON. Several
// processes may use it at once (write-ahead log, a timeout on locks), and one
// that is killed leaves what it was before or after its transaction.
//
// A file that cannot be written is read, and nothing is stored.
//
// A file that is damaged is set aside under another name, with a warning, and a
// new one is begun. Where the cache cannot be used at all, a warning says so
// once and everything goes on without it.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_SEARCH_DESIGNCACHE_H
#define TOOLS_SEARCH_DESIGNCACHE_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>

struct sqlite3;

namespace gpuopt {

class DesignCache {
public:
  /// Opens or creates the cache in `directory`; null, after a warning, where
  /// that is not possible.
  static std::unique_ptr<DesignCache> open(llvm::StringRef directory);

  /// What was stored under `key`; nothing where nothing was, or where it cannot
  /// be read (after a warning).
  std::optional<std::string> lookUp(llvm::StringRef key);

  /// Stores `value` under `key`, in the place of what was there.
  void store(llvm::StringRef key, llvm::StringRef value);

  uint64_t size();
  /// Removes all results; false, after a warning, where that is not possible.
  bool clear();

  /// The file of the cache in `directory`.
  static std::string fileIn(llvm::StringRef directory);

  ~DesignCache();

private:
  explicit DesignCache(llvm::StringRef file) : path(file.str()) {}
  bool connect(std::string &error, bool &isDamaged);
  bool connectReadOnly();
  bool isWhole(std::string &error, bool &isDamaged);
  void close();
  bool execute(const char *statement, std::string &error, bool &isDamaged);
  bool setAside(llvm::StringRef why);
  void report(llvm::StringRef what);

  std::string path;
  sqlite3 *database = nullptr;
  /// Nothing can be stored.
  bool isReadOnly = false;
};

} // namespace gpuopt

#endif // TOOLS_SEARCH_DESIGNCACHE_H
