//===- DeviceLibrary.h - mathematics for a GPU ------------------*- C++ -*-===//
//
// Kernels call mathematical functions under three kinds of name: LLVM's
// intrinsics, C's and CUDA's own names, and those of the vendor's library
// (which MLIR's conversions write). The first two are mapped to the third, and
// the library that defines them is linked: the vendor's where it is found,
// else ours.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITBINARY_DEVICELIBRARY_H
#define CONVERSION_EMITBINARY_DEVICELIBRARY_H

#include "conversion/EmitBinary/EmitBinary.h"

namespace gpuopt {

/// Turns the mathematical intrinsics that the back end lacks, and calls to the
/// names that C and CUDA use, into calls to `__nv_*` or `__ocml_*`.
void mapMathFunctions(llvm::Module &module, TargetAttr target);

/// Links definitions of the `__nv_*`, `__ocml_*` and `__ockl_*` functions that
/// `module` calls, and makes everything but kernels and the variables of the
/// program internal. The error names the functions that no library has.
llvm::Error linkDeviceLibrary(llvm::Module &module, TargetAttr target,
                              const EmitOptions &options);

/// Path of libdevice.10.bc in the toolkit or the PyPI wheel of the CUDA
/// compiler; empty where not found or where $GPUOPT_NO_DEVICE_LIBRARY is set.
std::string findLibdevice();

/// Directory of ROCm's device bitcode libraries; empty as above.
std::string findROCmDeviceLibraries();

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_DEVICELIBRARY_H
