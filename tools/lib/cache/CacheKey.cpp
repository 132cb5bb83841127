//===- CacheKey.cpp - what results on disk depend on ----------------------===//

#include "tools/lib/cache/CacheKey.h"

#include "conversion/EmitBinary/DeviceLibrary.h"
#include "conversion/EmitBinary/InstructionMix.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"

using namespace gpuopt;
using namespace llvm;

std::string gpuopt::cacheDirectory() {
  auto get = [](StringRef name) {
    return sys::Process::GetEnv(name).value_or("");
  };
  if (std::string directory = get("GPUOPT_CACHE_DIR"); !directory.empty())
    return directory;
  SmallString<128> path(get("XDG_CACHE_HOME"));
  if (path.empty()) {
    path = get("HOME");
    if (path.empty())
      return "";
    sys::path::append(path, ".cache");
  }
  sys::path::append(path, "gpuopt");
  return path.str().str();
}

std::string gpuopt::makeCacheKey(ArrayRef<std::string> parts) {
  SHA256 hash;
  for (const std::string &part : parts) {
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  }
  return toHex(hash.final(), /*LowerCase=*/true);
}

/// A file's path, size and time of change; the path alone where there is none.
static std::string identityOf(StringRef path) {
  sys::fs::file_status status;
  if (path.empty() || sys::fs::status(path, status))
    return path.str();
  return path.str() + " " + std::to_string(status.getSize()) + " " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

std::string gpuopt::deviceToolsIdentity() {
  std::string ROCm = findROCmDeviceLibraries();
  return makeCacheKey({identityOf(findPtxas()), identityOf(findDisassembler()),
                       identityOf(findLibdevice()),
                       identityOf(ROCm.empty() ? "" : ROCm + "/ocml.bc"),
                       identityOf(ROCm.empty() ? "" : ROCm + "/ockl.bc")});
}
