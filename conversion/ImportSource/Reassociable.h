//===- Reassociable.h - '#pragma gpuopt reassociate' ------------*- C++ -*-===//
//
//   #pragma gpuopt reassociate
//   for (int k = 0; k < n; ++k) sum += a[k];
//
// allows the floating-point operations of the loop or function that begins
// right behind it to be reordered, those of functions that it calls included.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_REASSOCIABLE_H
#define CONVERSION_IMPORTSOURCE_REASSOCIABLE_H

#include "conversion/ImportSource/DeviceConsumer.h"

namespace gpuopt {

/// The loops and functions that such pragmas of `pragmas` stand before. One
/// that stands before nothing of the kind, or before a macro that expands to
/// it, is a warning; so is one in a file whose positions are not its own.
std::vector<SourceSpan> findReassociable(clang::ASTContext &context,
                                         llvm::ArrayRef<PlacedPragma> pragmas,
                                         FirstErrorPrinter &printer);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_REASSOCIABLE_H
