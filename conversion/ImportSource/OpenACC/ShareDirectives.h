//===- ShareDirectives.h - '#pragma acc share' ------------------*- C++ -*-===//
//
// Clang knows no directive `share`, so these are taken from the text before it
// is parsed; their lines stay, empty. A directive belongs to the compute
// construct that follows it, or, within one, to the next loop.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_SHAREDIRECTIVES_H
#define CONVERSION_IMPORTSOURCE_OPENACC_SHAREDIRECTIVES_H

#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/OpenACC/CompileParts.h"

#include <string>
#include <vector>

namespace gpuopt {

/// One array of a directive, and where it is named.
struct PlacedHint {
  ShareHint hint;
  SourcePosition position;
};

struct ShareDirective {
  SourcePosition position;
  std::vector<PlacedHint> hints;
};

/// Takes the directives from `text`, the program in the file `path`. What is
/// wrong with one is reported at its token.
mlir::FailureOr<std::vector<ShareDirective>>
takeShareDirectives(llvm::StringRef path, std::string &text);

/// Gives kernels the hints for them. A directive without a construct, and an
/// array that none of its kernels has, are reported.
mlir::LogicalResult attachHints(llvm::ArrayRef<ShareDirective> directives,
                                llvm::MutableArrayRef<CompiledPart> parts);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_SHAREDIRECTIVES_H
