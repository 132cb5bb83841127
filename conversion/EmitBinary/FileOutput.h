//===- FileOutput.h - files, whole or not at all ----------------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_FILEOUTPUT_H
#define CONVERSION_EMITBINARY_FILEOUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <system_error>

namespace gpuopt {

/// Writes `parts`, one behind the other, to the file, device or pipe at `path`.
/// What a stream of LLVM's cannot write ends the program, without a name.
std::error_code writeFile(llvm::StringRef path,
                          llvm::ArrayRef<llvm::StringRef> parts);

/// The same in place of the file at `path`, which stays as it was, or absent,
/// where that fails. The new one has its permissions.
std::error_code replaceFile(llvm::StringRef path,
                            llvm::ArrayRef<llvm::StringRef> parts);

/// "cannot write 'a.npy': No space left on device".
llvm::Error cannotWrite(llvm::StringRef path, std::error_code error);

/// A file of its own in the directory for temporary files. It is removed at the
/// end of its life, and where a signal ends the program.
class TemporaryFile {
public:
  static llvm::Expected<std::unique_ptr<TemporaryFile>>
  create(llvm::StringRef suffix);
  TemporaryFile(const TemporaryFile &) = delete;
  ~TemporaryFile();

  llvm::StringRef path() const { return name; }

private:
  TemporaryFile() = default;
  llvm::SmallString<128> name;
};

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_FILEOUTPUT_H
