//===- NVCCOptions.h - nvcc's command line as Clang's -----------*- C++ -*-===//

#ifndef TOOLS_LIB_PROGRAM_NVCCOPTIONS_H
#define TOOLS_LIB_PROGRAM_NVCCOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace gpuopt {

/// What a command line of nvcc's or Clang's says.
struct DriverOptions {
  /// In the order of the command line, for Clang's driver.
  std::vector<std::string> clangArguments;
  /// Architectures as `sm_90`, each once; empty where none is named.
  std::vector<std::string> archs;
  /// Those whose machine code is asked for as well, by `code=sm_90`.
  std::vector<std::string> assembledArchs;
  bool fastMath = false;
  /// `off` where multiplications and additions are not to be contracted.
  std::string fpContract;
  /// Whether it is one of Clang's, by options that nvcc does not have.
  bool isClangs = false;
  /// An SDK that headers are taken from.
  std::string cudaPath;
};

/// Translates `arguments`, without the program's name. The error names an
/// option that cannot be followed.
llvm::Expected<DriverOptions>
translateOptions(llvm::ArrayRef<const char *> arguments);

} // namespace gpuopt

#endif // TOOLS_LIB_PROGRAM_NVCCOPTIONS_H
