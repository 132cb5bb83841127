//===- SDKHeaders.cpp - CUDA's headers on this machine --------------------===//

#include "conversion/ImportSource/SDKHeaders.h"
#include "conversion/ImportSource/TextFile.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace gpuopt;

/// One of them stands in each directory of headers of an SDK, or of one of its
/// libraries that is installed apart.
static constexpr StringLiteral mainHeaders[] = {
    "cuda_runtime_api.h", "cublas_api.h", "cufft.h", "curand.h",
    "cusolver_common.h",  "cusparse.h",   "cudnn.h", "nccl.h"};

/// Whether the file at `path` begins with NVIDIA's notice.
static bool isOfNVIDIA(StringRef path) {
  constexpr size_t noticeBytes = 4096;
  auto buffer = MemoryBuffer::getFileSlice(path, noticeBytes, /*Offset=*/0);
  return buffer &&
         (*buffer)->getBuffer().contains_insensitive("nvidia corporation");
}

/// Whether `path`, below an SDK's headers, is CUB's, Thrust's or libcu++'s.
static bool isOfCoreLibraries(StringRef path) {
  StringRef folder = *sys::path::begin(path.ltrim('/'));
  return is_contained({"cccl", "cub", "thrust", "cuda", "nv"}, folder);
}

SDKHidingFileSystem::SDKHidingFileSystem(
    IntrusiveRefCntPtr<vfs::FileSystem> underlying, StringRef path)
    : ProxyFileSystem(std::move(underlying)), input(path) {
  // Where it cannot be made absolute nothing can be read.
  (void)getUnderlyingFS().makeAbsolute(input);
  sys::path::remove_dots(input, /*remove_dot_dot=*/true);
}

bool SDKHidingFileSystem::holdsSDK(StringRef directory) {
  auto [known, isNew] = directories.try_emplace(directory, false);
  if (isNew)
    known->second = any_of(mainHeaders, [&](StringRef header) {
      SmallString<256> path(directory);
      sys::path::append(path, header);
      return isOfNVIDIA(path);
    });
  return known->second;
}

bool SDKHidingFileSystem::isHidden(StringRef name) {
  SmallString<256> path(name);
  if (getUnderlyingFS().makeAbsolute(path))
    return false;
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  for (StringRef directory = sys::path::parent_path(path);
       !directory.empty() && !input.starts_with(directory);
       directory = sys::path::parent_path(directory))
    if (holdsSDK(directory))
      // A system's own headers may stand there, too.
      return !isOfCoreLibraries(path.substr(directory.size())) &&
             isOfNVIDIA(path);
  return false;
}

ErrorOr<vfs::Status> SDKHidingFileSystem::status(const Twine &path) {
  ErrorOr<vfs::Status> found = ProxyFileSystem::status(path);
  if (found && found->isRegularFile() && isHidden(path.str()))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  return found;
}

namespace {
/// A text of as many characters in the place of another one, so that nothing
/// behind it moves.
struct Mending {
  StringLiteral file, wrong, right;
};
} // namespace

static constexpr Mending mendings[] = {
    // CUB 3.0 adds any numbers up as if they were pairs of halves where there
    // is no class for halves, and so asserts, or gives the first one: nothing
    // is added up that way then.
    {"cub/thread/thread_reduce.cuh",
     "&& Length >= 4\n#  if _CCCL_HAS_NVFP16() && _CCCL_HAS_NVBF16()",
     "&& Length <  0\n#  if _CCCL_HAS_NVFP16() && _CCCL_HAS_NVBF16()"},
    // Halves are no structures in the prelude.
    {"thrust/type_traits/is_trivially_relocatable.h",
     "struct __half;\nstruct __half2;", "#include <cuda_fp16.h>\n       "}};

static std::optional<std::string> mend(StringRef path, StringRef text) {
  const Mending *mending = find_if(mendings, [&](const Mending &one) {
    return path.ends_with(one.file);
  });
  if (mending == std::end(mendings))
    return std::nullopt;
  assert(mending->wrong.size() == mending->right.size());
  size_t at = text.find(mending->wrong);
  if (at == StringRef::npos)
    return std::nullopt;
  return (text.take_front(at) + mending->right +
          text.substr(at + mending->wrong.size()))
      .str();
}

ErrorOr<std::unique_ptr<vfs::File>>
SDKHidingFileSystem::openFileForRead(const Twine &path) {
  std::string name = path.str();
  if (isHidden(name))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  auto file = ProxyFileSystem::openFileForRead(name);
  bool mayNeedMending = any_of(mendings, [&](const Mending &one) {
    return StringRef(name).ends_with(one.file);
  });
  if (!file || !mayNeedMending)
    return file;
  auto buffer = (*file)->getBuffer(name);
  ErrorOr<vfs::Status> state = (*file)->status();
  std::optional<std::string> mended =
      buffer ? mend(name, (*buffer)->getBuffer()) : std::nullopt;
  if (!mended || !state)
    return ProxyFileSystem::openFileForRead(name);
  return std::make_unique<TextFile>(*state, std::move(*mended));
}
