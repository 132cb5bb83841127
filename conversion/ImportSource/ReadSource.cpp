//===- ReadSource.cpp - the text of an input ------------------------------===//

#include "conversion/ImportSource/ReadSource.h"

#include "conversion/ImportSource/Diagnostics.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace gpuopt;

mlir::FailureOr<std::unique_ptr<MemoryBuffer>>
gpuopt::readSource(StringRef path, const std::optional<std::string> &given) {
  auto fail = [&](const Twine &message) {
    reportError({path.str(), 0, 0}, message);
    return mlir::failure();
  };
  if (!given && sys::fs::is_directory(path))
    return fail("is a directory, not a source file");
  // Devices and pipes may have no end.
  if (!given && sys::fs::exists(path) && !sys::fs::is_regular_file(path))
    return fail("is not a file");
  auto buffer = given ? MemoryBuffer::getMemBufferCopy(*given, path)
                      : MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return fail("cannot be read: " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  if (text.contains('\0'))
    return fail("is no source text: it holds null bytes");
  return std::move(*buffer);
}
