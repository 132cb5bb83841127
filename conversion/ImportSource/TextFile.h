//===- TextFile.h - a file with another text --------------------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_TEXTFILE_H
#define CONVERSION_IMPORTSOURCE_TEXTFILE_H

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace gpuopt {

/// A file whose text is not the one that lies on the disk, but as long.
class TextFile : public llvm::vfs::File {
public:
  TextFile(llvm::vfs::Status state, std::string text)
      : state(std::move(state)), text(std::move(text)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return state; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text, name);
  }
  std::error_code close() override { return {}; }

private:
  llvm::vfs::Status state;
  std::string text;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_TEXTFILE_H
