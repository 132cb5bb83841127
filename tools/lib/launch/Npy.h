//===- Npy.h - arrays in NumPy's file format --------------------*- C++ -*-===//
//
// The .npy format, version 1.0: a header with dtype and shape, then the bytes
// in row-major order.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_NPY_H
#define TOOLS_LIB_LAUNCH_NPY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuopt {

/// The contents of a .npy file.
struct NpyArray {
  /// NumPy's type string without byte order: `f4`, `i4`, `u1`; `V12` for
  /// twelve opaque bytes.
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;
};

/// Reads a .npy file of numbers, or of opaque bytes, that is little-endian and
/// C-ordered. All that it says is checked against its length.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// Writes `array` to `path`.
llvm::Error writeNpy(llvm::StringRef path, const NpyArray &array);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_NPY_H
