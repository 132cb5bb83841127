//===- ImportOpenACC.h - kernels of C with OpenACC --------------*- C++ -*-===//
//
// Clang parses a C program for the host. What its compute constructs do becomes
// kernels (Constructs.h, Outline.h), each compiled twice by Clang's code
// generation: with loops as work items, and as the sequential code that it is
// without directives.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_IMPORTOPENACC_H
#define CONVERSION_IMPORTSOURCE_OPENACC_IMPORTOPENACC_H

#include "conversion/ImportSource/ImportSource.h"

namespace gpuopt {

/// On kernels in `ImportedSource::sequential` that each thread of a team runs:
/// they have no sequential form, and are launched as the source has it.
inline constexpr llvm::StringLiteral kTeamNote = "gpuopt-team";

/// Whether a file's kernels are OpenACC's: those of C are, of C++ with
/// `-fopenacc` or `-fopenmp`, or where `text`, which launches no kernels, has
/// directives that offload loops.
bool isOpenACC(llvm::StringRef path, llvm::StringRef text,
               const ImportOptions &options);

/// `importSource` for such files.
mlir::FailureOr<ImportedSource> importOpenACC(llvm::StringRef path,
                                              TargetAttr target,
                                              const ImportOptions &options);

/// Makes of a module for the host one for kernels of `vendor`'s devices, which
/// `kernels` are.
void retargetModule(llvm::Module &module, TargetAttr target,
                    llvm::ArrayRef<KernelInfo> kernels);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_IMPORTOPENACC_H
