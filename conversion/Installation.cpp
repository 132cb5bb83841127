//===- Installation.cpp - what stands beside this code --------------------===//

#include "conversion/Installation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>
#include <link.h>

using namespace llvm;

/// The program, or the library where this code was loaded from.
static std::string ownFile() {
  static int anchor;
  Dl_info info;
  link_map *object = nullptr;
  // Only the program has no name.
  if (dladdr1(&anchor, &info, reinterpret_cast<void **>(&object),
              RTLD_DL_LINKMAP) &&
      object && *object->l_name)
    return object->l_name;
  return sys::fs::getMainExecutable(nullptr, &anchor);
}

static std::string findPrefix() {
  SmallString<256> path;
  if (sys::fs::real_path(ownFile(), path))
    return "";
  StringRef prefix = path;
  while (true) {
    prefix = sys::path::parent_path(prefix);
    if (prefix.size() <= 1)
      return "";
    if (sys::fs::is_directory(prefix + "/lib/gpuopt"))
      return prefix.str();
  }
}

const std::string &gpuopt::installationPrefix() {
  static const std::string prefix = findPrefix();
  return prefix;
}
