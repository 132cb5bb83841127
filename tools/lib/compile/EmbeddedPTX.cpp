//===- EmbeddedPTX.cpp - PTX inside objects and programs ------------------===//

#include "tools/lib/compile/EmbeddedPTX.h"

#include "conversion/EmitBinary/CUDAToolkit.h"
#include "conversion/EmitBinary/FileOutput.h"
#include "runtime/DeviceImages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace gpuopt;

/// How NVIDIA's fat binaries begin.
static constexpr StringLiteral kFatBinaryMagic = "\x50\xed\x55\xba";

bool gpuopt::isBinaryInput(StringRef path) {
  auto begin = MemoryBuffer::getFileSlice(path, /*MapSize=*/64, /*Offset=*/0);
  if (!begin)
    return false;
  StringRef bytes = (*begin)->getBuffer();
  return bytes.starts_with(kFatBinaryMagic) ||
         bytes.starts_with("\x7f"
                           "ELF") ||
         identify_magic(bytes) == file_magic::archive;
}

//===----------------------------------------------------------------------===//
// gpuopt's own
//===----------------------------------------------------------------------===//

/// Nothing is found in files that are not ELF, nor in those of other compilers.
static Expected<std::vector<EmbeddedPTX>> readOwnImages(StringRef path) {
  std::vector<EmbeddedPTX> modules;
  auto file = object::ObjectFile::createObjectFile(path);
  if (!file) {
    consumeError(file.takeError());
    return modules;
  }
  auto found = readImages(*file->getBinary());
  if (!found)
    return found.takeError();
  for (const DeviceImageRef &image : found->images)
    if (image.role == ImageRole::Assembly)
      modules.push_back({image.arch.str(), image.bytes.str()});
  return modules;
}

//===----------------------------------------------------------------------===//
// NVIDIA's
//===----------------------------------------------------------------------===//

/// What `cuobjdump -ptx` prints.
static Expected<std::string> listPTX(StringRef path) {
  std::string lister = findCUDATool("cuobjdump", "GPUOPT_CUOBJDUMP");
  if (lister.empty())
    return createStringError(
        "PTX in binaries is listed by NVIDIA's cuobjdump, which was not found: "
        "install it (pip install nvidia-cuda-cuobjdump) or set "
        "GPUOPT_CUOBJDUMP");
  auto output = TemporaryFile::create("ptx");
  if (!output)
    return output.takeError();
  auto log = TemporaryFile::create("log");
  if (!log)
    return log.takeError();
  StringRef arguments[] = {lister, "-ptx", path};
  std::optional<StringRef> redirects[] = {StringRef(""), (*output)->path(),
                                          (*log)->path()};
  std::string message;
  int status = sys::ExecuteAndWait(lister, arguments, std::nullopt, redirects,
                                   0, 0, &message);
  auto text = MemoryBuffer::getFile((*output)->path());
  auto problems = MemoryBuffer::getFile((*log)->path());
  if (status != 0 || !text)
    return createStringError(
        "cuobjdump cannot read it: " + message +
        (problems ? (*problems)->getBuffer().trim() : StringRef()));
  return (*text)->getBuffer().str();
}

/// Each module is headed
///   Fatbin ptx code:
///   ================
///   arch = sm_80
///   …
///   ptxasOptions =
/// and other code in the same way, with other words in front of "code:".
static std::vector<EmbeddedPTX> splitListing(StringRef listing) {
  std::vector<EmbeddedPTX> modules;
  static const Regex heading("^Fatbin ([a-z]+) code:$");
  SmallVector<StringRef> lines, groups;
  listing.split(lines, '\n');
  bool isPTX = false, isText = false;
  for (StringRef line : lines) {
    if (heading.match(line.rtrim(), &groups)) {
      isPTX = groups[1] == "ptx";
      isText = false;
      if (isPTX)
        modules.emplace_back();
    } else if (isText) {
      modules.back().text += (line + "\n").str();
    } else if (isPTX) {
      if (line.consume_front("arch = "))
        modules.back().arch = line.trim().str();
      isText = line.starts_with("ptxasOptions");
    }
  }
  return modules;
}

Expected<std::vector<EmbeddedPTX>> gpuopt::readEmbeddedPTX(StringRef path) {
  Expected<std::vector<EmbeddedPTX>> modules = readOwnImages(path);
  if (!modules || !modules->empty())
    return modules;
  Expected<std::string> listing = listPTX(path);
  if (!listing)
    return listing.takeError();
  *modules = splitListing(*listing);
  if (modules->empty())
    return createStringError("holds no PTX; kernels that it has as machine "
                             "code only cannot be read");
  return modules;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Names of the kernels of a module, as PTX has them.
static SmallVector<StringRef> kernelsOf(StringRef text) {
  SmallVector<StringRef> names;
  while (true) {
    auto [before, behind] = text.split(".entry");
    if (behind.empty())
      return names;
    StringRef name = behind.ltrim().take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == '$'; });
    if (!name.empty())
      names.push_back(name);
    text = behind;
  }
}

/// `mm` is the name of `mm`, and of `_Z2mmPfi`.
static bool isNameOf(StringRef name, StringRef symbol) {
  if (name == symbol || name == demangle(symbol))
    return true;
  ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.str().c_str()))
    return false;
  size_t length = 0;
  std::unique_ptr<char, void (*)(void *)> base(
      demangler.getFunctionBaseName(nullptr, &length), std::free);
  return base && name == base.get();
}

static unsigned numberOf(const EmbeddedPTX &module) {
  unsigned number = 0;
  StringRef arch = module.arch;
  if (arch.consume_front("sm_"))
    arch.consumeInteger(10, number);
  return number;
}

Expected<EmbeddedPTX> gpuopt::selectModule(std::vector<EmbeddedPTX> modules,
                                           ArrayRef<std::string> kernels) {
  llvm::sort(modules, [](const EmbeddedPTX &a, const EmbeddedPTX &b) {
    return numberOf(a) > numberOf(b);
  });
  StringSet<> seen;
  std::vector<EmbeddedPTX> candidates;
  SmallVector<std::string> names;
  for (EmbeddedPTX &module : modules) {
    bool isNew = false, isWanted = kernels.empty();
    for (StringRef symbol : kernelsOf(module.text)) {
      isNew |= seen.insert(symbol).second;
      isWanted |= any_of(kernels, [&](const std::string &name) {
        return isNameOf(name, symbol);
      });
      names.push_back(symbol.str());
    }
    if (isNew && isWanted)
      candidates.push_back(std::move(module));
  }
  if (candidates.size() == 1)
    return std::move(candidates.front());
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  if (names.empty())
    return createStringError("its PTX has no kernels");
  std::string list = join(names, ", ");
  if (candidates.empty())
    return createStringError("its PTX has no kernel '" + kernels.front() +
                             "'; it has " + list);
  return createStringError("it has several modules of PTX: choose a kernel of "
                           "one (--kernel) out of " +
                           list);
}
