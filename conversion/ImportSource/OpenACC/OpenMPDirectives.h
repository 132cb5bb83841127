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

/// The same for target regions alone, with what they say of data, and for
/// directives that move data:
///
///   #pragma omp target data map(to: a[0:n])         acc data copyin(a[0:n])
///   #pragma omp target teams distribute parallel    acc parallel loop …
///       for map(from: b[0:n]) private(t)
///   #pragma omp target update from(a[0:n])          acc update self(a[0:n])
///
/// Others are for threads of the host, and stay.
mlir::FailureOr<std::string> replaceTargets(llvm::StringRef path,
                                            llvm::StringRef text);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_OPENMPDIRECTIVES_H
