//===- Formats.h - inputs and outputs by name -------------------*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_FORMATS_H
#define TOOLS_LIB_COMPILE_FORMATS_H

#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// A form of output, what it is called and how its files end.
struct OutputFormat {
  OutputKind kind;
  llvm::StringLiteral name;
  llvm::StringLiteral ending;
  bool isBinary;
};

/// The form called `name`; null where there is none.
const OutputFormat *findOutputFormat(llvm::StringRef name);

/// All names, for a person: "ptx, cubin, … or opencl".
std::string outputFormatNames();

/// What an input called `name` is written in: `cu`, `cuda`, `hip`, `cl` or
/// `mlir`.
std::optional<InputKind> findInputKind(llvm::StringRef name);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_FORMATS_H
