//===- SDKHeaders.cpp - CUDA's headers on this machine --------------------===//

#include "conversion/ImportSource/SDKHeaders.h"

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
      return isOfNVIDIA(path);
  return false;
}

ErrorOr<vfs::Status> SDKHidingFileSystem::status(const Twine &path) {
  ErrorOr<vfs::Status> found = ProxyFileSystem::status(path);
  if (found && found->isRegularFile() && isHidden(path.str()))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  return found;
}

ErrorOr<std::unique_ptr<vfs::File>>
SDKHidingFileSystem::openFileForRead(const Twine &path) {
  if (isHidden(path.str()))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  return ProxyFileSystem::openFileForRead(path);
}
