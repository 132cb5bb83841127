//===- OffloadProgram.h - a program whose loops go to a device --*- C++ -*-===//
//
// Apricot (chapter 4 of Yang's thesis), for today's devices: the text of a
// program in C with OpenMP becomes one that runs its parallel loops on a device
// where that pays, and says what each needs there.
//
//   #pragma omp parallel for       if (gpuopt_offload_pays(…)) {
//   for (i = 0; i < n; i++)        #pragma omp target teams distribute \
//     a[i] = b[i] * c[i];     →        parallel for map(to: b[0:n], c[0:n]) \
//                                      map(from: a[0:n])
//                                    for (i = 0; i < n; i++)
//                                      a[i] = b[i] * c[i];
//                                  } else {
//                                  #pragma omp parallel for
//                                    …
//                                  }
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_OFFLOADPROGRAM_H
#define CONVERSION_OFFLOAD_OFFLOADPROGRAM_H

#include "conversion/Offload/ProfileLoops.h"
#include "conversion/Offload/Spelling.h"

#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace gpuopt::offload {

struct OffloadOptions {
  Dialect dialect = Dialect::OpenMP;
  RegionOptions regions;
  /// Offloads nothing new: lowers `#pragma gpuopt conditional-offload`, and
  /// makes regions that the program offloads itself bring less.
  bool onlyLowers = false;
  /// Believes that elements which are accessed under conditions exist.
  bool trustsConditions = false;
  /// Declares constants in loops (MoveDeclarations.h).
  bool movesDeclarations = false;
  /// Keeps arrays on the device over what loops call (KeptArrays.h).
  bool keeps = true;
  /// Aligns what the program allocates and the device gets.
  bool aligns = false;
  /// By a profile of the program: data of loops that it says too little of is
  /// not hoisted.
  ParallelShares shares;
  std::vector<std::string> clangArguments;
};

struct OffloadedProgram {
  std::string text;
  unsigned offloaded = 0, declined = 0;
  /// Of those declined, where the author can supply what is missing.
  unsigned forAuthor = 0;
  /// Loops that the program offloads itself: those that bring less now, and
  /// those that stay as they are.
  unsigned narrowed = 0, kept = 0;
};

/// The program in the file `path`, offloaded. A remark for each parallel loop
/// goes to the stream of diagnostics; what is wrong with the program, too.
mlir::FailureOr<OffloadedProgram> offloadProgram(llvm::StringRef path,
                                                 const OffloadOptions &options);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_OFFLOADPROGRAM_H
