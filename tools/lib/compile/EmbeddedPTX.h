//===- EmbeddedPTX.h - PTX inside objects and programs ----------*- C++ -*-===//
//
// Object files, libraries, programs and NVIDIA's fat binaries carry kernels as
// machine code, and as PTX for GPUs that are yet to come. That of nvcc's and
// Clang's is listed by NVIDIA's cuobjdump (of the toolkit, or beside this
// program); that of `gpuopt cc` is in sections of our own
// (runtime/DeviceImages.h).
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_EMBEDDEDPTX_H
#define TOOLS_LIB_COMPILE_EMBEDDEDPTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace gpuopt {

/// Whether the file at `path` begins as an ELF file, an archive or a fat binary
/// does.
bool isBinaryInput(llvm::StringRef path);

/// One module of PTX.
struct EmbeddedPTX {
  /// `sm_90`.
  std::string arch;
  std::string text;
};

/// All modules in the file at `path`. An error where there are none.
llvm::Expected<std::vector<EmbeddedPTX>> readEmbeddedPTX(llvm::StringRef path);

/// The one that has `kernels`, by their names in PTX or in the source; where
/// none are named, the only one. Of a kernel that is there for several
/// architectures, the newest.
llvm::Expected<EmbeddedPTX> selectModule(std::vector<EmbeddedPTX> modules,
                                         llvm::ArrayRef<std::string> kernels);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_EMBEDDEDPTX_H
