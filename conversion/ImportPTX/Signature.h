//===- Signature.h - what parameters of kernels are -------------*- C++ -*-===//
//
// PTX says of a parameter how many bytes it has. More is known from
//   * a signature that the user gives: `ptr a, f32* b, s32 n`;
//   * the mangled name of a kernel from C++: `_Z2mmPKfPfi` has a `const
//     float *`, a `float *` and an `int`;
//   * what the kernel does with it.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTPTX_SIGNATURE_H
#define CONVERSION_IMPORTPTX_SIGNATURE_H

#include "conversion/ImportSource/KernelInfo.h"
#include "conversion/PTX/Module.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace gpuopt::ptx {

/// One kernel's parameters; those of no type that is known are opaque.
struct Signature {
  std::vector<KernelParameter> parameters;
  /// Of each, whether it is known to be a pointer, or to be none.
  llvm::SmallVector<std::optional<bool>> isPointer;
};

/// What names and types of `kernel`, and `given` where it is not empty, tell.
llvm::Expected<Signature> signatureOf(const SourceFunction &kernel,
                                      llvm::StringRef given);

/// The kernel as a user knows it: its name in C++.
KernelInfo describeKernel(const SourceFunction &kernel, llvm::StringRef path,
                          Signature signature);

/// Whether a user means `kernel` by `name`: in C++ or in PTX.
inline bool isCalled(const KernelInfo &kernel, llvm::StringRef name) {
  return name == kernel.name || name == kernel.symbol ||
         name == kernel.displayName;
}

/// Completes `kernel` by what its function, cleaned up, does with parameters.
void completeParameters(KernelInfo &kernel, const llvm::Function &function);

} // namespace gpuopt::ptx

#endif // CONVERSION_IMPORTPTX_SIGNATURE_H
