//===- OpenMPHeaders.h - OpenMP's directives in headers ---------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_OPENMPHEADERS_H
#define CONVERSION_IMPORTSOURCE_OPENACC_OPENMPHEADERS_H

#include "llvm/Support/VirtualFileSystem.h"

#include <functional>

namespace gpuopt {

/// The files of `base`, where those of the program itself have OpenACC's
/// directives in the place of OpenMP's (OpenMPDirectives.h). Where one has no
/// such word, `noteFailure` is called after that has been reported.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
replaceOpenMPInHeaders(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base,
                       std::function<void()> noteFailure);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_OPENMPHEADERS_H
