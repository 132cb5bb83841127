//===- FileOutput.cpp - files, whole or not at all ------------------------===//

#include "conversion/EmitBinary/FileOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
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

/// Who may read and write a file, unless the user's mask says otherwise.
static constexpr unsigned kForAll = 0666, kForOwner = 0600;

/// Creates a file that starts with `prefix`, and opens it. Upstream's functions
/// for that replace every % in the path, also those of the user's directories.
static std::error_code createUniqueFile(const Twine &prefix, StringRef suffix,
                                        unsigned mode, int &descriptor,
                                        SmallString<128> &path) {
  constexpr int mostTries = 128;
  std::error_code error;
  for (int number = 0; number < mostTries; ++number) {
    path.clear();
    raw_svector_ostream(path)
        << prefix << format_hex_no_prefix(sys::Process::GetRandomNumber(), 8)
        << suffix;
    error = sys::fs::openFileForWrite(path, descriptor, sys::fs::CD_CreateNew,
                                      sys::fs::OF_None, mode);
    if (error != std::errc::file_exists)
      break;
  }
  if (!error)
    sys::RemoveFileOnSignal(path);
  return error;
}

/// Gives the file behind `descriptor` the permissions of the one at `path`, as
/// if that were written to. One that may not be written to is not replaced
/// either.
static std::error_code keepPermissions(StringRef path, int descriptor) {
  sys::fs::file_status old;
  if (sys::fs::status(path, old))
    return {}; // There is none.
  if (std::error_code error = sys::fs::access(path, sys::fs::AccessMode::Write))
    return error;
  return sys::fs::setPermissions(descriptor, old.permissions());
}

std::error_code replaceFile(StringRef path, ArrayRef<StringRef> parts) {
  int descriptor;
  SmallString<128> temporary;
  if (std::error_code error =
          createUniqueFile(path + ".", ".tmp", kForAll, descriptor, temporary))
    return error;
  std::error_code error = keepPermissions(path, descriptor);
  if (!error) {
    raw_fd_ostream stream(descriptor, /*shouldClose=*/false);
    error = write(stream, parts);
  }
  std::error_code notClosed =
      sys::Process::SafelyCloseFileDescriptor(descriptor);
  if (!error)
    error = notClosed;
  if (!error)
    error = sys::fs::rename(temporary, path);
  if (error)
    sys::fs::remove(temporary);
  sys::DontRemoveFileOnSignal(temporary);
  return error;
}

Error cannotWrite(StringRef path, std::error_code error) {
  return createStringError(error,
                           "cannot write '" + path + "': " + error.message());
}

Expected<std::unique_ptr<TemporaryFile>>
TemporaryFile::create(StringRef suffix) {
  std::unique_ptr<TemporaryFile> file(new TemporaryFile());
  SmallString<128> directory;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, directory);
  SmallString<128> prefix = directory;
  sys::path::append(prefix, "gpuopt-");
  std::string ending = suffix.empty() ? "" : ("." + suffix).str();
  int descriptor;
  if (std::error_code error =
          createUniqueFile(prefix, ending, kForOwner, descriptor, file->name)) {
    file->name.clear();
    return createStringError(error, "cannot create a temporary file in '" +
                                        directory + "': " + error.message());
  }
  sys::Process::SafelyCloseFileDescriptor(descriptor);
  return file;
}

TemporaryFile::~TemporaryFile() {
  if (name.empty())
    return;
  sys::fs::remove(name);
  sys::DontRemoveFileOnSignal(name);
}

} // namespace gpuopt
