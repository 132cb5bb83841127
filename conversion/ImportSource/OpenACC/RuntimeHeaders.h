//===- RuntimeHeaders.h - openacc.h and omp.h -------------------*- C++ -*-===//
//
// What programs call of the libraries of OpenACC and OpenMP, declared where
// neither is installed: their host code is read, not compiled.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_RUNTIMEHEADERS_H
#define CONVERSION_IMPORTSOURCE_OPENACC_RUNTIMEHEADERS_H

#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace gpuopt {

/// The files of `base`, and these headers.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
createRuntimeHeaders(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base =
                         llvm::vfs::getRealFileSystem());

/// Has Clang find openacc.h in front of any that is installed, and omp.h
/// behind.
std::vector<std::string> runtimeHeaderArguments();

/// Has Clang take what GCC takes in C, and find the host's headers beside
/// these.
std::vector<std::string> hostProgramArguments();

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_RUNTIMEHEADERS_H
