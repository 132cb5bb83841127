//===- ReadSource.h - the text of an input ----------------------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_READSOURCE_H
#define CONVERSION_IMPORTSOURCE_READSOURCE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>
#include <string>

namespace gpuopt {

/// Reads `path`, unless there is `given` text. What cannot be read, or is no
/// text, is an error that has been reported.
mlir::FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
readSource(llvm::StringRef path, const std::optional<std::string> &given);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_READSOURCE_H
