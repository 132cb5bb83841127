//===- OpenMPDirectives.h - OpenMP's directives as OpenACC's ----*- C++ -*-===//
//
// What OpenMP says of loops OpenACC has words for, too:
//
//   #pragma omp parallel                      #pragma acc parallel
//   {                                         {
//   #pragma omp for private(t) nowait    →    #pragma acc loop private(t)
//     for (i = 0; i < n; ++i) …                 for (i = 0; i < n; ++i) …
//   #pragma omp barrier
//   }                                         }
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_OPENMPDIRECTIVES_H
#define CONVERSION_IMPORTSOURCE_OPENACC_OPENMPDIRECTIVES_H

#include "conversion/ImportSource/Diagnostics.h"

#include <string>

namespace gpuopt {

/// The program `text` of the file `path` with OpenACC's directives in the place
/// of OpenMP's, each on the line that it was on. What orders threads among each
/// other and has no such word (`critical`, `task`, …) is reported.
mlir::FailureOr<std::string> replaceOpenMP(llvm::StringRef path,
                                           llvm::StringRef text);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_OPENMPDIRECTIVES_H
