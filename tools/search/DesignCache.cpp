//===- DesignCache.cpp - results of searches, kept on disk ----------------===//

#include "tools/search/DesignCache.h"

#include "tools/lib/cache/CacheKey.h"
#include "tools/lib/compile/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <sqlite3.h>

using namespace gpuopt;
using namespace llvm;

/// How long one process waits for another's transaction.
static constexpr int kBusyMilliseconds = 10000;

void DesignCache::report(StringRef what) {
  printWarning(SourcePosition(), "cache '" + path + "': " + what);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Whether an error of SQLite says that the file is not what it should be.
static bool saysDamaged(int code) {
  return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

bool DesignCache::execute(const char *statement, std::string &error,
                          bool &isDamaged) {
  int code = sqlite3_exec(database, statement, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK)
    return true;
  error = sqlite3_errmsg(database);
  isDamaged = saysDamaged(code);
  return false;
}

/// What `PRAGMA quick_check` says: "ok" for a file that is whole.
static int takeAnswer(void *answer, int columns, char **values, char **) {
  if (columns > 0 && values[0])
    *static_cast<std::string *>(answer) = values[0];
  return 0;
}

bool DesignCache::connect(std::string &error, bool &isDamaged) {
  close();
  isDamaged = false;
  if (sqlite3_open_v2(path.c_str(), &database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                      nullptr) != SQLITE_OK) {
    error = database ? sqlite3_errmsg(database) : "out of memory";
    return false;
  }
  sqlite3_busy_timeout(database, kBusyMilliseconds);
  // The log lets readers go on while one writes; a commit is durable after a
  // crash of the program, which is all that a cache needs.
  if (!execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;", error,
               isDamaged) ||
      !execute("CREATE TABLE IF NOT EXISTS designs (key TEXT PRIMARY KEY, "
               "created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, "
               "checksum TEXT NOT NULL, result TEXT NOT NULL) WITHOUT ROWID;",
               error, isDamaged))
    return false;
  return isWhole(error, isDamaged);
}

bool DesignCache::isWhole(std::string &error, bool &isDamaged) {
  std::string answer;
  int code = sqlite3_exec(database, "PRAGMA quick_check(1);", takeAnswer,
                          &answer, nullptr);
  if (code == SQLITE_OK && answer == "ok")
    return true;
  error = code == SQLITE_OK ? answer : sqlite3_errmsg(database);
  isDamaged = code == SQLITE_OK || saysDamaged(code);
  return false;
}

/// A part of a URI, in which only what is plain stands for itself.
static std::string escapeForURI(StringRef path) {
  std::string escaped;
  for (char c : path)
    escaped += isAlnum(c) || StringRef("/-_.~").contains(c)
                   ? std::string(1, c)
                   : "%" + toHex(StringRef(&c, 1));
  return escaped;
}

/// Opens a file that is there and cannot be written to. What of its log another
/// process has not yet brought into it is left out.
bool DesignCache::connectReadOnly() {
  close();
  std::string uri = "file:" + escapeForURI(path) + "?immutable=1";
  std::string error;
  bool isDamaged;
  isReadOnly = sqlite3_open_v2(uri.c_str(), &database,
                               SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                               nullptr) == SQLITE_OK &&
               isWhole(error, isDamaged);
  if (!isReadOnly)
    close();
  return isReadOnly;
}

void DesignCache::close() {
  if (database)
    sqlite3_close(database);
  database = nullptr;
}

DesignCache::~DesignCache() { close(); }

namespace {
/// Holds the lock beside the cache for as long as it lives.
class FileLock {
public:
  explicit FileLock(const Twine &path) {
    if (!sys::fs::openFileForWrite(path, descriptor, sys::fs::CD_OpenAlways))
      isHeld = !sys::fs::lockFile(descriptor);
  }
  FileLock(const FileLock &) = delete;
  ~FileLock() {
    if (isHeld)
      sys::fs::unlockFile(descriptor);
    if (descriptor >= 0)
      sys::Process::SafelyCloseFileDescriptor(descriptor);
  }

private:
  int descriptor = -1;
  bool isHeld = false;
};
} // namespace

/// Renames a damaged file and opens a new one. Another process may be doing the
/// same: who gets the lock looks again whether there is still something to do.
bool DesignCache::setAside(StringRef why) {
  FileLock lock(path + ".lock");
  std::string error;
  bool isDamaged;
  if (connect(error, isDamaged))
    return true;
  close();
  if (!isDamaged) {
    report(error + "; it is not used");
    return false;
  }
  std::string other;
  for (unsigned number = 1; other.empty() || sys::fs::exists(other); ++number)
    other = path + ".damaged-" + std::to_string(number);
  if (std::error_code failed = sys::fs::rename(path, other)) {
    report("it is damaged and cannot be set aside: " + failed.message());
    return false;
  }
  // The log belongs to the file.
  for (StringRef ending : {"-wal", "-shm"})
    sys::fs::remove(path + ending);
  report(("it is damaged (" + why + "); it is kept as '" + other +
          "', and a new one is begun")
             .str());
  if (connect(error, isDamaged))
    return true;
  report(error + "; it is not used");
  close();
  return false;
}

std::string DesignCache::fileIn(StringRef directory) {
  SmallString<128> file(directory);
  sys::path::append(file, "designs-v1.sqlite3");
  return file.str().str();
}

std::unique_ptr<DesignCache> DesignCache::open(StringRef directory) {
  if (directory.empty()) {
    printWarning(SourcePosition(),
                 "no directory for the cache is known: set GPUOPT_CACHE_DIR or "
                 "HOME");
    return nullptr;
  }
  std::unique_ptr<DesignCache> cache(new DesignCache(fileIn(directory)));
  if (std::error_code failed = sys::fs::create_directories(directory)) {
    cache->report("cannot create its directory: " + failed.message() +
                  "; it is not used");
    return nullptr;
  }
  std::string error;
  bool isDamaged;
  if (cache->connect(error, isDamaged))
    return cache;
  if (isDamaged) {
    if (cache->setAside(error))
      return cache;
    return nullptr;
  }
  if (cache->connectReadOnly())
    return cache;
  cache->report(error + "; it is not used");
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// A prepared statement.
class Statement {
public:
  Statement(sqlite3 *database, const char *text) {
    code = sqlite3_prepare_v2(database, text, -1, &statement, nullptr);
  }
  Statement(const Statement &) = delete;
  ~Statement() { sqlite3_finalize(statement); }

  void bind(int index, StringRef text) {
    if (code == SQLITE_OK)
      code = sqlite3_bind_text(statement, index, text.data(), text.size(),
                               SQLITE_TRANSIENT);
  }
  /// SQLITE_ROW, SQLITE_DONE or an error.
  int step() {
    if (code == SQLITE_OK)
      return sqlite3_step(statement);
    return code;
  }
  StringRef column(int index) {
    const unsigned char *text = sqlite3_column_text(statement, index);
    return StringRef(reinterpret_cast<const char *>(text),
                     sqlite3_column_bytes(statement, index));
  }

private:
  sqlite3_stmt *statement = nullptr;
  int code;
};
} // namespace

std::optional<std::string> DesignCache::lookUp(StringRef key) {
  if (!database)
    return std::nullopt;
  std::string why;
  {
    Statement select(database,
                     "SELECT checksum, result FROM designs WHERE key = ?");
    select.bind(1, key);
    int code = select.step();
    if (code == SQLITE_DONE)
      return std::nullopt;
    if (code == SQLITE_ROW) {
      std::string result = select.column(1).str();
      if (select.column(0) == makeCacheKey({key.str(), result}))
        return result;
      why = "a row is not what was stored";
    } else {
      why = sqlite3_errmsg(database);
      if (!saysDamaged(code)) {
        report(why);
        return std::nullopt;
      }
    }
  }
  // A row alone can be replaced.
  if (why == "a row is not what was stored") {
    report(why + "; it is made again");
    return std::nullopt;
  }
  setAside(why);
  return std::nullopt;
}

void DesignCache::store(StringRef key, StringRef value) {
  if (!database || isReadOnly)
    return;
  std::string why;
  {
    Statement insert(database, "INSERT OR REPLACE INTO designs (key, checksum, "
                               "result) VALUES (?, ?, ?)");
    insert.bind(1, key);
    insert.bind(2, makeCacheKey({key.str(), value.str()}));
    insert.bind(3, value);
    int code = insert.step();
    if (code == SQLITE_DONE)
      return;
    why = sqlite3_errmsg(database);
    if (!saysDamaged(code))
      return report(why + "; the result is not kept");
  }
  setAside(why);
}

uint64_t DesignCache::size() {
  Statement count(database, "SELECT count(*) FROM designs");
  uint64_t rows = 0;
  if (count.step() == SQLITE_ROW)
    count.column(0).getAsInteger(10, rows);
  return rows;
}

bool DesignCache::clear() {
  std::string error;
  bool isDamaged;
  if (execute("DELETE FROM designs; VACUUM; "
              "PRAGMA wal_checkpoint(TRUNCATE);",
              error, isDamaged))
    return true;
  report(error);
  return false;
}
