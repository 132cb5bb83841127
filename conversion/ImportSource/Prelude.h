//===- Prelude.h - the headers that stand in for the SDK --------*- C++ -*-===//
//
// The prelude's headers travel inside the library and reach Clang through a
// virtual file system, so that nothing depends on where gpuopt is installed.
//
// Parsing the prelude costs more than a small kernel does, so it is also
// precompiled, once for each language and vendor, when gpuopt is built. Clang
// accepts a precompiled header only with the options it was made with; with
// any others (another -std, -ffast-math, …) the text is parsed instead.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_PRELUDE_H
#define CONVERSION_IMPORTSOURCE_PRELUDE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace gpuopt {

/// Directory of the prelude's headers in the virtual file system.
inline constexpr llvm::StringLiteral kPreludeDirectory = "/gpuopt-prelude";

/// A file inside the library.
struct EmbeddedFile {
  /// Path below kPreludeDirectory.
  llvm::StringRef path;
  llvm::StringRef contents;
};

/// The headers of prelude/.
llvm::ArrayRef<EmbeddedFile> preludeHeaders();

/// The precompiled preludes, named as `precompiledPreludeName` names them.
llvm::ArrayRef<EmbeddedFile> precompiledPreludes();

/// The real file system with the prelude's headers and `precompiled` on top.
/// For `sdkFreeInput`, a file's path, without headers of an installed SDK.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
createPreludeFileSystem(llvm::ArrayRef<EmbeddedFile> precompiled,
                        std::optional<llvm::StringRef> sdkFreeInput);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_PRELUDE_H
