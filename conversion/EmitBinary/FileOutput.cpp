//===- FileOutput.cpp - files, whole or not at all ------------------------===//

#include "conversion/EmitBinary/FileOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuopt {

/// Writes `parts` to `stream`, whose errors are then no longer its own.
static std::error_code write(raw_fd_ostream &stream,
                             ArrayRef<StringRef> parts) {
  for (StringRef part : parts)
    stream << part;
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

std::error_code writeFile(StringRef path, ArrayRef<StringRef> parts) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  return error ? error : write(stream, parts);
}

std::error_code replaceFile(StringRef path, ArrayRef<StringRef> parts) {
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!file)
    return errorToErrorCode(file.takeError());
  std::error_code error;
  {
    raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
    error = write(stream, parts);
  }
  if (!error)
    return errorToErrorCode(file->keep(path));
  consumeError(file->discard());
  return error;
}

Error cannotWrite(StringRef path, std::error_code error) {
  return createStringError(error,
                           "cannot write '" + path + "': " + error.message());
}

Expected<std::unique_ptr<TemporaryFile>>
TemporaryFile::create(StringRef suffix) {
  std::unique_ptr<TemporaryFile> file(new TemporaryFile());
  if (std::error_code error =
          sys::fs::createTemporaryFile("gpuopt", suffix, file->name)) {
    SmallString<128> directory;
    sys::path::system_temp_directory(/*ErasedOnReboot=*/true, directory);
    file->name.clear();
    return createStringError(error, "cannot create a temporary file in '" +
                                        directory + "': " + error.message());
  }
  sys::RemoveFileOnSignal(file->name);
  return file;
}

TemporaryFile::~TemporaryFile() {
  if (name.empty())
    return;
  sys::fs::remove(name);
  sys::DontRemoveFileOnSignal(name);
}

} // namespace gpuopt
