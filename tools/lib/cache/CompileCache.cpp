//===- CompileCache.cpp - what has been compiled, kept on disk ------------===//
//
// Upstream's localCache is not used: it ends the program where a disk is full.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/cache/CompileCache.h"

#include "conversion/EmitBinary/FileOutput.h"
#include "tools/lib/cache/CacheKey.h"
#include "tools/lib/compile/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace gpuopt;
using namespace llvm;

static constexpr uint64_t kDefaultLimit = uint64_t(256) << 20;

/// How pruneCache knows results from other files.
static constexpr StringLiteral kResultPrefix = "llvmcache-";

CompileCache::CompileCache(StringRef directory) {
  SmallString<128> place(directory);
  sys::path::append(place, "compiled-v1");
  path = place.str().str();
  std::optional<std::string> text = sys::Process::GetEnv("GPUOPT_CACHE_LIMIT");
  if (!text)
    return;
  if (Expected<uint64_t> bytes = parseCacheLimit(*text))
    limitHere = *bytes;
  else
    printWarning(SourcePosition(),
                 "GPUOPT_CACHE_LIMIT: " + toString(bytes.takeError()));
}

std::string CompileCache::pathOf(StringRef key) const {
  return path + "/" + kResultPrefix.str() + key.str();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The first line of a result.
static std::string checksum(StringRef key, StringRef value) {
  return makeCacheKey({key.str(), value.str()}) + "\n";
}

std::optional<std::string> CompileCache::lookUp(StringRef key) const {
  auto buffer = MemoryBuffer::getFile(pathOf(key), /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  StringRef text = (*buffer)->getBuffer();
  StringRef value = text.substr(text.find('\n') + 1);
  if (text.drop_back(value.size()) == checksum(key, value))
    return value.str();
  return std::nullopt;
}

void CompileCache::store(StringRef key, StringRef value) const {
  if (!sys::fs::create_directories(path))
    (void)replaceFile(pathOf(key), {checksum(key, value), value});
}

//===----------------------------------------------------------------------===//
// The directory
//===----------------------------------------------------------------------===//

/// Calls `take` with each result below `path`.
static std::error_code forEachResult(
    StringRef path,
    function_ref<std::error_code(const sys::fs::directory_entry &)> take) {
  std::error_code error;
  for (sys::fs::directory_iterator it(path, error), end; !error && it != end;
       it.increment(error))
    if (sys::path::filename(it->path()).starts_with(kResultPrefix))
      if (std::error_code failed = take(*it))
        return failed;
  return error == std::errc::no_such_file_or_directory ? std::error_code()
                                                       : error;
}

CacheUse CompileCache::use() const {
  CacheUse use;
  (void)forEachResult(path, [&](const sys::fs::directory_entry &entry) {
    if (ErrorOr<sys::fs::basic_file_status> status = entry.status()) {
      ++use.results;
      use.bytes += status->getSize();
    }
    return std::error_code();
  });
  return use;
}

Error CompileCache::clear() const {
  std::error_code error =
      forEachResult(path, [](const sys::fs::directory_entry &entry) {
        return sys::fs::remove(entry.path());
      });
  return error ? createStringError(path + ": " + error.message())
               : Error::success();
}

void CompileCache::prune() const {
  CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0); // Now, not once in a while.
  policy.Expiration = std::chrono::hours(90 * 24);
  policy.MaxSizeBytes = limit();
  pruneCache(path, policy);
}

//===----------------------------------------------------------------------===//
// The limit
//===----------------------------------------------------------------------===//

Expected<uint64_t> gpuopt::parseCacheLimit(StringRef text) {
  unsigned power = StringSwitch<unsigned>(text.take_back().lower())
                       .Case("k", 10)
                       .Case("m", 20)
                       .Case("g", 30)
                       .Default(0);
  StringRef digits = power ? text.drop_back() : text;
  if (digits.empty() || !all_of(digits, isDigit))
    return createStringError("a limit is a number of bytes such as 64m or 2g, "
                             "found '" +
                             text + "'");
  uint64_t number;
  if (digits.getAsInteger(10, number) ||
      number > std::numeric_limits<uint64_t>::max() >> power)
    return createStringError("a limit is less than 2^64 bytes, found '" + text +
                             "'");
  return number << power;
}

uint64_t CompileCache::limit() const {
  if (limitHere)
    return *limitHere;
  auto file = MemoryBuffer::getFile(path + "/limit", /*IsText=*/true);
  if (!file)
    return kDefaultLimit;
  Expected<uint64_t> bytes = parseCacheLimit((*file)->getBuffer().trim());
  if (bytes)
    return *bytes;
  consumeError(bytes.takeError());
  return kDefaultLimit;
}

Error CompileCache::setLimit(uint64_t bytes) const {
  if (std::error_code error = sys::fs::create_directories(path))
    return createStringError(path + ": " + error.message());
  std::string file = path + "/limit";
  if (std::error_code error = replaceFile(file, {std::to_string(bytes), "\n"}))
    return cannotWrite(file, error);
  if (bytes == 0)
    return clear();
  prune();
  return Error::success();
}
