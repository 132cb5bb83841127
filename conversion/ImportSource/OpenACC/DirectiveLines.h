//===- DirectiveLines.h - directives in the text of a program ---*- C++ -*-===//
//
// Directives that Clang does not know are found line by line.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_DIRECTIVELINES_H
#define CONVERSION_IMPORTSOURCE_OPENACC_DIRECTIVELINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace gpuopt {

/// The first line of `text`, with those that continue it and its end.
llvm::StringRef takeLine(llvm::StringRef text);

/// What is behind `words`, {"#", "pragma", "omp"} say, on `line`, comments at
/// its end aside; nothing for other lines.
std::optional<llvm::StringRef>
directiveOn(llvm::StringRef line, llvm::ArrayRef<llvm::StringRef> words);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_DIRECTIVELINES_H
