//===- SDKHeaders.h - CUDA's headers on this machine ------------*- C++ -*-===//
//
// The prelude stands in for CUDA's headers, and the two do not mix: a file that
// includes `<cublasLt.h>` of an installed SDK would get half of its types from
// there and half from the prelude. So the SDK's headers are hidden where the
// prelude is used. What a kernel cannot do without is compiled a second time,
// with the SDK in place of the prelude. CUB, Thrust and libcu++ are made to
// stand on any version of CUDA, and so on the prelude: they are not hidden.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_SDKHEADERS_H
#define CONVERSION_IMPORTSOURCE_SDKHEADERS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace gpuopt {

/// A file system without the headers of a CUDA SDK itself: those that say that
/// they are NVIDIA's and stand below a directory that holds the SDK's main
/// headers. That may also be the system's own directory of headers.
class SDKHidingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  /// Hides nothing of the directories around `input`.
  SDKHidingFileSystem(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> underlying,
      llvm::StringRef input);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;

private:
  bool isHidden(llvm::StringRef name);
  bool holdsSDK(llvm::StringRef directory);

  /// The absolute path of the file that is compiled.
  llvm::SmallString<256> input;
  /// By directory: whether it holds the main headers of an SDK or of one of its
  /// libraries.
  llvm::StringMap<bool> directories;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_SDKHEADERS_H
