//===- OpenMPHeaders.cpp - OpenMP's directives in headers -----------------===//

#include "conversion/ImportSource/OpenACC/OpenMPHeaders.h"

#include "conversion/ImportSource/OpenACC/OpenMPDirectives.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>

using namespace llvm;
using namespace gpuopt;

namespace {
/// A file of which another text is read.
class ReplacedFile : public vfs::File {
public:
  ReplacedFile(vfs::Status state, StringRef text)
      : state(std::move(state)), text(text) {}

  ErrorOr<vfs::Status> status() override { return state; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t,
                                                   bool, bool) override {
    return MemoryBuffer::getMemBufferCopy(text, name);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status state;
  StringRef text;
};

class ReplacingFileSystem : public vfs::ProxyFileSystem {
public:
  ReplacingFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> base,
                      std::function<void()> noteFailure)
      : ProxyFileSystem(std::move(base)), noteFailure(std::move(noteFailure)) {}

  ErrorOr<vfs::Status> status(const Twine &path) override;
  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &path) override;

private:
  const std::optional<std::string> &replacementOf(StringRef path);
  vfs::Status resized(const vfs::Status &state, size_t size) {
    return vfs::Status(state.getName(), state.getUniqueID(),
                       state.getLastModificationTime(), state.getUser(),
                       state.getGroup(), size, state.getType(),
                       state.getPermissions());
  }

  std::function<void()> noteFailure;
  /// The texts of files that have directives.
  StringMap<std::optional<std::string>> known;
};
} // namespace

const std::optional<std::string> &
ReplacingFileSystem::replacementOf(StringRef path) {
  auto [entry, isNew] = known.try_emplace(path);
  std::optional<std::string> &replacement = entry->second;
  // The system's headers have threads of the host.
  if (!isNew || path.starts_with("/usr/"))
    return replacement;
  auto text = ProxyFileSystem::getBufferForFile(path);
  if (!text || !(*text)->getBuffer().contains("omp"))
    return replacement;
  mlir::FailureOr<std::string> replaced =
      replaceOpenMP(path, (*text)->getBuffer());
  if (failed(replaced))
    noteFailure();
  else if (*replaced != (*text)->getBuffer())
    replacement = std::move(*replaced);
  return replacement;
}

ErrorOr<vfs::Status> ReplacingFileSystem::status(const Twine &path) {
  ErrorOr<vfs::Status> state = ProxyFileSystem::status(path);
  if (!state || !state->isRegularFile())
    return state;
  const std::optional<std::string> &text = replacementOf(path.str());
  return text ? resized(*state, text->size()) : state;
}

ErrorOr<std::unique_ptr<vfs::File>>
ReplacingFileSystem::openFileForRead(const Twine &path) {
  auto file = ProxyFileSystem::openFileForRead(path);
  if (!file)
    return file;
  ErrorOr<vfs::Status> state = (*file)->status();
  if (!state || !state->isRegularFile())
    return file;
  const std::optional<std::string> &text = replacementOf(path.str());
  if (!text)
    return file;
  return std::make_unique<ReplacedFile>(resized(*state, text->size()), *text);
}

IntrusiveRefCntPtr<vfs::FileSystem>
gpuopt::replaceOpenMPInHeaders(IntrusiveRefCntPtr<vfs::FileSystem> base,
                               std::function<void()> noteFailure) {
  return makeIntrusiveRefCnt<ReplacingFileSystem>(std::move(base),
                                                  std::move(noteFailure));
}
