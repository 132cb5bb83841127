//===- NestingLimit.h - how deeply MLIR text may be nested ------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_NESTINGLIMIT_H
#define CONVERSION_IMPORTSOURCE_NESTINGLIMIT_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace gpuopt {

/// Where MLIR's text is nested so deeply that whoever reads it by recursion
/// might never end; nothing where it is not.
std::optional<size_t> findTooDeep(llvm::StringRef text);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_NESTINGLIMIT_H
