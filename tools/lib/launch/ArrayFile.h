//===- ArrayFile.h - files for arrays and variables -------------*- C++ -*-===//
//
// What a .npy file has to be for an array of a kernel, or a variable of its
// module: of its type, size and shape.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_ARRAYFILE_H
#define TOOLS_LIB_LAUNCH_ARRAYFILE_H

#include "conversion/ImportSource/KernelInfo.h"
#include "tools/lib/launch/Npy.h"

namespace gpuopt {

/// What a file is for: `array 'a'` or `variable 'filter'`.
struct ArrayFileUse {
  std::string name;
  ElementType element;
};

/// Reads a file that holds whole elements of the type.
llvm::Expected<NpyArray> readArrayFile(llvm::StringRef path,
                                       const ArrayFileUse &use);

/// Whether `file`, read from `path`, has `bytes` bytes, and the shape: that of
/// `shape`, the lanes of vectors as a last dimension where there are several,
/// or one dimension, as the kernel has it. A shape of one dimension takes any.
llvm::Error checkArrayFile(llvm::StringRef path, const NpyArray &file,
                           const ArrayFileUse &use,
                           llvm::ArrayRef<int64_t> shape, uint64_t bytes);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_ARRAYFILE_H
