//===- EmbeddedPTX.cpp - PTX inside objects and programs ------------------===//

#include "tools/lib/compile/EmbeddedPTX.h"

#include "conversion/EmitBinary/CUDAToolkit.h"
#include "conversion/EmitBinary/FileOutput.h"
#include "conversion/ImportPTX/Signature.h"
#include "conversion/PTX/Parser.h"
#include "runtime/DeviceImages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
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
  if (!sys::fs::is_regular_file(path))
    return false;
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

static Error addImages(const object::ObjectFile &file,
                       std::vector<EmbeddedPTX> &modules) {
  auto found = readImages(file);
  if (!found)
    return found.takeError();
  for (const DeviceImageRef &image : found->images)
    if (image.role == ImageRole::Assembly)
      modules.push_back({image.arch.str(), image.bytes.str()});
  return Error::success();
}

static Error addImagesOfMembers(const object::Archive &archive,
                                std::vector<EmbeddedPTX> &modules) {
  Error error = Error::success();
  for (const object::Archive::Child &child : archive.children(error)) {
    auto member = child.getAsBinary();
    if (!member) {
      consumeError(member.takeError());
      continue;
    }
    if (auto *file = dyn_cast<object::ObjectFile>(member->get()))
      if (Error problem = addImages(*file, modules))
        return joinErrors(std::move(error), std::move(problem));
  }
  return error;
}

/// Nothing is found in files that LLVM does not know, as fat binaries.
static Expected<std::vector<EmbeddedPTX>> readOwnImages(StringRef path) {
  std::vector<EmbeddedPTX> modules;
  auto binary = object::createBinary(path);
  if (!binary) {
    consumeError(binary.takeError());
    return modules;
  }
  Error error = Error::success();
  if (auto *archive = dyn_cast<object::Archive>(binary->getBinary()))
    error = addImagesOfMembers(*archive, modules);
  else if (auto *file = dyn_cast<object::ObjectFile>(binary->getBinary()))
    error = addImages(*file, modules);
  if (error)
    return std::move(error);
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
/// and other code in the same way, with other words in front of "code:";
/// members of an archive begin with "member NAME:". PTX begins with a comment
/// or its version.
static std::vector<EmbeddedPTX> splitListing(StringRef listing) {
  std::vector<EmbeddedPTX> modules;
  static const Regex heading("^Fatbin ([a-z]+) code:$");
  static const Regex member("^member .*:$");
  SmallVector<StringRef> lines, groups;
  listing.split(lines, '\n');
  bool isPTX = false, isText = false;
  for (StringRef line : lines) {
    bool isHeading = heading.match(line.rtrim(), &groups);
    if (isHeading || member.match(line.rtrim())) {
      isPTX = isHeading && groups[1] == "ptx";
      isText = false;
      if (isPTX)
        modules.emplace_back();
    } else if (isPTX) {
      if (!isText && line.consume_front("arch = "))
        modules.back().arch = line.trim().str();
      isText |= line.starts_with("//") || line.starts_with(".version");
      if (isText)
        modules.back().text += (line + "\n").str();
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

/// The kernels of a module; none where it cannot be read, which is said when it
/// is.
static std::vector<KernelInfo> kernelsOf(const EmbeddedPTX &module) {
  ptx::SourceModule source;
  ptx::Problems problems;
  std::vector<KernelInfo> kernels;
  if (ptx::parseModule(module.text, source, problems))
    for (const ptx::SourceFunction &function : source.functions)
      if (function.isKernel && function.isDefined)
        kernels.push_back(ptx::describeKernel(function, "", {}));
  return kernels;
}

static unsigned numberOf(StringRef arch) {
  unsigned number = 0;
  if (arch.consume_front("sm_"))
    arch.consumeInteger(10, number);
  return number;
}

/// Whether a module is to be read for kernels that none for a newer
/// architecture has: `archs` has the one of each that has been seen.
static bool isCandidate(StringRef arch, ArrayRef<KernelInfo> kernels,
                        ArrayRef<std::string> names,
                        StringMap<std::string> &archs) {
  bool result = kernels.empty() && names.empty();
  for (const KernelInfo &kernel : kernels) {
    if (!names.empty() && none_of(names, [&](const std::string &name) {
          return ptx::isCalled(kernel, name);
        }))
      continue;
    // Two for one architecture are two kernels.
    std::string &newest = archs[kernel.symbol];
    result |= newest.empty() || newest == arch;
    if (newest.empty())
      newest = arch.str();
  }
  return result;
}

Expected<EmbeddedPTX> gpuopt::selectModule(std::vector<EmbeddedPTX> modules,
                                           ArrayRef<std::string> kernels) {
  auto order = to_vector(seq<size_t>(0, modules.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    unsigned newness = numberOf(modules[a].arch);
    unsigned other = numberOf(modules[b].arch);
    return newness > other || (newness == other && a < b);
  });
  SmallVector<size_t> candidates;
  StringMap<std::string> archs;
  SmallVector<std::string> symbols;
  for (size_t index : order) {
    std::vector<KernelInfo> found = kernelsOf(modules[index]);
    for (const KernelInfo &kernel : found)
      symbols.push_back(kernel.symbol);
    if (isCandidate(modules[index].arch, found, kernels, archs))
      candidates.push_back(index);
  }
  if (candidates.size() == 1)
    return std::move(modules[candidates.front()]);
  llvm::sort(symbols);
  symbols.erase(llvm::unique(symbols), symbols.end());
  if (symbols.empty())
    return createStringError("its PTX has no kernels");
  std::string list = join(symbols, ", ");
  if (candidates.empty())
    return createStringError("its PTX has no kernel '" + kernels.front() +
                             "'; it has " + list);
  return createStringError("it has several modules of PTX: choose a kernel of "
                           "one (--kernel) out of " +
                           list);
}
