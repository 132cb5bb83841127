//===- CompilerIdentity.cpp - what tells builds of the compiler apart -----===//

#include "tools/lib/cache/CacheKey.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <elf.h>
#include <link.h>

using namespace gpuopt;
using namespace llvm;

/// The build id in the notes of one segment, as hexadecimal digits.
static std::string buildIdIn(const char *notes, size_t size) {
  auto align = [](size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(notes);
    size_t total =
        sizeof(*note) + align(note->n_namesz) + align(note->n_descsz);
    if (total > size)
      break;
    StringRef name(notes + sizeof(*note), note->n_namesz);
    if (note->n_type == NT_GNU_BUILD_ID && name == StringRef("GNU\0", 4))
      return toHex(StringRef(notes + sizeof(*note) + align(note->n_namesz),
                             note->n_descsz));
    notes += total;
    size -= total;
  }
  return "";
}

/// Appends the build ids of the object that holds this code and of LLVM's,
/// MLIR's and Clang's libraries to a string.
static int addBuildId(dl_phdr_info *object, size_t, void *data) {
  StringRef path = object->dlpi_name;
  auto contains = [&](const void *address) {
    auto value = reinterpret_cast<uintptr_t>(address);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr) &header = object->dlpi_phdr[i];
      uintptr_t begin = object->dlpi_addr + header.p_vaddr;
      if (header.p_type == PT_LOAD && value >= begin &&
          value < begin + header.p_memsz)
        return true;
    }
    return false;
  };
  bool isOurs = contains(reinterpret_cast<const void *>(&buildIdIn));
  bool isLibrary = path.contains("libLLVM") || path.contains("libMLIR") ||
                   path.contains("libclang");
  if (!isOurs && !isLibrary)
    return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = object->dlpi_phdr[i];
    if (header.p_type == PT_NOTE)
      *static_cast<std::string *>(data) +=
          " " + buildIdIn(reinterpret_cast<const char *>(object->dlpi_addr +
                                                         header.p_vaddr),
                          header.p_memsz);
  }
  return 0;
}

std::string gpuopt::compilerIdentity() {
  std::string identity = "LLVM " LLVM_VERSION_STRING;
  dl_iterate_phdr(addBuildId, &identity);
  return identity;
}
